import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchNames } from "../../../src/broker/facts/watch-names.js";
import type { StartWatch } from "../../../src/broker/files/raw-watch.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { keptFact } from "../../support/facts.js";
import { FactsHome } from "../../support/facts-home.js";
import { FakeClock } from "../../support/fake-clock.js";
import { looksBelow } from "../../support/fs-counter.js";
import { tempDirectory } from "../../support/temp-home.js";

interface Started {
  readonly directory: string;
  readonly event: (name: string | null) => void;
  readonly error: () => void;
  isClosed: boolean;
}

/** Two directories, of which the second is not made; events come when the test says so. */
function trial() {
  const root = tempDirectory();
  const [first, second] = [join(root, "first"), join(root, "second")];
  mkdirSync(first);
  const clock = new FakeClock();
  const started: Started[] = [];
  const fault: { code: string | null } = { code: null };
  const startWatch: StartWatch = (directory, event, error) => {
    if (fault.code !== null) throw Object.assign(new Error(fault.code), { code: fault.code });
    const one = { directory, event, error, isClosed: false };
    started.push(one);
    return { close: () => Object.assign(one, { isClosed: true }) };
  };
  const listen = watchNames([first, second], clock, startWatch);
  let told = 0;
  const start = () => {
    const stop = listen(() => {
      told += 1;
    });
    onTestFinished(stop);
    return stop;
  };
  const since = (): number => {
    const count = told;
    told = 0;
    return count;
  };
  const put = (directory: string, name: string): void => writeFileSync(join(directory, name), "");
  const open = () => started.filter(({ isClosed }) => !isClosed).map(({ directory }) => directory);
  return { root, first, second, clock, started, fault, listen, start, since, put, open };
}

test("an event tells at once of a name that came or went, and of no other", () => {
  const { first, started, start, since, put, clock } = trial();
  put(first, "before");
  start();
  const event = (name: string | null): void => started[0]?.event(name);
  event("before");
  expect(since()).toBe(0);
  put(first, "a.json");
  event("a.json");
  event("a.json");
  expect(since()).toBe(1);
  put(first, ".tmp.0123");
  event(".tmp.0123");
  expect(since()).toBe(0);
  unlinkSync(join(first, "a.json"));
  event(null);
  expect(since()).toBe(1);
  clock.advance(5_000);
  expect(since()).toBe(0);
});

test("what no event tells is noticed within a second; what changed is read once more, for coarse clocks", () => {
  const { first, start, since, put, clock } = trial();
  start();
  clock.advance(5_000);
  const listed = (): number => looksBelow(first, () => clock.advance(1_000)).listed;
  expect(listed()).toBe(0);
  put(first, "a");
  expect([listed(), since()]).toEqual([1, 1]);
  expect([listed(), listed(), since()]).toEqual([1, 0, 0]);
  put(first, "b");
  expect([listed(), since()]).toEqual([1, 1]);
});

test("a directory that is made, removed or replaced later is watched as any other", () => {
  const { root, first, second, start, since, put, clock, open } = trial();
  start();
  expect(open()).toEqual([first]);
  mkdirSync(second);
  clock.advance(1_000);
  expect([open(), since()]).toEqual([[first, second], 0]);
  put(second, "a");
  clock.advance(1_000);
  expect(since()).toBe(1);
  rmSync(second, { recursive: true });
  clock.advance(1_000);
  expect([open(), since()]).toEqual([[first], 1]);
  put(first, "b");
  clock.advance(1_000);
  expect(since()).toBe(1);
  mkdirSync(join(root, "other"));
  renameSync(first, join(root, "away"));
  renameSync(join(root, "other"), first);
  clock.advance(1_000);
  expect([open(), since()]).toEqual([[first], 1]);
});

test("without a watch to be had the timer tells, and a watch is tried for again", () => {
  const { first, fault, start, since, put, clock, open, started } = trial();
  fault.code = "EMFILE";
  start();
  put(first, "a");
  clock.advance(1_000);
  expect([open(), since()]).toEqual([[], 1]);
  fault.code = null;
  clock.advance(1_000);
  expect([open(), since()]).toEqual([[first], 0]);
  started[0]?.error();
  expect(open()).toEqual([]);
  put(first, "b");
  clock.advance(1_000);
  expect([open(), since()]).toEqual([[first], 1]);
});

test("nothing is watched or looked at while nobody listens", () => {
  const { first, root, start, since, put, clock, open, listen } = trial();
  const looks = (run: () => void) => looksBelow(root, run);
  const none = { opened: 0, asked: 0, listed: 0 };
  expect(looks(() => clock.advance(5_000))).toEqual(none);
  const [stop, other] = [start(), listen(() => {})];
  expect(clock.timers).toBe(1);
  stop();
  stop();
  expect([open(), clock.timers]).toEqual([[first], 1]);
  other();
  expect([open(), clock.timers]).toEqual([[], 0]);
  put(first, "a");
  expect(looks(() => clock.advance(5_000))).toEqual(none);
  start();
  clock.advance(5_000);
  // It came while nobody listened.
  expect(since()).toBe(0);
  put(first, "b");
  clock.advance(1_000);
  expect(since()).toBe(1);
});

test("who stops others while being told is obeyed, and a listener that is handed in twice is told twice", () => {
  const { first, listen, put, clock } = trial();
  const told: string[] = [];
  const stops: (() => void)[] = [];
  const one = (): void => void told.push("one");
  stops.push(
    listen(() => {
      told.push("stops");
      stops[1]?.();
    }),
    listen(() => told.push("stopped")),
    listen(one),
    listen(one),
  );
  put(first, "a");
  clock.advance(1_000);
  expect(told).toEqual(["stops", "one", "one"]);
  for (const stop of stops) stop();
  expect(clock.timers).toBe(0);
});

test("a real watch tells of what another process keeps; its timer keeps no process alive", async () => {
  const home = new FactsHome(join(tempDirectory(), "home"));
  await home.open().keep(keptFact());
  let told = 0;
  const timers: boolean[] = [];
  const clock = {
    ...systemClock,
    // Events alone, so that the timer cannot tell.
    every: (_ms: number, _run: () => void, isHolding = false) => {
      timers.push(isHolding);
      return { cancel: () => {} };
    },
  };
  const stop = home.open({ clock }).changes(() => {
    told += 1;
  });
  onTestFinished(stop);
  await home.open().keep(keptFact());
  await expect.poll(() => told, { timeout: 10_000 }).toBe(1);
  expect(timers).toEqual([false]);
});
