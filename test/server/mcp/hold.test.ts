import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHolds, type HoldFacts, holdSecondsOf, repeatSecondsOf } from "../../../src/server/mcp/hold.js";
import { FakeClock } from "../../support/fake-clock.js";

const measured: HoldFacts = {
  flag: null,
  settings: { timeoutSeconds: 600 },
  client: { holdSeconds: "auto", hold: { beating: null, silent: 55 } },
  peer: { progressToken: null },
};
const beating = { peer: { progressToken: 0 } };
const byConfig = (holdSeconds: number, timeoutSeconds = 600) => ({
  settings: { timeoutSeconds },
  client: { ...measured.client, holdSeconds },
});

describe("how long a call is held", () => {
  test.each<[what: string, overrides: Partial<HoldFacts>, seconds: number | null]>([
    ["is what was measured of its client", {}, 55],
    ["is what was measured with signs of life, where it gets them", beating, null],
    ["is what the command line says, before that", { flag: 20 }, 20],
    ["may be nothing by the command line", { flag: 0, ...beating }, 0],
    ["is what the person configured, before all", { flag: 20, ...byConfig(70) }, 70],
    ["may be nothing by configuration", byConfig(0), 0],
    ["is no longer than the request waits", { flag: 600 }, null],
    ["is no longer than a shorter request waits", byConfig(30, 30), null],
    ["may be a second less than that", byConfig(29, 30), 29],
    ["has its own end where the request waits for ever", { ...byConfig(86_400, 0) }, 86_400],
  ])("%s", (_what, overrides, seconds) => {
    expect(holdSecondsOf({ ...measured, ...overrides })).toBe(seconds);
  });

  test("is how often it is worth repeating, but nobody is asked to poll faster than every 30 s", () => {
    expect([null, 0, 29, 30, 31, 280].map(repeatSecondsOf)).toEqual([30, 30, 30, 30, 31, 280]);
  });
});

describe("holds", () => {
  test("end in time and once each, in the order in which they are due, with one timer for all", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("start" as const), ms: fc.constantFrom(0, 45, 55, 280) }),
      fc.record({ do: fc.constant("stop" as const), which: fc.nat() }),
      fc.record({ do: fc.constant("pass" as const), ms: fc.nat({ max: 60 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const clock = new FakeClock();
        const holds = createHolds(clock);
        const open = new Map<number, { readonly at: number; readonly stop: () => void }>();
        const ended: number[] = [];
        let next = 0;
        for (const one of steps) {
          if (one.do === "start") {
            const number = next;
            next += 1;
            const at = clock.monotonic() + one.ms;
            const stop = holds.start(one.ms, () => {
              expect(clock.monotonic()).toBe(at);
              ended.push(number);
            });
            open.set(number, { at, stop });
          } else if (one.do === "stop") {
            const [number = -1, hold] = [...open][one.which % Math.max(1, open.size)] ?? [];
            hold?.stop();
            open.delete(number);
          } else {
            clock.advance(one.ms);
            const due = [...open].filter(([, { at }]) => at <= clock.monotonic());
            expect(ended.splice(0).toSorted()).toEqual(due.map(([number]) => number).toSorted());
            for (const [number] of due) open.delete(number);
          }
          expect(clock.timers).toBe(open.size === 0 ? 0 : 1);
        }
        for (const { stop } of open.values()) stop();
        expect(clock.timers).toBe(0);
      }),
    );
  });

  test("go on after one whose end throws", () => {
    const clock = new FakeClock();
    const holds = createHolds(clock);
    const ended: string[] = [];
    holds.start(1, () => {
      throw new Error("mine");
    });
    holds.start(1, () => void ended.push("second"));
    holds.start(2, () => void ended.push("third"));
    expect(() => clock.advance(1)).toThrow("mine");
    clock.advance(1);
    expect(ended).toEqual(["second", "third"]);
  });
});
