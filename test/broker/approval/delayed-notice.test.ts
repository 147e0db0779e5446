import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDelayedNotice, type NoticeTiming } from "../../../src/broker/approval/delayed-notice.js";
import { FakeClock } from "../../support/fake-clock.js";

function notices(timing: Partial<NoticeTiming> = {}, clock = new FakeClock()) {
  const startedAt = clock.monotonic();
  /** What was announced, with the seconds since the start. */
  const told: string[] = [];
  const tell = (what: string) => (wait: string) =>
    told.push(`${what} ${wait} ${(clock.monotonic() - startedAt) / 1_000}`);
  const notice = createDelayedNotice<string>(
    clock,
    { delayMs: 10_000, timeoutMs: 600_000, againMs: 600_000, ...timing },
    { onPost: tell("post"), onRemind: tell("remind") },
  );
  return { clock, told, notice };
}

describe("a wait", () => {
  it("is posted after the delay, and once more half-way to its end", () => {
    const { clock, told, notice } = notices();
    notice.add("a");
    clock.advance(9_999);
    expect(told).toEqual([]);
    clock.advance(1);
    expect(told).toEqual(["post a 10"]);
    clock.advance(289_999);
    expect(told).toEqual(["post a 10"]);
    clock.advance(1);
    expect(told).toEqual(["post a 10", "remind a 300"]);
    clock.advance(1e9);
    expect(told).toHaveLength(2);
    expect(clock.timers).toBe(0);
    expect(notice.settle("a")).toBe("posted");
  });

  it("that was settled within the delay posts nothing, and another one still does", () => {
    const { clock, told, notice } = notices();
    notice.add("a");
    notice.add("b");
    clock.advance(9_999);
    expect(notice.settle("a")).toBe("skipped");
    clock.advance(1);
    expect(told).toEqual(["post b 10"]);
    expect(notice.settle("b")).toBe("posted");
    notice.add("c");
    expect(clock.timers).toBe(1);
    expect(notice.settle("c")).toBe("skipped");
    expect(clock.timers).toBe(0);
  });

  it("that begins while another one was told already is told in time", () => {
    const { clock, told, notice } = notices();
    notice.add("a");
    clock.advance(20_000);
    notice.add("b");
    clock.advance(10_000);
    expect(told).toEqual(["post a 10", "post b 30"]);
    clock.advance(290_000);
    expect(told.slice(2)).toEqual(["remind a 300", "remind b 320"]);
  });

  it("that was settled after its banner is not announced again", () => {
    const { clock, told, notice } = notices();
    notice.add("a");
    clock.advance(10_000);
    expect(notice.settle("a")).toBe("posted");
    expect(clock.timers).toBe(0);
    clock.advance(600_000);
    expect(told).toEqual(["post a 10"]);
  });

  it("is posted at once when nothing else asks, and not again by the alarm", () => {
    const { clock, told, notice } = notices();
    notice.add("a");
    clock.advance(3_000);
    notice.postNow("a");
    notice.postNow("a");
    clock.advance(100_000);
    notice.postNow("a");
    expect(told).toEqual(["post a 3"]);
  });

  it("is posted at once without a delay", () => {
    const { clock, told, notice } = notices({ delayMs: 0 });
    notice.add("a");
    expect(told).toEqual(["post a 0"]);
    clock.advance(300_000);
    expect(told).toEqual(["post a 0", "remind a 300"]);
  });

  it("that was settled is not posted at once either, and neither is one that never began", () => {
    const { told, notice } = notices();
    notice.add("a");
    notice.settle("a");
    notice.postNow("a");
    notice.postNow("never");
    expect(notice.settle("a")).toBe("skipped");
    expect(notice.settle("never")).toBe("skipped");
    expect(told).toEqual([]);
    notice.add("b");
    notice.postNow("b");
    expect(told).toEqual(["post b 0"]);
  });

  it("that begins twice is one wait, and keeps its first alarm", () => {
    const { clock, told, notice } = notices();
    notice.add("a");
    clock.advance(6_000);
    notice.add("a");
    clock.advance(20_000);
    expect(told).toEqual(["post a 10"]);
  });

  it("without an end is posted and never announced again", () => {
    const { clock, told, notice } = notices({ timeoutMs: null });
    notice.add("a");
    clock.advance(1e9);
    expect(told).toEqual(["post a 10"]);
    expect(clock.timers).toBe(0);
  });

  it("that is posted only after half of its time is not announced again", () => {
    const { clock, told, notice } = notices({ delayMs: 400_000 });
    notice.add("a");
    clock.advance(600_000);
    expect(told).toEqual(["post a 400"]);
    notice.add("b");
    clock.advance(300_000);
    notice.postNow("b");
    clock.advance(300_000);
    expect(told).toEqual(["post a 400", "post b 900"]);
  });
});

