/** What is read in a shorter way because it is plain is read as everything else is. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseCommandPattern, readPattern } from "../../../src/broker/policy/command-pattern.js";
import { scanned, scannedLine } from "../../../src/broker/policy/complex.js";
import { searchedInAll, searchedInWords } from "../../../src/broker/policy/searched.js";

const word = fc.constantFrom(
  ..."a git git-push push -C -x x=y A=1 sh bash sudo if time ~ ~/x /bin/ls a,b : # ! { %% +x *.ts 'q' a;b a&b".split(
    " ",
  ),
  "a b",
  "",
  "case",
);
const text = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((all) => all.join(" ")),
  fc.string({ maxLength: 8 }),
);

it("a line", () => {
  let simple = 0;
  fc.assert(
    fc.property(text, (line) => {
      // Only characters that are looked at first get as far as either.
      if (!/^[\x20-\x7e\n]*$/.test(line)) return;
      expect(scanned(line)).toEqual(scannedLine(line));
      if (scanned(line) !== null) simple += 1;
    }),
    { numRuns: 3_000 },
  );
  expect(simple).toBeGreaterThan(50);
  expect(scanned(`a${" b".repeat(255)}`)).not.toBeNull();
  expect(scanned(`a${" b".repeat(256)}`)).toBeNull();
});

it("a pattern", () => {
  const part = fc.constantFrom(
    "a",
    "*",
    "**",
    "b*",
    "*c",
    "d*e",
    "-f",
    "git",
    "/x/*",
    "~",
    "'*'",
    ":*",
    "  ",
  );
  let patterns = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(part, { maxLength: 5 }).map((all) => all.join(" ")),
        text,
      ),
      (body) => {
        expect(parseCommandPattern(body, "/home/p")).toEqual(readPattern(body, "/home/p"));
        if (readPattern(body, "/home/p").kind === "pattern") patterns += 1;
      },
    ),
    { numRuns: 3_000 },
  );
  expect(patterns).toBeGreaterThan(300);
});

it("the commands in which rules are searched", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const [plainly, all] = [searchedInWords(words, "/home/p"), searchedInAll(words, "/home/p")];
      expect(new Set(plainly.commands)).toEqual(new Set(all.commands));
      expect(plainly.runs).toEqual(all.runs);
      expect(plainly.isCut).toBe(all.isCut);
    }),
    { numRuns: 3_000 },
  );
});
