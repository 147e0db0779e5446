import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { probeHardLinks, publish, publishLimitMs } from "../../../src/broker/files/publish.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { type Clock, systemClock } from "../../../src/broker/system/clock.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

test("a published file is whole, private and alone", () => {
  const directory = tempDirectory();
  const text = "x".repeat(300_000);
  expect(publish(directory, "name", text, systemClock)).toBe(true);
  expect(readFileSync(join(directory, "name"), "utf8")).toBe(text);
  expect(statSync(join(directory, "name")).mode & 0o7777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(["name"]);
});

test("a name that is taken is never replaced, whatever takes it", () => {
  const directory = tempDirectory();
  publish(directory, "file", "first", systemClock);
  symlinkSync("/nowhere", join(directory, "link"));
  expect(publish(directory, "file", "second", systemClock)).toBe(false);
  expect(publish(directory, "link", "second", systemClock)).toBe(false);
  expect(readFileSync(join(directory, "file"), "utf8")).toBe("first");
  expect(readdirSync(directory).sort()).toEqual(["file", "link"]);
});

test("a missing directory is channel_unavailable and nothing is left", () => {
  const directory = join(tempDirectory(), "no");
  expect(() => publish(directory, "name", "", systemClock)).toThrow(
    expect.objectContaining({ code: "channel_unavailable" }),
  );
});

test("a publish that took longer than its limit gives up, for a sweeper may have taken its temporary", () => {
  const directory = tempDirectory();
  const clock = new FakeClock();
  expect(() => publish(directory, "name", "text", slowed(clock, publishLimitMs + 1))).toThrow(WispError);
  expect(readdirSync(directory)).toEqual([]);
  expect(publish(directory, "name", "text", clock)).toBe(true);
});

test.each([0o000, 0o777, 0o077, 0o002])("under umask %i a published file has mode 0600", (umask) => {
  const directory = tempDirectory();
  const before = process.umask(umask);
  try {
    expect(publish(directory, "name", "text", systemClock)).toBe(true);
  } finally {
    process.umask(before);
  }
  expect(statSync(join(directory, "name")).mode & 0o7777).toBe(0o600);
});

test("a file system with hard links passes the probe and keeps nothing of it", () => {
  const directory = tempDirectory();
  probeHardLinks(directory, systemClock);
  expect(readdirSync(directory)).toEqual([]);
});

test("a directory that cannot be probed is unavailable, which says nothing of its file system", () => {
  const unavailable = expect.objectContaining({ code: "channel_unavailable" });
  expect(() => probeHardLinks(join(tempDirectory(), "no"), systemClock)).toThrow(unavailable);
  const file = join(tempDirectory(), "file");
  writeFileSync(file, "");
  expect(() => probeHardLinks(file, systemClock)).toThrow(unavailable);
  expect(() => publish(file, "name", "", systemClock)).toThrow(unavailable);
});

/** A clock on which every look at it takes `ms`. */
function slowed(clock: FakeClock, ms: number): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => {
      clock.advance(ms);
      return clock.monotonic();
    },
    after: (delayMs, run) => clock.after(delayMs, run),
    every: (periodMs, run) => clock.every(periodMs, run),
    randomBytes: (size) => clock.randomBytes(size),
  };
}
