import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { wispLine } from "../../../src/server/command/wisp-line.js";

const words = ["approvals", "approve", "k7q2mx9d"];

describe("a line to paste", () => {
  it("is wisp and its words, and names a home that is not the default", () => {
    expect(wispLine(words, null)).toBe("wisp approvals approve k7q2mx9d");
    expect(wispLine(words, "/srv/h")).toBe("WISP_HOME=/srv/h wisp approvals approve k7q2mx9d");
  });

  it("a shell reads back home, program and words", () => {
    const home = "/tmp/it's $HOME; `x`\\ =\n~";
    const printing = [
      "node",
      "-e",
      "console.log(JSON.stringify([process.env.WISP_HOME, ...process.argv.slice(1)]))",
    ];
    const line = wispLine(words, home, printing);
    expect(JSON.parse(execFileSync("sh", ["-c", line], { encoding: "utf8" }))).toEqual([home, ...words]);
  });
});
