import { mkdirSync, rmdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DirectoryWatch, type WatchListener } from "../../../src/broker/channel/watch.js";
import type { StartWatch } from "../../../src/broker/files/raw-watch.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

/** A watch in the hands of the test: it delivers what the test says, and its own probe only when told to. */
class FakeWatch {
  starts = 0;
  closed = 0;
  failWith: Error | null = null;
  #onEvent: (name: string | null) => void = () => {};
  #onError: () => void = () => {};

  readonly start: StartWatch = (_directory, onEvent, onError) => {
    if (this.failWith !== null) throw this.failWith;
    this.starts += 1;
    this.#onEvent = onEvent;
    this.#onError = onError;
    return {
      close: () => {
        this.closed += 1;
      },
    };
  };

  event(name: string | null): void {
    this.#onEvent(name);
  }

  error(): void {
    this.#onError();
  }
}

interface Trial {
  readonly watch: DirectoryWatch;
  readonly fake: FakeWatch;
  readonly clock: FakeClock;
  readonly directory: string;
  readonly seen: string[];
  /** Lets the probe that was sent last come back. */
  answerProbe(): void;
}

function trial(): Trial {
  const directory = join(tempDirectory(), "pending");
  mkdirSync(directory, { mode: 0o700 });
  const clock = new FakeClock();
  const probes: string[] = [];
  const recording = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms: number, run: () => void) => clock.after(ms, run),
    every: (ms: number, run: () => void) => clock.every(ms, run),
    randomBytes: (size: number) => {
      const bytes = clock.randomBytes(size);
      probes.push(`.tmp.${Buffer.from(bytes).toString("hex")}`);
      return bytes;
    },
  };
  const fake = new FakeWatch();
  const seen: string[] = [];
  const watch = new DirectoryWatch({
    directory,
    clock: recording,
    isSafe: () => true,
    isHolding: false,
    startWatch: fake.start,
    listener: recordInto(seen),
  });
  onTestFinished(() => watch.stop());
  return { watch, fake, clock, directory, seen, answerProbe: () => fake.event(probes.at(-1) ?? null) };
}

function recordInto(seen: string[]): WatchListener {
  return {
    onName: (name) => seen.push(name),
    onRescan: () => seen.push("<rescan>"),
    onRemoved: () => seen.push("<removed>"),
    onTick: () => {},
  };
}

/** Makes the directory look untouched for a long time, so that only what a test does counts as a change. */
function age(directory: string): void {
  utimesSync(directory, 1_000, 1_000);
}

test("a file linked into a watched directory is told by its name, its temporary is not", async () => {
  const directory = tempDirectory();
  let heard = (_name: string): void => {};
  const told = new Promise<string>((resolve) => {
    heard = resolve;
  });
  const watch = new DirectoryWatch({
    directory,
    clock: systemClock,
    isSafe: () => true,
    isHolding: true,
    listener: { ...recordInto([]), onName: (name) => heard(name) },
  });
  onTestFinished(() => watch.stop());
  watch.resume();
  writeFileSync(join(directory, ".tmp.x"), "");
  writeFileSync(join(directory, "abcdefgh.answer.json"), "");
  expect(await told).toBe("abcdefgh.answer.json");
  expect([watch.mode, watch.rearms]).toEqual(["watch", 0]);
});

test("an event that was lost is made good within a second by the directory's own time", () => {
  const { watch, clock, directory, seen, answerProbe } = trial();
  watch.resume();
  answerProbe();
  age(directory);
  clock.advance(1_000);
  seen.length = 0;
  clock.advance(5_000);
  expect(seen).toEqual([]);
  writeFileSync(join(directory, "x"), "");
  clock.advance(1_000);
  expect(seen).toEqual(["<rescan>"]);
  expect(watch.mode).toBe("watch");
});

test("a watch that cannot be had falls back to polling: every 50 ms at first, every 200 ms later", () => {
  const { watch, fake, clock, seen, directory } = trial();
  fake.failWith = Object.assign(new Error("too many"), { code: "EMFILE" });
  watch.resume();
  expect(watch.mode).toBe("poll");
  // The file's real time lies ahead of the fake clock, so that every look finds the directory changed.
  writeFileSync(join(directory, "x"), "");
  seen.length = 0;
  clock.advance(1_000);
  expect(seen).toHaveLength(20);
  clock.advance(29_000);
  seen.length = 0;
  clock.advance(1_000);
  expect(seen).toHaveLength(5);
});

test("a watch that delivers nothing is found out by its probe within 250 ms", () => {
  const { watch, clock } = trial();
  watch.resume();
  expect(watch.mode).toBe("watch");
  clock.advance(250);
  expect(watch.mode).toBe("poll");
});

test("a healthy watch is taken back at the next probe, 30 s later", () => {
  const { watch, fake, clock, answerProbe } = trial();
  watch.resume();
  clock.advance(250);
  expect([watch.mode, fake.starts]).toEqual(["poll", 1]);
  clock.advance(29_800);
  expect(fake.starts).toBe(2);
  answerProbe();
  expect([watch.mode, watch.rearms]).toEqual(["watch", 0]);
});

test("a watch that reports an error falls back to polling", () => {
  const { watch, fake, answerProbe } = trial();
  watch.resume();
  answerProbe();
  fake.error();
  expect(watch.mode).toBe("poll");
});

test("a directory that was replaced is watched anew and read again, also when its inode number is the same", () => {
  const { watch, fake, clock, directory, seen, answerProbe } = trial();
  watch.resume();
  answerProbe();
  for (let round = 1; round <= 6; round += 1) {
    rmdirSync(directory);
    mkdirSync(directory, { mode: 0o700 });
    seen.length = 0;
    clock.advance(1_000);
    answerProbe();
    expect(seen[0]).toBe("<rescan>");
    expect([watch.rearms, watch.mode, fake.starts]).toEqual([round, "watch", round + 1]);
  }
});

test("a directory that is gone is told once, and its successor is watched", () => {
  const { watch, clock, directory, seen, answerProbe } = trial();
  watch.resume();
  answerProbe();
  rmSync(directory, { recursive: true });
  clock.advance(3_000);
  expect(seen.filter((what) => what === "<removed>")).toEqual(["<removed>"]);
  mkdirSync(directory, { mode: 0o700 });
  seen.length = 0;
  clock.advance(1_000);
  answerProbe();
  expect(seen).toEqual(["<rescan>"]);
  expect([watch.mode, watch.rearms]).toEqual(["watch", 1]);
});

test("an event that names the directory itself makes it look at once", () => {
  const { watch, fake, directory, seen, answerProbe } = trial();
  watch.resume();
  answerProbe();
  rmSync(directory, { recursive: true });
  fake.event("pending");
  expect(seen).toEqual(["<removed>"]);
});

test("a paused watch holds no timer, and notices at once on resuming that the directory was replaced", () => {
  const { watch, clock, directory, seen, answerProbe } = trial();
  watch.resume();
  answerProbe();
  watch.pause();
  expect(clock.timers).toBe(0);
  rmdirSync(directory);
  mkdirSync(directory, { mode: 0o700 });
  watch.resume();
  expect(watch.rearms).toBe(1);
  expect(seen).toEqual(["<rescan>"]);
});

test("one timer serves however much waits", () => {
  const { watch, clock, answerProbe } = trial();
  for (let waiting = 0; waiting < 100; waiting += 1) watch.resume();
  answerProbe();
  expect(clock.timers).toBe(1);
});