describe("a wait of which a person knows already", () => {
  it("is announced once more half-way to its end, and not before, whatever happens to its dialog", () => {
    const { clock, told, notice } = notices();
    notice.addTold("a");
    notice.addTold("a");
    notice.postNow("a");
    notice.add("a");
    clock.advance(299_999);
    expect(told).toEqual([]);
    clock.advance(1e9);
    expect(told).toEqual(["remind a 300"]);
    expect(clock.timers).toBe(0);
  });

  it("is announced once more although it has no end, or one that is far away", () => {
    for (const timeoutMs of [null, 86_400_000]) {
      const { clock, told, notice } = notices({ timeoutMs });
      notice.addTold("a");
      clock.advance(600_000);
      expect(told).toEqual(["remind a 600"]);
    }
  });

  it("leaves a dialog alone for its time", () => {
    const { clock, told, notice } = notices({ delayMs: 400_000 });
    notice.addTold("a");
    clock.advance(600_000);
    expect(told).toEqual(["remind a 400"]);
  });

  it("is not announced when it was settled", () => {
    const { clock, told, notice } = notices();
    notice.addTold("a");
    notice.addTold("b");
    notice.settle("a");
    clock.advance(300_000);
    expect(told).toEqual(["remind b 300"]);
    notice.settle("b");
    expect(clock.timers).toBe(0);
  });
});

describe("time", () => {
  it("that somebody sets on the wall clock posts nothing", () => {
    const { clock, told, notice } = notices();
    notice.add("a");
    clock.jumpWallClock(3_600_000);
    clock.advance(9_999);
    expect(told).toEqual([]);
    clock.jumpWallClock(-7_200_000);
    clock.advance(1);
    expect(told).toEqual(["post a 10"]);
  });

  it("that a timer runs ahead of posts nothing yet", () => {
    const { clock, told, notice } = notices({}, new EarlyClock());
    notice.add("a");
    clock.advance(9_999);
    expect(told).toEqual([]);
    clock.advance(1);
    expect(told).toEqual(["post a 10"]);
  });

  it("in which the process slept gives one banner, not two at once", () => {
    const clock = new FakeClock();
    const { told, notice } = notices({}, clock);
    notice.add("a");
    const awake = clock.monotonic() + 400_000;
    clock.monotonic = () => awake;
    clock.advance(10_000);
    expect(told).toEqual(["post a 400"]);
    clock.advance(1_000_000);
    expect(told).toHaveLength(1);
  });
});

/** Its timers fire when half of their time is over. */
class EarlyClock extends FakeClock {
  override after(delayMs: number, run: () => void) {
    return super.after(delayMs / 2, run);
  }
}

it("a banner that cannot be made keeps no other from being posted", () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const onPost = (wait: string): void => {
    told.push(wait);
    if (wait === "a") throw new Error("broken");
  };
  const timing = { delayMs: 1_000, timeoutMs: null, againMs: 10_000 };
  const notice = createDelayedNotice<string>(clock, timing, { onPost, onRemind: () => {} });
  notice.add("a");
  notice.add("b");
  expect(() => clock.advance(1_000)).toThrow("broken");
  clock.advance(0);
  expect(told).toEqual(["a", "b"]);
});

it("a wait may be settled, and others begun, while it is being posted", () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const notice = createDelayedNotice<string>(
    clock,
    { delayMs: 1_000, timeoutMs: 4_000, againMs: 10_000 },
    {
      onPost(wait) {
        told.push(`post ${wait}`);
        notice.settle(wait);
        if (wait === "a") notice.add("b");
      },
      onRemind: (wait) => told.push(`remind ${wait}`),
    },
  );
  notice.add("a");
  clock.advance(10_000);
  expect(told).toEqual(["post a", "post b"]);
  expect(clock.timers).toBe(0);
});

