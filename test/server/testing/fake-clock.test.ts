/** The clock that authors get for their tests. */
import { expect, it } from "vitest";
import { fakeClock } from "../../../src/server/testing/fake-clock.js";

it("lets long waits pass only when it is told, in the order in which they fall due", () => {
  const clock = fakeClock();
  const ran: string[] = [];
  clock.after(5_000, () => ran.push("five"));
  clock.after(2_000, () => ran.push("two"));
  clock.every(3_000, () => ran.push("three"));
  clock.after(4_000, () => ran.push("never")).cancel();
  expect(ran).toEqual([]);
  clock.advance(1_999);
  expect(ran).toEqual([]);
  clock.advance(4_001);
  expect(ran).toEqual(["two", "three", "five", "three"]);
  expect(clock.monotonic()).toBe(6_000);
});

it("runs at its own time what falls due, and what that starts", () => {
  const clock = fakeClock();
  const at: number[] = [];
  clock.after(1_000, () => {
    at.push(clock.monotonic());
    clock.after(1_000, () => at.push(clock.monotonic()));
  });
  clock.advance(2_500);
  expect(at).toEqual([1_000, 2_000]);
});

it("repeats until it is cancelled, also from within", () => {
  const clock = fakeClock();
  let runs = 0;
  const timer = clock.every(1_000, () => {
    runs += 1;
    if (runs === 3) timer.cancel();
  });
  clock.advance(10_000);
  expect(runs).toBe(3);
});

it("lets short waits pass by themselves", async () => {
  const clock = fakeClock();
  await new Promise<void>((resolve) => clock.after(1, resolve, true));
  const timer = clock.every(1, () => undefined);
  timer.cancel();
  expect(clock.monotonic()).toBe(0);
});
