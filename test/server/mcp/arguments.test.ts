import { describe, expect, test } from "vitest";
import { readArguments } from "../../../src/server/mcp/arguments.js";

describe("the arguments of wisp mcp", () => {
  test.each([
    [[], null],
    [["--hold", "0"], 0],
    [["--hold", "280"], 280],
    [["--hold=86400"], 86_400],
  ])("%j are taken", (argv, hold) => {
    expect(readArguments(argv)).toEqual({ hold });
  });

  test.each([
    [["--hold"]],
    [["--hold", ""]],
    [["--hold="]],
    [["--hold", "-1"]],
    [["--hold", "1.5"]],
    [["--hold", "1e3"]],
    [["--hold", "0x10"]],
    [["--hold", "045"]],
    [["--hold", " 45"]],
    [["--hold", "４５"]],
    [["--hold", "86401"]],
    [["--hold", "auto"]],
    [["--hold", "45", "45"]],
    [["--hold=45", "--hold=50"]],
    [["--holds", "45"]],
    [["--HOLD", "45"]],
    [["45"]],
    [["\u001b[2J"]],
  ])("%j are refused in one visible line that says how it is used", (argv) => {
    expect(readArguments(argv)).toMatch(/^[^\p{Cc}\p{Cf}]+\. Usage: wisp mcp \[--hold SECONDS\]$/u);
  });
});
