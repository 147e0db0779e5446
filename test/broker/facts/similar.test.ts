import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type FactWords, holdsIn, type KeptFact } from "../../../src/broker/facts/fact-store.js";
import { folded, mostSimilar, similarTo } from "../../../src/broker/facts/similar.js";
import { decidedBy, factWords, keptFact } from "../../support/facts.js";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const few = fc.constantFrom("npm", "Test", "ＮＰＭ", " ", "a b", "É", "e\u0301", "ﬁ", "");
const words = fc.array(fc.oneof(few, text), { maxLength: 4 }).map((parts) => parts.join(" "));
const directory = fc.constantFrom("/home/p/api", "/home/p/web", null);
const factWordsOf: fc.Arbitrary<FactWords> = fc.record({
  subject: words,
  name: words,
  value: words,
  source: fc.constant(null),
  directory,
});
const keptOf: fc.Arbitrary<KeptFact> = fc
  .tuple(factWordsOf, fc.constantFrom("project", "global"), fc.nat(3))
  .map(([given, scope, at]) =>
    keptFact({
      ...given,
      scope: given.directory === null ? "global" : (scope as KeptFact["scope"]),
      keptBy: decidedBy({ at }),
    }),
  );

const valuesOf = (asked: Partial<FactWords>, kept: readonly KeptFact[]): readonly string[] =>
  similarTo(factWords(asked), kept).map(({ value }) => value);

describe("what is like an ask", () => {
  it("is at most five, all kept, none twice, and holds where it is asked", () => {
    fc.assert(
      fc.property(factWordsOf, fc.array(keptOf, { maxLength: 20 }), (asked, kept) => {
        const similar = similarTo(asked, kept);
        expect(similar.length).toBeLessThanOrEqual(mostSimilar);
        expect(new Set(similar.map(({ id }) => id)).size).toBe(similar.length);
        for (const one of similar) {
          const fact = kept.find(({ id }) => id === one.id);
          expect(fact?.value).toBe(one.value);
          const holds =
            asked.directory === null ? fact?.scope === "global" : holdsIn(fact as KeptFact, asked.directory);
          expect(holds).toBe(true);
        }
      }),
    );
  });

  it("is so for both, whichever of the two is asked and which is kept", () => {
    fc.assert(
      fc.property(factWordsOf, factWordsOf, (one, other) => {
        const keptAs = (given: FactWords) => [keptFact({ ...given, scope: "global" })];
        expect(similarTo(one, keptAs(other)).length).toBe(similarTo(other, keptAs(one)).length);
        expect(similarTo(one, keptAs(one))).toHaveLength(1);
      }),
    );
  });

  it("is the same for texts that differ in case, width and blanks alone", () => {
    const kept = [keptFact({ subject: "Ａpi ", name: "test\tCommand", value: "make" })];
    expect(valuesOf({ subject: "API", name: " test  command", value: "npm test" }, kept)).toEqual(["make"]);
    expect(valuesOf({ subject: "web", name: "x", value: "MAKE" }, kept)).toEqual(["make"]);
    expect(valuesOf({ subject: "web", name: "x", value: "npm test" }, kept)).toEqual([]);
  });

  it("begins with the same subject and name; then the values tell, and then the newer is first", () => {
    const kept = [
      keptFact({ subject: "web", value: "npm run test fast", keptBy: decidedBy({ at: 9 }) }),
      keptFact({ subject: "web", value: "npm test", keptBy: decidedBy({ at: 1 }) }),
      keptFact({ value: "make", keptBy: decidedBy({ at: 1 }) }),
      keptFact({ value: "make check", keptBy: decidedBy({ at: 2 }) }),
      keptFact({ value: "npm run test", keptBy: decidedBy({ at: 1 }) }),
      keptFact({ subject: "web", value: "yarn test", keptBy: decidedBy({ at: 3 }) }),
    ];
    expect(valuesOf({ value: "npm test" }, kept)).toEqual([
      "npm run test",
      "make check",
      "make",
      "npm test",
      "npm run test fast",
    ]);
  });

  it("needs half of the words of a value in common, and a value without words is like itself alone", () => {
    const kept = ["a b c", "a b", "a", "x", "!!!"].map((value) => keptFact({ subject: "web", value }));
    expect(valuesOf({ value: "a b c d" }, kept)).toEqual(["a b c", "a b"]);
    expect(valuesOf({ value: "!!!" }, kept)).toEqual(["!!!"]);
    expect(valuesOf({ value: "???" }, kept)).toEqual([]);
  });

  it("is found among long values by their beginning", () => {
    const long = `${"word ".repeat(200)}${"tail ".repeat(50_000)}`;
    expect(valuesOf({ value: "word" }, [keptFact({ subject: "web", value: long })])).toEqual([long]);
  });
});

test("a folded text stays as it is when it is folded again, and texts that look alike become one", () => {
  fc.assert(
    fc.property(fc.oneof(words, fc.string({ unit: "binary" })), (one) => {
      const once = folded(one);
      expect(folded(once)).toBe(once);
      for (const alike of [` ${one}  `, one.normalize("NFD"), one.replaceAll(" ", "\n ")]) {
        expect(folded(alike)).toBe(once);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(["ÉTÉ  x", "e\u0301te\u0301 X", "Ｅ\u0301té\tｘ"].map(folded)).toEqual(["été x", "été x", "été x"]);
});
