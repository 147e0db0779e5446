import { describe, expect, it } from "vitest";
import { assuranceOf, assuranceWords, type Verified } from "../../../src/broker/request/assurance.js";

const seen = (
  terminal: boolean | null,
  ancestry: boolean | null,
  signed: boolean | null = null,
): Verified => {
  return { terminal, ancestry, signed };
};
const within = "from within a client's own processes";

describe("how sure it is that a person answered", () => {
  it.each<[Verified | null, readonly string[]]>([
    [null, ["file"]],
    [seen(true, true), ["terminal"]],
    [seen(true, false), ["terminal", within]],
    [seen(true, null), ["terminal", "ancestors not all seen"]],
    [seen(null, true), ["terminal", "standard input not seen"]],
    [seen(null, false), ["terminal", "standard input not seen", within]],
    [seen(null, null), ["file", "its process not seen"]],
    [seen(false, true), ["file"]],
    [seen(false, false), ["file", within]],
    [seen(false, null), ["file", "ancestors not all seen"]],
    [seen(true, true, true), ["signed"]],
    [seen(false, true, true), ["signed"]],
    [seen(true, true, false), ["terminal"]],
  ])("where %j was seen reads %j in a face", (verified, words) => {
    expect(assuranceWords("cli", verified)).toEqual(words);
    expect(assuranceOf("cli", verified)).toBe(words[0]);
  });

  it("is a dialog's where the client's dialog said it, whatever its server could see", () => {
    expect(assuranceWords("elicitation", null)).toEqual(["dialog"]);
    expect(assuranceOf("elicitation", seen(true, true))).toBe("dialog");
    expect(assuranceOf("elicitation", seen(true, true, true))).toBe("signed");
  });
});
