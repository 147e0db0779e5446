import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { factLine, factsHere } from "../../../src/server/mcp/facts-here.js";
import { decidedBy, keptFact } from "../../support/facts.js";

const here = "/home/p/api";

function listing(count: number, value: string) {
  return {
    unreadable: 0,
    kept: Array.from({ length: count }, (_, at) =>
      keptFact({ value: `${at} ${value}`, keptBy: decidedBy({ at }) }),
    ),
  };
}

describe("of many facts", () => {
  test("the newest 200 are told, and that there are more", () => {
    const { facts, truncated } = factsHere(listing(201, "short"), here);
    expect(facts).toHaveLength(200);
    expect(facts[0]?.keptAt).toBe(200);
    expect(facts.at(-1)?.keptAt).toBe(1);
    expect(truncated).toBe(true);
    expect(factsHere(listing(200, "short"), here)).toMatchObject({ truncated: false });
  });

  test("no more are told than a client hands on, however they are shown", () => {
    for (const value of ["x".repeat(990), "\u202e".repeat(990), "漢".repeat(990)]) {
      const { facts, truncated } = factsHere(listing(100, value), here);
      const bytes = facts.reduce((sum, fact) => sum + Buffer.byteLength(factLine(fact)), 0);
      expect(facts.length).toBeGreaterThan(2);
      expect(bytes).toBeLessThanOrEqual(32 * 1024);
      expect(truncated).toBe(true);
    }
  });

  test("a filter seeks in all of them, not only in the newest", () => {
    const { facts, truncated } = factsHere(listing(500, "short"), here, { query: "17 SHORT" });
    expect(facts.map(({ keptAt }) => keptAt)).toEqual([417, 317, 217, 117, 17]);
    expect(truncated).toBe(false);
  });
});

test("whatever is sought, what is told is kept, holds here, and is told newest first", () => {
  const text = fc.constantFrom("a", "B", "ａ", " a  b ", "\u202e", "é");
  const fact = fc.record({
    subject: text,
    name: text,
    value: text,
    scope: fc.constantFrom("project" as const, "global" as const),
    directory: fc.constantFrom(here, "/elsewhere"),
  });
  const filter = fc.record({ subject: text, name: text, query: text }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(fact), filter, (facts, sought) => {
      const kept = facts.map((one, at) => keptFact({ ...one, keptBy: decidedBy({ at }) }));
      const told = factsHere({ kept, unreadable: 0 }, here, sought).facts;
      const holding = kept.filter(({ scope, directory }) => scope === "global" || directory === here);
      const times = told.map(({ keptAt }) => keptAt);
      expect(holding.map(({ id }) => id)).toEqual(expect.arrayContaining(told.map(({ id }) => id)));
      expect(times).toEqual([...times].sort((one, other) => other - one));
      expect(factsHere({ kept, unreadable: 0 }, here).facts).toHaveLength(holding.length);
    }),
  );
});
