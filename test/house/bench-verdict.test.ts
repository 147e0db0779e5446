import { describe, expect, it } from "vitest";
import { alternate, bestOf, type Gate, median, ratioOf, verdictOf } from "../../bench/verdict.js";

const atMost: Gate = { bar: 2, goal: 1.5, holds: "at most" };
const atLeast: Gate = { bar: 100, goal: 500, holds: "at least" };

function values(...list: readonly number[]): () => Promise<number> {
  const left = [...list];
  return async () => left.shift() ?? Number.NaN;
}

describe("a verdict", () => {
  it.each([
    [1.5, "reaches the goal"],
    [1.51, "holds"],
    [2, "holds"],
    [2.01, "fails"],
    [Number.POSITIVE_INFINITY, "fails"],
    [Number.NaN, "fails"],
  ])("of %d under a bar of 2 and a goal of 1.5 is: %s", (value, verdict) => {
    expect(verdictOf(value, atMost)).toBe(verdict);
  });

  it.each([
    [500, "reaches the goal"],
    [499, "holds"],
    [100, "holds"],
    [99, "fails"],
    [Number.NaN, "fails"],
  ])("of %d above a bar of 100 and a goal of 500 is: %s", (value, verdict) => {
    expect(verdictOf(value, atLeast)).toBe(verdict);
  });

  it("of a count that must be 0 fails with the first fault", () => {
    const exact: Gate = { bar: 0, goal: 0, holds: "at most" };
    expect(verdictOf(0, exact)).toBe("reaches the goal");
    expect(verdictOf(1, exact)).toBe("fails");
  });
});

describe("the best of several blocks", () => {
  it("ends with the first block that holds the bar", async () => {
    expect(await bestOf(atMost, 6, values(9, 1.9, 1))).toEqual({ value: 1.9, verdict: "holds", blocks: 2 });
  });

  it("fails when every block is worse than the bar, and names the best of them", async () => {
    expect(await bestOf(atMost, 6, values(9, 4, 3, 5, 6, 7, 1))).toEqual({
      value: 3,
      verdict: "fails",
      blocks: 6,
    });
    expect(await bestOf(atLeast, 3, values(20, 90, 40))).toEqual({ value: 90, verdict: "fails", blocks: 3 });
  });

  it("fails when nothing comparable was measured", async () => {
    expect(await bestOf(atMost, 2, values())).toMatchObject({ verdict: "fails", blocks: 2 });
    expect(await bestOf(atMost, 0, values(1))).toMatchObject({ verdict: "fails", blocks: 0 });
  });

  it("forgets a block that could not be compared", async () => {
    expect(await bestOf(atMost, 3, values(Number.NaN, 1))).toEqual({
      value: 1,
      verdict: "reaches the goal",
      blocks: 2,
    });
  });
});

describe("measuring in turns", () => {
  it("swaps who is first each round", async () => {
    const order: string[] = [];
    const note = (who: string) => async () => order.push(who);
    const samples = await alternate(3, note("floor"), note("subject"));
    expect(order).toEqual(["floor", "subject", "subject", "floor", "floor", "subject"]);
    expect(samples).toEqual({ floor: [1, 4, 5], subject: [2, 3, 6] });
  });

  it("divides medians, so that one slow round decides nothing", () => {
    expect(ratioOf({ floor: [10, 1_000, 10], subject: [15, 15, 9_000] })).toBe(1.5);
  });

  it("has no ratio without samples, or to a floor that cost nothing", () => {
    expect(ratioOf({ floor: [], subject: [1] })).toBeNaN();
    expect(ratioOf({ floor: [1], subject: [] })).toBeNaN();
    expect(ratioOf({ floor: [0, 0], subject: [1] })).toBeNaN();
  });

  it("takes the mean of the middle two of an even number", () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });
});
