import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBannerBurst, type DueNotice } from "../../../src/broker/approval/banner-burst.js";
import { FakeClock } from "../../support/fake-clock.js";

function bursts(clock = new FakeClock()) {
  /** The waits of each banner. */
  const told: (readonly string[])[] = [];
  const notices: DueNotice<string>[] = [];
  const burst = createBannerBurst<string>(clock, (due) => {
    told.push(due.map(({ wait }) => wait));
    notices.push(...due);
  });
  const offer = (...waits: readonly string[]) => {
    for (const wait of waits) burst.offer({ wait, source: "approval" });
  };
  return { clock, told, notices, burst, offer };
}

describe("banners about approvals", () => {
  it("come one by one while they are few", () => {
    const { clock, told, offer } = bursts();
    offer("a", "b", "c", "d", "e");
    expect(told).toEqual([["a"], ["b"], ["c"], ["d"], ["e"]]);
    expect(clock.timers).toBe(0);
  });

  it("of a burst are told together after seconds, and none is dropped", () => {
    const { clock, told, offer } = bursts();
    offer("a", "b", "c", "d", "e", "f", "g", "h");
    expect(told).toHaveLength(5);
    clock.advance(9_999);
    expect(told).toHaveLength(5);
    clock.advance(1);
    expect(told.slice(5)).toEqual([["f", "g", "h"]]);
    expect(clock.timers).toBe(0);
  });

  it("that were held and settled meanwhile are not told, the others are", () => {
    const { clock, told, burst, offer } = bursts();
    offer("a", "b", "c", "d", "e", "f", "g");
    burst.settle("f");
    clock.advance(10_000);
    expect(told.slice(5)).toEqual([["g"]]);
    offer("h", "i");
    burst.settle("h");
    burst.settle("i");
    expect(clock.timers).toBe(0);
    clock.advance(10_000);
    expect(told).toHaveLength(6);
  });

  it("keep what they are about, and one that is held is told once", () => {
    const { clock, notices, burst, offer } = bursts();
    offer("a", "b", "c", "d", "e", "f");
    burst.offer({ wait: "f", source: "reminder" });
    burst.offer({ wait: "a", source: "reminder" });
    clock.advance(10_000);
    expect(notices.slice(5)).toEqual([
      { wait: "f", source: "approval" },
      { wait: "a", source: "reminder" },
    ]);
  });

  it("come one by one again when it was quiet for a while", () => {
    const { clock, told, offer } = bursts();
    offer("a", "b", "c", "d", "e");
    clock.advance(50_000);
    offer("f", "g", "h", "i", "j", "k");
    expect(told.slice(5)).toEqual([["f"], ["g"], ["h"], ["i"], ["j"]]);
  });

  it("do not overtake those that are held, however late the timer is", () => {
    const { clock, told, offer } = bursts();
    offer("a", "b", "c", "d", "e", "f");
    const late = clock.monotonic() + 30_000;
    clock.monotonic = () => late;
    offer("g");
    expect(told).toHaveLength(5);
    clock.advance(10_000);
    expect(told.slice(5)).toEqual([["f", "g"]]);
  });

  it("are not told sooner by a timer that fires early", () => {
    const clock = new EarlyClock();
    const { told, offer } = bursts(clock);
    offer("a", "b", "c", "d", "e", "f");
    clock.advance(9_999);
    expect(told).toHaveLength(5);
    clock.advance(1);
    expect(told.slice(5)).toEqual([["f"]]);
  });

  it("are not let through by somebody who sets the wall clock", () => {
    const { clock, told, offer } = bursts();
    offer("a", "b", "c", "d", "e", "f");
    clock.jumpWallClock(3_600_000);
    offer("g");
    expect(told).toHaveLength(5);
    clock.advance(10_000);
    expect(told.slice(5)).toEqual([["f", "g"]]);
  });
});

/** Its timers fire when half of their time is over. */
class EarlyClock extends FakeClock {
  override after(delayMs: number, run: () => void) {
    return super.after(delayMs / 2, run);
  }
}

it("whatever comes, every wait is told within 10 s or settled before, by at most 5 banners and one each 10 s", () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("offer" as const), many: fc.integer({ min: 1, max: 8 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("settle" as const), which: fc.nat(200) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 0, max: 25_000 }) }),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const clock = new FakeClock();
      const offeredAt: number[] = [];
      const settledAt = new Map<number, number>();
      const toldAt = new Map<number, number>();
      const banners: number[] = [];
      const burst = createBannerBurst<number>(clock, (due) => {
        banners.push(clock.monotonic());
        expect(due.length).toBeGreaterThan(0);
        for (const { wait } of due) {
          expect(toldAt.has(wait)).toBe(false);
          expect(settledAt.has(wait)).toBe(false);
          toldAt.set(wait, clock.monotonic());
        }
      });
      for (const one of steps) {
        if (one.do === "advance") clock.advance(one.ms);
        else if (one.do === "settle") {
          if (one.which < offeredAt.length && !settledAt.has(one.which))
            settledAt.set(one.which, clock.monotonic());
          burst.settle(one.which);
        } else {
          for (let count = 0; count < one.many; count += 1) {
            const wait = offeredAt.length;
            offeredAt.push(clock.monotonic());
            settledAt.delete(wait);
            burst.offer({ wait, source: "approval" });
          }
        }
        expect(clock.timers).toBeLessThanOrEqual(1);
      }
      clock.advance(10_000);
      expect(clock.timers).toBe(0);
      offeredAt.forEach((at, wait) => {
        const told = toldAt.get(wait) ?? settledAt.get(wait);
        expect(told).toBeDefined();
        expect((told ?? 0) - at).toBeLessThanOrEqual(toldAt.has(wait) ? 10_000 : Number.POSITIVE_INFINITY);
      });
      // Any stretch of time holds 5 banners and one more for each 10 s of it.
      banners.forEach((from, first) => {
        banners.slice(first).forEach((to, further) => {
          expect(further + 1).toBeLessThanOrEqual(5 + Math.floor((to - from) / 10_000) + 1);
        });
      });
    }),
    { numRuns: 300 },
  );
});
