import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { openConsumedStates } from "../../../src/broker/grants/consumed.js";
import { momentsOf } from "../../../src/broker/grants/life.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { type Clock, systemClock } from "../../../src/broker/system/clock.js";
import { createRequestStates, stateSeconds } from "../../../src/server/mcp/request-state.js";
import { FakeClock } from "../../support/fake-clock.js";
import { shiftedWallClock } from "../../support/shifted-wall-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

const caller = "stdio:c";
const what = { id: "k7q2mx9d", subject: "a".repeat(64), caller, again: 0, round: null };
const ttlSeconds = 660;
/** The codec does not look at it. */

let path: string;
beforeEach(() => {
  path = join(tempDirectory(), "home");
});

/** A process: its clock, the boot it lives in, and how long the machine has been up in its eyes. */
interface World {
  readonly clock?: Clock;
  readonly boot?: string;
  readonly uptimeMs?: () => number;
}

/** As one process after another opens the states of the home. */
function states(home: string | null = path, world: World = {}) {
  const { clock = systemClock, boot = "boot", uptimeMs } = world;
  const moment = momentsOf(clock, boot, uptimeMs);
  if (home === null) return createRequestStates({ clock, moment, kept: null, ttlSeconds });
  const ensureHome = (): string => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return home;
  };
  const place = { path: home, ensureHome, clock };
  const kept = { secret: rootSecretOf(place), consumed: openConsumedStates({ ...place, moment }) };
  return createRequestStates({ clock, moment, kept, ttlSeconds });
}

type States = ReturnType<typeof states>;
const verified = (one: States, text: string, by = caller) => one.verify(text, by);

describe("a state", () => {
  test("comes back as it went out, and is used once, over all processes", async () => {
    const first = states();
    const { text, nonce } = await first.mint(what);
    const second = states();
    const returned = await verified(second, text);
    expect(returned).toEqual({ ...what, nonce, isOwn: false, lifeMs: 660_000 });
    expect(await second.use(returned)).toBe(true);
    expect(await second.use(returned)).toBe(false);
    expect(await first.use(await verified(first, text))).toBe(false);
    expect(await states().use(returned)).toBe(false);
    const next = await first.mint(what);
    expect(await first.use(await verified(first, next.text))).toBe(true);
  });

  test("makes nothing before the first goes out, also where one that is none comes back", async () => {
    const one = states();
    await expect(verified(one, "v1.e30.AAAA")).rejects.toThrow();
    expect(existsSync(path)).toBe(false);
    await one.mint(what);
    expect(existsSync(join(path, "keys", "root"))).toBe(true);
  });

  test("is refused when anything in it was changed, and good when nothing was", async () => {
    const one = states();
    const { text } = await one.mint(what);
    const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".split("");
    const nonces = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length - 1 }),
        fc.constantFrom(...characters),
        async (at, character) => {
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          const returned = await verified(one, changed).catch(() => null);
          // The last character of the proof holds bits that mean nothing: it is the same state in another spelling.
          if (returned !== null) nonces.add(returned.nonce);
        },
      ),
      { numRuns: 500 },
    );
    const returned = await verified(one, text);
    nonces.add(returned.nonce);
    expect(nonces.size).toBe(1);
    expect(await one.use(returned)).toBe(true);
  });

  test("in another spelling is the same state: it is used with it", async () => {
    const one = states();
    const { text } = await one.mint(what);
    expect(await one.use(await verified(one, text))).toBe(true);
    const spellings = await Promise.all(
      [`${text}=`, `${text}==`, ...spelledOtherwise(text)].map((other) =>
        verified(one, other).catch(() => null),
      ),
    );
    const taken = spellings.filter((returned) => returned !== null);
    expect(taken.length).toBeGreaterThan(0);
    for (const returned of taken) expect(await one.use(returned)).toBe(false);
    const next = await one.mint(what);
    expect(await one.use(await verified(one, next.text))).toBe(true);
  });

  test("is refused by another home and to another caller", async () => {
    const one = states();
    const { text } = await one.mint(what);
    const other = states(join(tempDirectory(), "home"));
    await other.mint(what);
    await expect(verified(other, text)).rejects.toThrow("mac");
    await expect(verified(one, text, "stdio:d")).rejects.toThrow("another caller's");
    expect(await verified(one, text)).toMatchObject(what);
  });

  test("of a process that keeps nothing ends with it, and counts once while it lives", async () => {
    const one = states(null);
    const { text } = await one.mint(what);
    const returned = await verified(one, text);
    expect(returned.isOwn).toBe(true);
    expect([await one.use(returned), await one.use(returned)]).toEqual([true, false]);
    await expect(verified(states(null), text)).rejects.toThrow();
    expect(existsSync(path)).toBe(false);
  });

  test("is made all the same where the home cannot keep a secret, and ends with its process", async () => {
    writeFileSync(path, "no directory");
    const moment = momentsOf(systemClock, "boot");
    const place = { path, ensureHome: (): string => path, clock: systemClock };
    const kept = { secret: rootSecretOf(place), consumed: openConsumedStates({ ...place, moment }) };
    const one = createRequestStates({ clock: systemClock, moment, kept, ttlSeconds });
    const { text } = await one.mint(what);
    const returned = await verified(one, text);
    expect([await one.use(returned), await one.use(returned)]).toEqual([true, false]);
    await expect(verified(states(), text)).rejects.toThrow();
  });

  test("that cannot be noted as used counts as used", async () => {
    const one = states();
    const { text } = await one.mint(what);
    const returned = await verified(one, text);
    writeFileSync(join(path, "keys", "consumed"), "no directory");
    await expect(one.use(returned)).rejects.toMatchObject({ code: expect.stringMatching(/^channel_/) });
    expect(await one.use(returned)).toBe(false);
  });

  test("lives a minute longer than its request, and a month where that waits for ever", () => {
    expect([600, 1, 86_400, 0].map(stateSeconds)).toEqual([660, 61, 86_460, 2_592_000]);
  });
});

