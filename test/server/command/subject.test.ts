import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longTextBytes, sha256Hex } from "../../../src/broker/request/long-text.js";
import { requestSchema } from "../../../src/broker/request/request.js";
import { commandSubject } from "../../../src/server/command/subject.js";
import { approvalRequest } from "../../support/builders.js";
import { ofArgv, ofLine, runToEnd, writeProgram } from "../../support/commands.js";
import { tempDirectory } from "../../support/temp-home.js";

/** Writes the words it was called with into a file, each ended by a NUL. */
const recorder = "#!/bin/sh\nprintf '%s\\0' \"$@\" > words\n";

const recorded = (directory: string) =>
  readFileSync(join(directory, "words"), "utf8").split("\0").slice(0, -1);

const character = fc.constantFrom(
  ..."ab'\"\\$`!*?[]{}()<>|&;#~=%^- \t\n\r",
  "é",
  "漢",
  "😀",
  "\u202e",
  "\x1b",
  "\x07",
);
const word = fc
  .oneof(fc.string({ unit: character }), fc.string({ unit: "binary" }))
  .filter((text) => !text.includes("\0"));

describe("what a person is shown of a command", () => {
  it("is what runs, word by word, and the line reads as the same words", async () => {
    const directory = tempDirectory();
    writeProgram(directory, "record", recorder);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
        const command = ofArgv(directory, ["./record", ...words]);
        const { subject } = commandSubject(command);
        await runToEnd(command);
        expect(subject.argv).toEqual(["./record", ...recorded(directory)]);
        await runToEnd(ofLine(directory, String(subject.line)));
        expect(recorded(directory)).toEqual(words);
      }),
      { numRuns: 40 },
    );
  });

  it.runIf(process.platform === "linux")("is the very line that bash gets", async () => {
    const directory = tempDirectory();
    const command = ofLine(directory, "cat /proc/$$/cmdline; : 'é' \"\u202e\"");
    const { subject } = commandSubject(command);
    expect(subject.argv).toBeNull();
    const { stdout } = await runToEnd(command);
    expect(stdout.split("\0").slice(0, -1)).toEqual(["bash", "--noprofile", "--norc", "-c", subject.line]);
  });

  it("names the program's file and the directory, and fits the format of a request", () => {
    const directory = tempDirectory();
    const command = ofArgv(directory, ["sh", "-c", "echo 'a b'"]);
    const { subject, longTexts } = commandSubject(command);
    expect(subject).toEqual({
      type: "command",
      line: "sh -c 'echo '\\''a b'\\'''",
      argv: ["sh", "-c", "echo 'a b'"],
      command: "sh -c 'echo '\\''a b'\\'''",
      directory,
      pattern: "sh -c 'echo '\\''a b'\\'''",
      program: command.program,
      directoryIdentity: command.directoryIdentity,
      state: null,
    });
    expect(longTexts).toEqual([]);
    expect(requestSchema.safeParse(approvalRequest({ subject })).success).toBe(true);
  });

  it("stands in for a text that is too long, whose whole goes along once", () => {
    const directory = tempDirectory();
    const long = "€".repeat(longTextBytes / 3 + 1);
    const { subject, longTexts } = commandSubject(ofArgv(directory, ["echo", long, "short", long]));
    expect(longTexts).toEqual([`echo '${long}' short '${long}'`, long]);
    expect(subject.argv?.[1]).toMatchObject({ sha256: sha256Hex(long) });
    expect(subject.argv?.[2]).toBe("short");
    expect(subject.line).toMatchObject({ sha256: sha256Hex(longTexts[0] ?? "") });
    expect(requestSchema.safeParse(approvalRequest({ subject })).success).toBe(true);

    const line = `echo ${long}`;
    const ofLong = commandSubject(ofLine(directory, line));
    expect(ofLong.longTexts).toEqual([line]);
    expect(ofLong.subject.command).toEqual(ofLong.subject.line);
  });
});

describe("for how long a yes may be given", () => {
  const directory = tempDirectory;

  it.each([
    ["words, however they read", () => ofArgv(directory(), ["echo", "$(id) > x"]), "echo '$(id) > x'"],
    [
      "a line that was understood whole",
      () => ofLine(directory(), "ls -la && wc 'a b'"),
      "ls -la && wc 'a b'",
    ],
  ])("of %s is this once or the session, and the rule is what is shown", (_what, command, pattern) => {
    const { subject, scopes } = commandSubject(command());
    expect([scopes, subject.pattern, subject.line]).toEqual([["once", "session"], pattern, pattern]);
  });

  it.each([
    ["a complex line", () => ofLine(directory(), "echo $HOME")],
    ["a line too long to be filed whole", () => ofLine(directory(), `ls ${"x".repeat(longTextBytes)}`)],
    ["words too long to be filed whole", () => ofArgv(directory(), ["echo", "x".repeat(longTextBytes + 1)])],
    [
      "words that are too long together",
      () => ofArgv(directory(), ["echo", ...Array(9).fill("x".repeat(2_000))]),
    ],
  ])("of %s is this once, and there is no rule", (_what, command) => {
    const { subject, scopes } = commandSubject(command());
    expect([scopes, subject.pattern]).toEqual([["once"], null]);
  });
});
