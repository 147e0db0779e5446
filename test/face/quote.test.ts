import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoted, wispLine } from "../../src/face/quote.js";

/** What a shell makes of `line`. */
function wordsOf(line: string): string[] {
  const output = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  return output.split("\0").slice(0, -1);
}

describe("command lines to paste", () => {
  it("a shell reads back every printable word", () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    });
    // Long runs of blanks and a literal \u{ are shown as escapes on purpose.
    const words = fc.array(
      printable.filter((word) => !/\\u\{| {9}/.test(word)),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(words, (given) => {
        expect(wordsOf(given.map(quoted).join(" "))).toEqual(given);
      }),
      { numRuns: 50 },
    );
  });

  it("prints no control character, whatever the word", () => {
    expect(quoted("a\u001b[2Jb\u009bc\nd")).toBe("'a\\u{1b}[2Jb\\u{9b}c\\u{a}d'");
  });

  it("names the home when a variable does: another terminal need not have it", () => {
    expect(wispLine({ WISP_HOME: "/tmp/a b" }, ["approvals", "pending"])).toBe(
      "WISP_HOME='/tmp/a b' wisp approvals pending",
    );
    expect(wispLine({ WISP_HOME: "" }, ["doctor"])).toBe("wisp doctor");
    expect(wispLine({}, ["doctor"])).toBe("wisp doctor");
  });
});
