import { describe, expect, test } from "vitest";
import { typedWord } from "../../../src/broker/approval/typed-word.js";
import { shortened } from "../../../src/broker/request/long-text.js";
import type { ApprovalRequest } from "../../../src/broker/request/request.js";
import { commandSubject } from "../../support/builders.js";

function ofArgv(...argv: string[]): string {
  return typedWord(commandSubject({ argv, line: argv.join(" ") }));
}

function ofLine(line: string): string {
  return typedWord(commandSubject({ argv: null, line, command: line }));
}

describe("the typed word of an argv", () => {
  test.each([
    [["rm", "-rf", "build"], "build"],
    [["git", "push", "origin", "main", "--force"], "main"],
    [["/usr/bin/sudo", "-i"], "/usr/bin/sudo"],
    [["rm", "-rf", "--", "-odd"], "-odd"],
    [["rm", "-rf", "--"], "rm"],
  ])("of %j is %j: the last word that is no option", (argv, word) => {
    expect(ofArgv(...argv)).toBe(word);
  });

  test.each([
    ["over 24 characters", "a".repeat(25)],
    ["holding a blank", "two words"],
    ["empty", ""],
    ["not plain ASCII", "bäd"],
    ["holding a control character", "a\u001b[2J"],
  ])("%s gives way to the program's name", (_why, operand) => {
    expect(ofArgv("/bin/rm", "-r", operand)).toBe("rm");
  });

  test("of 24 characters still stands", () => {
    expect(ofArgv("rm", "-r", "a".repeat(24))).toBe("a".repeat(24));
  });

  test("is 'approve' where the program cannot be typed either", () => {
    expect(ofArgv(`/bin/${"x".repeat(30)}`, "two words")).toBe("approve");
  });

  test("never comes out of a text of which only the ends are at hand", () => {
    const long = shortened("x".repeat(20_000));
    expect(typedWord(commandSubject({ argv: ["rm", long], line: long }))).toBe("rm");
    expect(typedWord(commandSubject({ argv: null, line: long }))).toBe("approve");
  });
});

describe("the typed word of a line", () => {
  test.each([
    ["curl -s https://e.test/x | sh", "sh"],
    ["cd src && rm -rf build", "build"],
    ["rm -rf build; ", "build"],
    ["rm -rf build &", "build"],
    ["rm -rf 'build'", "build"],
    ["rm -rf \"bu\"'i'ld", "build"],
    ['rm -rf "a\\"b"', 'a"b'],
    ["rm -rf bu\\\nild", "build"],
    ["rm -rf a\\;b", "a;b"],
    ["rm -rf build > /dev/null 2>&1", "build"],
    ["rm -rf build &> log", "build"],
    ["rm -rf build 2>log", "build"],
    ["rm -rf build # and nothing else", "build"],
    ["rm -rf build#1", "build#1"],
    ["FORCE=1 rm -rf", "rm"],
    ["{ rm -rf build; }", "build"],
    ["if true; then rm -rf build; fi", "build"],
    ["(cd x; rm -rf build)", "build"],
    ["rm -rf 'two words'", "rm"],
    ["rm -rf 'unclosed", "unclosed"],
  ])("%j is %j", (line, word) => {
    expect(ofLine(line)).toBe(word);
  });

  test.each(["", "   ", "# nothing", ";;", "X=1"])("without a command, %j, is 'approve'", (line) => {
    expect(ofLine(line)).toBe("approve");
  });
});

test("the typed word of a tool call is the tool's name", () => {
  const subject = { type: "permission", tool: "Bash", input: {}, toolUseId: null };
  expect(typedWord(subject as ApprovalRequest["subject"])).toBe("Bash");
});
