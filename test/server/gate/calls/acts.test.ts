/** Which calls may be with a server at the same time. */
import { expect, test } from "vitest";
import {
  type ActKind,
  createActs,
  longestCancelledMs,
  longestStillMs,
} from "../../../../src/server/gate/calls/acts.js";
import { FakeClock } from "../../../support/fake-clock.js";

/** What began is noted by its name, in order. */
function acting() {
  const clock = new FakeClock();
  const acts = createActs(clock);
  const began: string[] = [];
  const failed: string[] = [];
  const waits = (name: string, kind: ActKind, signal = new AbortController().signal) =>
    acts.wait(kind, signal).then(
      (act) => {
        began.push(name);
        return act;
      },
      (error: { readonly code?: string }) => {
        failed.push(`${name}: ${error.code ?? String(error)}`);
        return null;
      },
    );
  return { clock, acts, began, failed, waits };
}

test("what is beside others begins at once; what is alone waits for all of it, and all waits for that", async () => {
  const { acts, began, waits } = acting();
  const [one, two] = [acts.begin("beside"), acts.begin("beside")];
  expect([acts.begin("alone"), one === null, two === null]).toEqual([null, false, false]);
  const alone = waits("alone", "alone");
  one?.over();
  one?.over();
  await Promise.resolve();
  expect(began).toEqual([]);
  two?.over();
  const act = await alone;
  expect(began).toEqual(["alone"]);
  expect([acts.begin("beside"), acts.begin("alone")]).toEqual([null, null]);
  act?.over();
  expect(acts.begin("alone")).not.toBeNull();
});

test("they begin in their order; what is beside what is under way passes by what waits to be alone", async () => {
  const { acts, began, waits } = acting();
  const first = acts.begin("beside");
  const second = waits("second", "alone");
  const third = waits("third", "alone");
  const beside = await waits("beside", "beside");
  first?.over();
  beside?.over();
  (await second)?.over();
  await third;
  expect(began).toEqual(["beside", "second", "third"]);
});

test("one timer refuses all that wait behind what is not answered, each after its own 30 s", async () => {
  const { clock, acts, failed, waits } = acting();
  const stuck = acts.begin("alone");
  const first = waits("first", "alone");
  clock.advance(10_000);
  const second = waits("second", "beside");
  expect(clock.timers).toBe(1);
  clock.advance(longestStillMs - 10_000);
  await first;
  expect(failed).toEqual(["first: upstream_unavailable"]);
  clock.advance(10_000);
  await second;
  expect(failed).toEqual(["first: upstream_unavailable", "second: upstream_unavailable"]);
  expect(clock.timers).toBe(0);
  stuck?.over();
  expect(acts.begin("alone")).not.toBeNull();
});

test("whoever waits behind calls that are answered one after the other is not given up", async () => {
  const { clock, acts, failed, began, waits } = acting();
  let act = acts.begin("alone");
  const waiting = ["a", "b", "c"].map((name) => waits(name, "alone"));
  for (const next of waiting) {
    clock.advance(longestStillMs - 1);
    act?.over();
    act = await next;
  }
  expect([began, failed]).toEqual([["a", "b", "c"], []]);
});

test("whoever is not wanted any more leaves its place", async () => {
  const { clock, acts, began, failed, waits } = acting();
  const first = acts.begin("alone");
  const controller = new AbortController();
  const gone = waits("gone", "alone", controller.signal);
  const next = waits("next", "alone");
  controller.abort("esc");
  await gone;
  await waits("late", "alone", controller.signal);
  first?.over();
  await next;
  expect([began, failed]).toEqual([["next"], ["gone: esc", "late: esc"]]);
  expect(clock.timers).toBe(0);
});

test("what was cancelled and is never answered counts for five minutes", () => {
  const { clock, acts } = acting();
  const act = acts.begin("beside");
  clock.advance(longestCancelledMs);
  act?.cancelled();
  clock.advance(longestCancelledMs - 1);
  act?.cancelled();
  expect(acts.begin("alone")).toBeNull();
  clock.advance(1);
  expect(acts.begin("alone")).not.toBeNull();
});

test("a look of our own is under way with whatever is, and counts for what comes", () => {
  const { acts } = acting();
  const alone = acts.begin("alone");
  const look = acts.add();
  alone?.over();
  expect(acts.begin("alone")).toBeNull();
  look.over();
  expect(acts.begin("alone")).not.toBeNull();
});
