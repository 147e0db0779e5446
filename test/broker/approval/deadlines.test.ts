import fc from "fast-check";
import { expect, it } from "vitest";
import { createDeadlines } from "../../../src/broker/approval/deadlines.js";
import { FakeClock } from "../../support/fake-clock.js";

function deadlines() {
  const clock = new FakeClock();
  const due: string[] = [];
  return { clock, due, deadlines: createDeadlines<string>(clock, (wait) => due.push(wait)) };
}

it("ends each wait when its own time is over", () => {
  const { clock, due, deadlines: waits } = deadlines();
  waits.add("a", 1_000);
  clock.advance(400);
  waits.add("b", 1_000);
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
  waits.add("a", 1_000);
  waits.add("b", 1_000);
  waits.remove("a");
  expect(clock.timers).toBe(1);
  waits.remove("b");
  expect(clock.timers).toBe(0);
  waits.add("c", 1_000);
  clock.advance(1_000);
  expect(due).toEqual(["c"]);
});

it("ends first what is due first, however long each was to wait when it began", () => {
  const { clock, due, deadlines: waits } = deadlines();
  waits.add("long", 1_000);
  waits.add("short", 100);
  waits.add("longer", 5_000);
  expect([waits.dueAt("long"), waits.dueAt("short")]).toEqual([
    clock.monotonic() + 1_000,
    clock.monotonic() + 100,
  ]);
  clock.advance(100);
  expect(due).toEqual(["short"]);
  clock.advance(900);
  expect(due).toEqual(["short", "long"]);
  expect(clock.timers).toBe(1);
  waits.remove("longer");
  expect(clock.timers).toBe(0);
});

it("waits for ever without a length", () => {
  const { clock, due, deadlines: waits } = deadlines();
  waits.add("a", null);
  expect(clock.timers).toBe(0);
  clock.advance(1e9);
  expect(due).toEqual([]);
});

it("does not notice that somebody sets the wall clock", () => {
  const { clock, due, deadlines: waits } = deadlines();
  waits.add("a", 1_000);
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
  const waits = createDeadlines<string>(early, (wait) => due.push(wait));
  waits.add("a", 1_000);
  clock.advance(999);
  expect(due).toEqual([]);
  clock.advance(1);
  expect(due).toEqual(["a"]);
});

it("still ends the others when ending one throws", () => {
  const clock = new FakeClock();
  const due: string[] = [];
  const waits = createDeadlines<string>(clock, (wait) => {
    due.push(wait);
    if (wait === "a") throw new Error("broken");
  });
  waits.add("a", 1_000);
  waits.add("b", 1_000);
  expect(() => clock.advance(1_000)).toThrow("broken");
  clock.advance(0);
  expect(due).toEqual(["a", "b"]);
});

it("ends every wait exactly once and on time, with never more than one timer", () => {
  const step = fc.oneof(
    fc.record({ add: fc.nat(9), ms: fc.constantFrom(null, 300, 999, 1_000) }),
    fc.record({ remove: fc.nat(9) }),
    fc.record({ pass: fc.nat(700) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, due, deadlines: waits } = deadlines();
      let model = new Map<string, number>();
      let serial = 0;
      const names = new Map<number, string>();
      for (const one of steps) {
        if ("add" in one) {
          const name = `${one.add}/${serial}`;
          serial += 1;
          names.set(one.add, name);
          if (one.ms !== null) model.set(name, clock.monotonic() + one.ms);
          waits.add(name, one.ms);
        } else if ("remove" in one) {
          const name = names.get(one.remove) ?? "never added";
          model.delete(name);
          waits.remove(name);
        } else {
          clock.advance(one.pass);
          const late = [...model].filter(([, at]) => at <= clock.monotonic());
          expect(due.splice(0).map((name) => model.get(name))).toEqual(
            late.map(([, at]) => at).toSorted((first, second) => first - second),
          );
          model = new Map([...model].filter(([, at]) => at > clock.monotonic()));
        }
        expect(clock.timers).toBe(model.size === 0 ? 0 : 1);
      }
      expect(due).toEqual([]);
    }),
  );
});
