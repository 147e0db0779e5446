import { describe, expect, test } from "vitest";
import * as z from "zod";
import { WispError } from "../../../src/broker/request/errors.js";
import { advertised, parseInput } from "../../../src/server/mcp/input.js";
import { commandInput } from "../../../src/server/mcp/tools/command-input.js";

/** Why the arguments are refused, or null when they are taken. */
function refusalOf(given: unknown): string | null {
  try {
    parseInput(commandInput, given);
    return null;
  } catch (error) {
    if (error instanceof WispError && error.code === "invalid_input") return error.message;
    throw error;
  }
}

const kib = 1_024;

describe("arguments of run_command", () => {
  test.each([
    ["nothing", {}, "give exactly one of argv and line"],
    ["no object", "ls", "expected object"],
    ["both argv and line", { argv: ["ls"], line: "ls" }, "give exactly one of argv and line"],
    ["an unknown argument", { argv: ["ls"], cwd: "/" }, 'unknown argument "cwd"'],
    [
      "an unknown argument of hostile name",
      { argv: ["ls"], "\u001b[2J": 1 },
      'unknown argument "\\u{1b}[2J"',
    ],
    ["an empty argv", { argv: [] }, "argv: "],
    ["no program", { argv: ["", "x"] }, "argv[0]: must name a program"],
    ["a word that is no text", { argv: ["ls", 1] }, "argv[1]: "],
    ["argv as text", { argv: "ls" }, "argv: "],
    ["a blank line", { line: " \n" }, "line: must not be blank"],
    ["a word over 64 KiB", { argv: ["ls", "x".repeat(64 * kib + 1)] }, "argv[1]: at most 65536 bytes"],
    [
      "a word over 64 KiB in UTF-8 only",
      { argv: ["ls", "é".repeat(32 * kib + 1)] },
      "argv[1]: at most 65536 bytes",
    ],
    ["a line over 64 KiB", { line: "x".repeat(64 * kib + 1) }, "line: at most 65536 bytes"],
    [
      "words over 128 KiB in all",
      { argv: ["ls", ...Array(3).fill("x".repeat(60 * kib))] },
      "argv: at most 131072 bytes in all",
    ],
    ["NUL in a word", { argv: ["ls", "a\0b"] }, "argv[1]: holds a NUL character"],
    ["NUL in a line", { line: "ls\0" }, "line: holds a NUL character"],
    ["a lone surrogate", { argv: ["ls", "\ud800"] }, "argv[1]: holds a lone surrogate"],
    ["NUL in the reason", { argv: ["ls"], says: "\0" }, "says: holds a NUL character"],
    ["a relative directory", { argv: ["ls"], directory: "src" }, "directory: must be an absolute path"],
    ["NUL in the directory", { argv: ["ls"], directory: "/\0" }, "directory: holds a NUL character"],
    [
      "a directory longer than any path",
      { argv: ["ls"], directory: `/${"d".repeat(4_096)}` },
      "directory: at most 4096 bytes",
    ],
    ["a reason over 500 characters", { argv: ["ls"], says: "x".repeat(501) }, "says: at most 500 characters"],
    ["a label over 64 characters", { argv: ["ls"], thread: "x".repeat(65) }, "thread: at most 64 characters"],
    ["a time-out of 0", { argv: ["ls"], timeoutSeconds: 0 }, "timeoutSeconds: "],
    ["a time-out over an hour", { argv: ["ls"], timeoutSeconds: 3_601 }, "timeoutSeconds: "],
    ["a time-out in parts of seconds", { argv: ["ls"], timeoutSeconds: 1.5 }, "timeoutSeconds: "],
    ["a time-out as text", { argv: ["ls"], timeoutSeconds: "5" }, "timeoutSeconds: "],
    ["null for a text", { argv: ["ls"], says: null }, "says: "],
  ])("with %s are refused, naming path and limit; good ones still pass", (_what, given, message) => {
    expect(refusalOf(given)).toContain(message);
    expect(refusalOf({ argv: ["ls"] })).toBeNull();
  });

  test.each([
    ["a word of 64 KiB", { argv: ["ls", "x".repeat(64 * kib)] }],
    ["a line of 64 KiB", { line: "x".repeat(64 * kib) }],
    ["an empty word after the program", { argv: ["echo", ""] }],
    ["a reason of 500 characters beyond the basic plane", { argv: ["ls"], says: "😀".repeat(500) }],
    ["everything", { line: "ls", directory: "/", says: "why", thread: "t", timeoutSeconds: 3_600 }],
  ])("with %s are taken", (_what, given) => {
    expect(refusalOf(given)).toBeNull();
  });

  test("are given a running time of 120 s by default", () => {
    expect(parseInput(commandInput, { argv: ["ls"] }).timeoutSeconds).toBe(120);
  });

  test("are all corrected in one answer, and no more than five at once", () => {
    const message = refusalOf({ argv: Array(9).fill(1), thread: 5 });
    expect(message?.split("; ")).toHaveLength(5);
  });
});

describe("a published schema", () => {
  const standard = advertised(commandInput)["~standard"];

  test("is strict and names the limits", () => {
    expect(standard.jsonSchema.input({ target: "draft-2020-12" })).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: {
        argv: { type: "array", minItems: 1, items: { type: "string" } },
        says: { type: "string", maxLength: 500 },
        thread: { type: "string", maxLength: 64 },
        timeoutSeconds: { type: "integer", minimum: 1, maximum: 3_600, default: 120 },
      },
    });
  });

  test("requires nothing that has a default", () => {
    expect(standard.jsonSchema.input({ target: "draft-2020-12" })).not.toHaveProperty("required");
  });

  test("leaves the judging to the tool", async () => {
    const strict = advertised(z.strictObject({}))["~standard"];
    expect(await strict.validate({ unknown: 1 })).toEqual({ value: { unknown: 1 } });
  });
});