const dayMs = 86_400_000;

describe("the life of a state", () => {
  /** Awake time, uptime and wall clock move together until a test moves one of them. */
  function machine() {
    const clock = new FakeClock();
    let asleepMs = 0;
    const uptimeMs = (): number => clock.monotonic() + asleepMs;
    const sleep = (ms: number): void => {
      asleepMs += ms;
      clock.jumpWallClock(ms);
    };
    return { clock, uptimeMs, sleep, boot: "boot" };
  }

  test.each([
    ["is left alone", 0],
    ["is set ahead by an hour", 3_600_000],
    ["is set back by an hour", -3_600_000],
    ["is set ahead by thirty years", 30 * 365 * dayMs],
    ["is set back by thirty years", -30 * 365 * dayMs],
  ])("is its request's and a minute where the wall clock %s, here and elsewhere", async (_how, ms) => {
    const world = machine();
    const one = states(path, world);
    const { text } = await one.mint(what);
    shiftedWallClock().set(ms);
    world.clock.jumpWallClock(ms);
    world.clock.advance(ttlSeconds * 1_000);
    expect(await verified(one, text)).toMatchObject(what);
    expect(await verified(states(path, world), text)).toMatchObject(what);
    world.clock.advance(1);
    await expect(verified(one, text)).rejects.toThrow("expired");
    await expect(verified(states(path, world), text)).rejects.toThrow("expired");
    expect(await verified(one, (await one.mint(what)).text)).toMatchObject(what);
  });

  test("stands still where it was made while the machine sleeps, for a week; elsewhere it ends", async () => {
    const world = machine();
    const one = states(path, world);
    const { text } = await one.mint(what);
    world.sleep(7 * dayMs);
    await expect(verified(states(path, world), text)).rejects.toThrow("expired");
    expect(await verified(one, text)).toMatchObject(what);
    world.sleep(ttlSeconds * 1_000);
    expect(await verified(one, text)).toMatchObject(what);
    world.sleep(1);
    await expect(verified(one, text)).rejects.toThrow("expired");
    expect(await verified(one, (await one.mint(what)).text)).toMatchObject(what);
  });

  test("in another boot goes by the wall clock, and has not begun for one that was set back", async () => {
    const world = machine();
    const { text } = await states(path, world).mint(what);
    const later = { ...world, boot: "next", uptimeMs: () => 0 };
    expect(await verified(states(path, later), text)).toMatchObject(what);
    world.clock.jumpWallClock(-1);
    await expect(verified(states(path, later), text)).rejects.toThrow("expired");
    world.clock.jumpWallClock(ttlSeconds * 1_000 + 1);
    expect(await verified(states(path, later), text)).toMatchObject(what);
    world.clock.jumpWallClock(1);
    await expect(verified(states(path, later), text)).rejects.toThrow("expired");
  });

  test("is never longer than that of the mark by which it is used", async () => {
    const world = machine();
    const one = states(path, world);
    const { text } = await one.mint(what);
    const other = states(path, world);
    expect(await other.use(await verified(other, text))).toBe(true);
    world.sleep(7 * dayMs + ttlSeconds * 1_000);
    const moment = momentsOf(world.clock, world.boot, world.uptimeMs);
    const place = { path, ensureHome: (): string => path, clock: world.clock };
    expect(openConsumedStates({ ...place, moment }).sweep()).toBe(0);
    expect(await one.use(await verified(one, text))).toBe(false);
  });
});

/** Base64url in which the bits that mean nothing are set otherwise. */
function spelledOtherwise(text: string): readonly string[] {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(text.at(-1) ?? "");
  return [1, 2, 3].map((bits) => text.slice(0, -1) + (alphabet[last ^ bits] ?? ""));
}
