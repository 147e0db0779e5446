import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Life, Moment } from "../../../src/broker/grants/grant-store.js";
import { hasEnded, momentsOf, remainingMs, watchLives } from "../../../src/broker/grants/life.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { FakeClock } from "../../support/fake-clock.js";

const hourMs = 3_600_000;

const made: Moment = { boot: "a", uptimeMs: 50 * hourMs, at: 1_790_000_000_000 };
const life: Life = { from: made, forMs: 300_000 };

/** `ms` after `made` in the same boot. */
const later = (ms: number, overrides: Partial<Moment> = {}): Moment => ({
  boot: "a",
  uptimeMs: made.uptimeMs + ms,
  at: made.at + ms,
  ...overrides,
});

describe("what is left of a life", () => {
  it.each<readonly [string, Moment, number | null]>([
    ["at its beginning: all", made, 300_000],
    ["at its last millisecond: nothing, which counts", later(300_000), 0],
    ["after it", later(300_001), null],
    ["with the wall clock an hour ahead: as much as before", later(1_000, { at: made.at + hourMs }), 299_000],
    ["with the wall clock an hour behind: no more", later(300_001, { at: made.at - hourMs }), null],
    ["with an uptime that was earlier", later(-1), null],
    [
      "after another start: by the wall clock",
      { boot: "b", uptimeMs: 60_000, at: made.at + 200_000 },
      100_000,
    ],
    ["after another start, at the last millisecond", { boot: "b", uptimeMs: 0, at: made.at + 300_000 }, 0],
    ["after another start, too late", { boot: "b", uptimeMs: 0, at: made.at + 300_001 }, null],
    ["after another start, before it began", { boot: "b", uptimeMs: 0, at: made.at - 1 }, null],
    [
      "after another start that is longer ago than it lasts",
      { boot: "b", uptimeMs: 300_001, at: made.at + 1 },
      null,
    ],
    [
      "after another start that is longer ago than the clock says",
      { boot: "b", uptimeMs: 250_000, at: made.at + 1 },
      50_000,
    ],
    [
      "where the system does not tell its boots: by the wall clock",
      { boot: "", uptimeMs: made.uptimeMs, at: made.at + 300_001 },
      null,
    ],
  ])("%s", (_what, now, left) => {
    expect(remainingMs(life, now)).toBe(left);
  });

  it("between two boots that are not told is by the wall clock, and no boot is like another", () => {
    const untold = { ...life, from: { ...made, boot: "" } };
    const now = { boot: "", uptimeMs: made.uptimeMs + 400_000, at: made.at + 1_000 };
    expect(remainingMs(untold, now)).toBe(299_000);
    expect(remainingMs(untold, { ...now, at: made.at - 1 })).toBeNull();
  });

  it("within one boot does not depend on the wall clock", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400_000 }), fc.integer(), (ms, jump) => {
        expect(remainingMs(life, later(ms, { at: made.at + jump }))).toBe(remainingMs(life, later(ms)));
      }),
    );
  });

  it("over which nothing is said by a clock that was set back is not ended either", () => {
    const before = { boot: "b", uptimeMs: 0, at: made.at - hourMs };
    expect([remainingMs(life, before), hasEnded(life, before)]).toEqual([null, false]);
    expect([hasEnded(life, later(300_000)), hasEnded(life, later(300_001))]).toEqual([false, true]);
  });
});

describe("a process that watches a life", () => {
  /** After another start, where only the wall clock tells. */
  function watching() {
    const clock = new FakeClock();
    const lives = watchLives(clock, () => ({ boot: "b", uptimeMs: 0, at: clock.now() }));
    const begun: Life = { from: { boot: "a", uptimeMs: 0, at: clock.now() }, forMs: 300_000 };
    return { clock, lives, begun };
  }

  it("sees it end in time, however often the wall clock is set back meanwhile", () => {
    const { clock, lives, begun } = watching();
    clock.advance(100_000);
    expect(lives.isAlive("k7q2mx9d", begun)).toBe(true);
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(60_000);
      clock.jumpWallClock(-60_000);
      expect(lives.isAlive("k7q2mx9d", begun)).toBe(true);
    }
    clock.advance(20_000);
    expect(lives.isAlive("k7q2mx9d", begun)).toBe(true);
    clock.advance(1);
    expect(lives.isAlive("k7q2mx9d", begun)).toBe(false);
    expect(lives.isAlive("zzzzzzzz", begun)).toBe(true);
  });

  it("does not see it begin again", () => {
    const { clock, lives, begun } = watching();
    clock.jumpWallClock(hourMs);
    expect(lives.isAlive("k7q2mx9d", begun)).toBe(false);
    clock.jumpWallClock(-hourMs);
    expect(lives.isAlive("k7q2mx9d", begun)).toBe(false);
  });
});

it("the moment of this machine fits into a file, and its uptime goes forward", () => {
  const moment = momentsOf(systemClock, "a");
  const [first, second] = [moment(), moment()];
  expect(Number.isSafeInteger(first.uptimeMs) && first.uptimeMs > 0).toBe(true);
  expect(second.uptimeMs).toBeGreaterThanOrEqual(first.uptimeMs);
  expect(remainingMs({ from: first, forMs: hourMs }, second)).not.toBeNull();
});
