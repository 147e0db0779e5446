import fc from "fast-check";
import { expect, it } from "vitest";
import { createDeadlines } from "../../../src/broker/approval/deadlines.js";
import { FakeClock } from "../../support/fake-clock.js";

function deadlines(lengthMs: number | null = 1_000) {
  const clock = new FakeClock();
  const due: string[] = [];
  return { clock, due, deadlines: createDeadlines<string>(clock, lengthMs, (wait) => due.push(wait)) };
}

it("ends each wait when its own time is over", () => {
  const { clock, due, deadlines: waits } = deadlines();
  waits.add("a");
  clock.advance(400);
  waits.add("b");
  clock.advance(599);
  expect(due).toEqual([]);
  clock.advance(1);
  expect(due).toEqual(["a"]);
  clock.advance(400);
  expect(due).toEqual(["a", "b"]);
  expect(clock.timers).toBe(0);
});

it("ends no wait that was removed, and keeps no timer for nothing", () => {
  const { clock, due, deadlines: waits } = deadlines();
  waits.add("a");
  waits.add("b");
  waits.remove("a");
  expect(clock.timers).toBe(1);
  waits.remove("b");
  expect(clock.timers).toBe(0);
  waits.add("c");
  clock.advance(1_000);
  expect(due).toEqual(["c"]);
});

it("waits for ever without a length", () => {
  const { clock, due, deadlines: waits } = deadlines(null);
  waits.add("a");
  expect(clock.timers).toBe(0);
  clock.advance(1e9);
  expect(due).toEqual([]);
});

it("does not notice that somebody sets the wall clock", () => {
  const { clock, due, deadlines: waits } = deadlines();
  waits.add("a");
  clock.jumpWallClock(86_400_000);
  clock.advance(999);
  expect(due).toEqual([]);
  clock.jumpWallClock(-172_800_000);
  clock.advance(1);
  expect(due).toEqual(["a"]);
});

it("waits on when the timer fires early", () => {
  const clock = new FakeClock();
  const due: string[] = [];
  const early = Object.assign(Object.create(clock), {
    after: (delayMs: number, run: () => void) => clock.after(delayMs / 2, run),
    monotonic: () => clock.monotonic(),
  }) as FakeClock;
  const waits = createDeadlines<string>(early, 1_000, (wait) => due.push(wait));
  waits.add("a");
  clock.advance(999);
  expect(due).toEqual([]);
  clock.advance(1);
  expect(due).toEqual(["a"]);
});

it("still ends the others when ending one throws", () => {
  const clock = new FakeClock();
  const due: string[] = [];
  const waits = createDeadlines<string>(clock, 1_000, (wait) => {
    due.push(wait);
    if (wait === "a") throw new Error("broken");
  });
  waits.add("a");
  waits.add("b");
  expect(() => clock.advance(1_000)).toThrow("broken");
  clock.advance(0);
  expect(due).toEqual(["a", "b"]);
});

it("ends every wait exactly once and on time, with never more than one timer", () => {
  const step = fc.oneof(
    fc.record({ add: fc.nat(9) }),
    fc.record({ remove: fc.nat(9) }),
    fc.record({ pass: fc.nat(700) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, due, deadlines: waits } = deadlines();
      const expected: string[] = [];
      let model = new Map<string, number>();
      let serial = 0;
      const names = new Map<number, string>();
      for (const one of steps) {
        if ("add" in one) {
          const name = `${one.add}/${serial}`;
          serial += 1;
          names.set(one.add, name);
          model.set(name, clock.monotonic() + 1_000);
          waits.add(name);
        } else if ("remove" in one) {
          const name = names.get(one.remove) ?? "never added";
          model.delete(name);
          waits.remove(name);
        } else {
          clock.advance(one.pass);
          const late = [...model].filter(([, at]) => at <= clock.monotonic());
          expected.push(...late.map(([name]) => name));
          model = new Map([...model].filter(([, at]) => at > clock.monotonic()));
        }
        expect(clock.timers).toBe(model.size === 0 ? 0 : 1);
      }
      expect(due).toEqual(expected);
    }),
  );
});
