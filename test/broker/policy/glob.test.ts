/** Texts with anything in between: the same answer as a regular expression gives, in linear time. */
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { globMatchFrom, isGlobMatch, isSearch } from "../../../src/broker/policy/glob.js";

/** Longer than what the engine of JavaScript searches by itself, and made so that it repeats. */
const longPart = fc
  .tuple(
    fc.constantFrom("a", "ab", "aab"),
    fc.integer({ min: 130, max: 300 }),
    fc.constantFrom("", "b", "ba"),
  )
  .map(([part, times, end]) => part.repeat(times) + end);
const part = fc.oneof(fc.constantFrom("", "a", "b", "ab", "ba"), longPart);

it("matches what the expression of its parts matches", () => {
  let matches = 0;
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(part, fc.constantFrom("c", "aa")), { minLength: 4, maxLength: 8 }),
      fc.boolean(),
      (glob, between, isMade) => {
        const text = isMade
          ? glob.map((one, at) => (at === 0 ? one : (between[at] ?? "") + one)).join("")
          : between.join("");
        const expected = new RegExp(`^${glob.join("[abc]*")}$`).test(text);
        expect(isGlobMatch(glob, text)).toBe(expected);
        if (expected) matches += 1;
        if (!isSearch(glob, text) && glob.length > 2) expect(expected).toBe(false);
      },
    ),
    { numRuns: 400 },
  );
  expect(matches).toBeGreaterThan(100);
});

test.each<[glob: readonly string[], text: string, at: number]>([
  [["git push"], "env git push", 4],
  [["git push"], "env xgit push", -1],
  [["git push ", ""], "git push x", 0],
  [["git push ", ""], "x git push y", 2],
  [["git push ", ""], "env /git push a git push b", 5],
  [["git push ", ""], "env a=git push a /git push b", 6],
  [["git push ", ""], "xgit push y", -1],
  [["git", "x"], "gitx git x", 0],
  [["git ", "x"], "agit x git x", 7],
  [["git ", "x"], "git y", -1],
])("%j begins in %j at %d", (glob, text, at) => {
  expect(globMatchFrom(glob, text, text)).toBe(at);
});

it("begins at no word of a text that is one word", () => {
  expect(globMatchFrom(["git push ", ""], "echo git push x", "echo\0git\0push\0x")).toBe(-1);
  expect(globMatchFrom(["git push ", ""], "echo git push x", "echo git push x")).toBe(5);
});
