import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerContext } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openConsumedStates } from "../../../src/broker/grants/consumed.js";
import { momentsOf } from "../../../src/broker/grants/life.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { createRequestStates, stateSeconds } from "../../../src/server/mcp/request-state.js";
import { tempDirectory } from "../../support/temp-home.js";

const caller = "stdio:c";
const what = { id: "k7q2mx9d", subject: "a".repeat(64), caller, again: 0 };
const ttlSeconds = 660;
/** The codec does not look at it. */
const context = {} as ServerContext;

let path: string;
beforeEach(() => {
  path = join(tempDirectory(), "home");
});
afterEach(() => void vi.useRealTimers());

/** As one process after another opens the states of the home. */
function states(home: string | null = path) {
  if (home === null) return createRequestStates({ clock: systemClock, kept: null, ttlSeconds });
  const ensureHome = (): string => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return home;
  };
  const place = { path: home, ensureHome, clock: systemClock };
  const kept = {
    secret: rootSecretOf(place),
    consumed: openConsumedStates({ ...place, moment: momentsOf(systemClock, "boot") }),
  };
  return createRequestStates({ clock: systemClock, kept, ttlSeconds });
}

type States = ReturnType<typeof states>;
const verified = (one: States, text: string, by = caller) => one.verify(text, by, context);

describe("a state", () => {
  test("comes back as it went out, and is used once, over all processes", async () => {
    const first = states();
    const { text, nonce } = await first.mint(what);
    const second = states();
    const returned = await verified(second, text);
    expect(returned).toEqual({ ...what, nonce, isOwn: false });
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

  test("is refused by another home, to another caller, and when its time is over", async () => {
    const one = states();
    const { text } = await one.mint(what);
    const other = states(join(tempDirectory(), "home"));
    await other.mint(what);
    await expect(verified(other, text)).rejects.toThrow("mac");
    await expect(verified(one, text, "stdio:d")).rejects.toThrow("another caller's");
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: now + (ttlSeconds + 1) * 1_000 });
    await expect(verified(one, text)).rejects.toThrow("expired");
    vi.setSystemTime(now + (ttlSeconds - 1) * 1_000);
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
    const ensureHome = (): string => path;
    const place = { path, ensureHome, clock: systemClock };
    const kept = {
      secret: rootSecretOf(place),
      consumed: openConsumedStates({ ...place, moment: momentsOf(systemClock, "boot") }),
    };
    const one = createRequestStates({ clock: systemClock, kept, ttlSeconds });
    const { text } = await one.mint(what);
    const returned = await verified(one, text);
    expect([await one.use(returned), await one.use(returned)]).toEqual([true, false]);
    await expect(verified(states(), text)).rejects.toThrow();
  });

  test("that cannot be noted as used counts as used", async () => {
    const one = states();
    const { text } = await one.mint(what);
    const returned = await verified(one, text);
    writeFileSync(join(path, "grants"), "no directory");
    await expect(one.use(returned)).rejects.toMatchObject({ code: expect.stringMatching(/^channel_/) });
    expect(await one.use(returned)).toBe(false);
  });

  test("lives a minute longer than its request, and a month where that waits for ever", () => {
    expect([600, 1, 86_400, 0].map(stateSeconds)).toEqual([660, 61, 86_460, 2_592_000]);
  });
});

/** Base64url in which the bits that mean nothing are set otherwise. */
function spelledOtherwise(text: string): readonly string[] {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(text.at(-1) ?? "");
  return [1, 2, 3].map((bits) => text.slice(0, -1) + (alphabet[last ^ bits] ?? ""));
}
