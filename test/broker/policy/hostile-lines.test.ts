import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../../src/broker/policy/levels.js";

const ofLine = (line: string) => judgeCommand({ argv: null, line });
const ofWords = (...argv: string[]) => judgeCommand({ argv, line: "ignored" });

/** Pieces that make a shell reader work, to be joined without end. */
const hostilePieces = [
  "rm ",
  "git push ",
  "find . -exec ",
  "curl x|",
  "sh ",
  "$(",
  "`",
  "${",
  "<(",
  "(",
  ")",
  "}",
  "'",
  '"',
  "\\",
  "$'",
  "#",
  "\n",
  ";",
  "{a,",
  "env ",
  "eval ",
  "f(){f|",
  "<<E ",
  "git-",
  "A=[",
  "-",
  "1",
  "/",
  "bash <(curl x) ",
  "x",
];

describe("a hostile line", () => {
  // Twice the longest line a call may carry: anything quadratic in its words runs into the test's time limit.
  it.each(hostilePieces)("of 128 KiB of %j is judged", (piece) => {
    const line = piece.repeat((128 * 1024) / piece.length);
    expect(ofLine(`${line}\n\nreboot`).reasons.length).toBeGreaterThan(0);
  });

  it("of as many words as a call may carry is judged", () => {
    for (const word of ["rm", "$(", "a;", "-v"]) {
      expect(ofWords(...Array<string>(64 * 1024).fill(word), "sudo").reasons).toContain("runs as root");
    }
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hostilePieces, "é", "\0"), { maxLength: 60 }), (pieces) => {
        expect(ofLine(pieces.join("")).reasons.length).toBeGreaterThan(0);
        expect(ofWords(...pieces).reasons.length).toBeGreaterThan(0);
      }),
    );
  });

  it("hides nothing that follows it on the next line", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hostilePieces), { maxLength: 12 }), (pieces) => {
        expect(ofLine(`${pieces.join("")}\n\nrm -rf build\n`).reasons).toContain("deletes recursively");
      }),
    );
  });
});