it("whatever the order of time, immediate posts and settling, each wait is told as the rules say, by one timer", () => {
  const names = fc.constantFrom("a", "b", "c", "d");
  const step = fc.oneof(
    fc.record({
      do: fc.constantFrom("add" as const, "addTold" as const, "postNow" as const, "settle" as const),
      wait: names,
    }),
    fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 0, max: 700 }) }),
  );
  const timings = fc.record({
    delayMs: fc.constantFrom(0, 1, 100, 499, 500, 501, 900),
    timeoutMs: fc.constantFrom(null, 1_000, 3),
    againMs: fc.constantFrom(2, 300, 800),
  });
  fc.assert(
    fc.property(timings, fc.array(step, { maxLength: 50 }), (timing, steps) => {
      const clock = new FakeClock();
      const told: { readonly what: string; readonly wait: string; readonly at: number }[] = [];
      const tell = (what: string) => (wait: string) => void told.push({ what, wait, at: clock.monotonic() });
      const notice = createDelayedNotice<string>(clock, timing, {
        onPost: tell("post"),
        onRemind: tell("remind"),
      });
      /** One life of a wait; the same name may wait again later. */
      interface Life {
        readonly name: string;
        readonly isTold: boolean;
        readonly begunAt: number;
        nowAt: number;
        endedAt: number;
      }
      const lives: Life[] = [];
      const living = (name: string) =>
        lives.find((life) => life.name === name && life.endedAt === Number.POSITIVE_INFINITY);
      let serial = 0;
      const current = new Map<string, string>();
      for (const one of steps) {
        if (one.do === "advance") clock.advance(one.ms);
        else {
          const name = current.get(one.wait) ?? `${one.wait}0`;
          if (one.do === "add" || one.do === "addTold") {
            const isTold = one.do === "addTold";
            if (living(name) === undefined) {
              const never = Number.POSITIVE_INFINITY;
              lives.push({ name, isTold, begunAt: clock.monotonic(), nowAt: never, endedAt: never });
              current.set(one.wait, name);
            }
            if (isTold) notice.addTold(name);
            else notice.add(name);
          } else if (one.do === "postNow") {
            const life = living(name);
            if (life !== undefined) life.nowAt = Math.min(life.nowAt, clock.monotonic());
            notice.postNow(name);
          } else {
            const life = living(name);
            const wasPosted = told.some(({ what, wait }) => what === "post" && wait === name) || life?.isTold;
            expect(notice.settle(name)).toBe(life !== undefined && wasPosted ? "posted" : "skipped");
            if (life !== undefined) life.endedAt = clock.monotonic();
            serial += 1;
            current.set(one.wait, `${one.wait}${serial}`);
          }
        }
        expect(clock.timers).toBeLessThanOrEqual(1);
      }
      const expected = lives.flatMap(({ name, isTold, begunAt, nowAt, endedAt }) => {
        const { timeoutMs, againMs, delayMs } = timing;
        if (isTold) {
          const untilMs = Math.max(delayMs, Math.min(againMs, timeoutMs === null ? againMs : timeoutMs / 2));
          const at = begunAt + untilMs;
          return at <= clock.monotonic() && at <= endedAt ? [{ what: "remind", wait: name, at }] : [];
        }
        const postAt = Math.min(begunAt + delayMs, nowAt);
        // At the very instant of settling, what had already fallen due was told when time moved there.
        if (postAt > clock.monotonic() || postAt > endedAt) return [];
        const halfAt = timeoutMs === null ? Number.POSITIVE_INFINITY : begunAt + timeoutMs / 2;
        const posted = { what: "post", wait: name, at: postAt };
        const isReminded = postAt < halfAt && halfAt <= clock.monotonic() && halfAt <= endedAt;
        return isReminded ? [posted, { what: "remind", wait: name, at: halfAt }] : [posted];
      });
      const inOrder = (list: typeof told) => list.map((one) => `${one.at} ${one.what} ${one.wait}`).sort();
      expect(inOrder(told)).toEqual(inOrder(expected));
    }),
    { numRuns: 500 },
  );
});
