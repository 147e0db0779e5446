import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteArgv } from "../../../src/server/command/quote.js";
import { tempDirectory } from "../../support/temp-home.js";

/** What bash makes of each line: its words, the first one included. */
function readByBash(directory: string, lines: readonly string[]): readonly (readonly string[])[] {
  const script = join(directory, "script.sh");
  // A function that prints its own words stands in front, so the program's word is read as an argument here.
  const calls = lines.map((line) => `words ${line}`).join("\n");
  writeFileSync(script, `words() { printf '%s\\0' "$#" "$@"; }\n${calls}\n`);
  const fields = execFileSync("bash", ["--noprofile", "--norc", script], { maxBuffer: 64 * 1024 * 1024 })
    .toString("utf8")
    .split("\0");
  const found: string[][] = [];
  for (let at = 0; at < fields.length - 1; ) {
    const count = Number(fields[at]);
    found.push(fields.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return found;
}

const hostile = fc.string({
  unit: fc.constantFrom(
    ..."ab'\"\\$`!*?[]{}()<>|&;#~=%^- \t\n\r",
    "é",
    "漢",
    "😀",
    "\u202e",
    "\u0001",
    "\u007f",
  ),
});
const word = fc
  .oneof(hostile, fc.string({ unit: "binary" }), fc.constantFrom("", "-", "--", "if", "A=1", "~"))
  .filter((text) => !text.includes("\0"));

describe("the shell's spelling of an argv", () => {
  it("is read back by bash as exactly the same words", () => {
    const directory = tempDirectory();
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 50, maxLength: 50 }),
        (lists) => {
          expect(readByBash(directory, lists.map(quoteArgv))).toEqual(lists);
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each([
    [["git", "push", "origin", "main"], "git push origin main"],
    [["git", "commit", "-m", "fix: it's done"], "git commit -m 'fix: it'\\''s done'"],
    [["make", "CC=gcc", "a.b/c_d@e%f+g,h:1"], "make CC=gcc a.b/c_d@e%f+g,h:1"],
    [["echo", "", "*"], "echo '' '*'"],
    [["A=1", "x"], "'A=1' x"],
    [["if", "if"], "'if' if"],
    [["echo", "a\nb"], "echo 'a\nb'"],
  ])("of %j is %j", (argv, line) => {
    expect(quoteArgv(argv)).toBe(line);
  });

  it("is a command for bash even where the program is named like its grammar", () => {
    const directory = tempDirectory();
    for (const name of ["if", "for", "time", "{", "!", "[[", "A=1", "function"]) {
      const line = quoteArgv([name, "x"]);
      // Bash finds no such program instead of reading grammar or an assignment.
      const run = () =>
        execFileSync("/bin/bash", ["--noprofile", "--norc", "-c", line], {
          env: { PATH: directory },
          stdio: "pipe",
        });
      expect(run, name).toThrow(/command not found/);
    }
  });
});
