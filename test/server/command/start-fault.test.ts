import { describe, expect, it } from "vitest";
import { startFault } from "../../../src/server/command/start-fault.js";
import { ofArgv, ofLine, writeProgram } from "../../support/commands.js";
import { tempDirectory } from "../../support/temp-home.js";

const sayings = [
  [
    "E2BIG",
    "invalid_input",
    /words are longer than this system hands to a program \(E2BIG\)/,
    /fewer or shorter words/,
  ],
  [
    "ENOENT",
    "invalid_input",
    /tool" is there, but the interpreter or loader that it names is not/,
    /interpreter/,
  ],
  [
    "EACCES",
    "invalid_input",
    /may not execute .*tool", or the interpreter that it names \(EACCES\)/,
    /may execute/,
  ],
  ["EPERM", "invalid_input", /may not execute .*tool".*\(EPERM\)/, /may execute/],
  ["ENOEXEC", "invalid_input", /tool" is no program that this system can run/, /interpreter/],
  ["EMFILE", "command_not_started", /no free file descriptors \(EMFILE\)/, /same call again later/],
  ["ENFILE", "command_not_started", /no free file descriptors \(ENFILE\)/, /same call again later/],
  ["EAGAIN", "command_not_started", /no further process/, /same call again later/],
  ["ENOMEM", "command_not_started", /no free memory/, /same call again later/],
  ["ETXTBSY", "command_not_started", /tool" is being written/, /same call again later/],
  ["EIO", "command_not_started", /refused to start .*tool" \(EIO\)/, /Tell the person/],
] as const;

describe("why a command was not started", () => {
  it.each(sayings)("%s says what is true of it, and one thing that helps", (errno, code, what, fix) => {
    const directory = tempDirectory();
    writeProgram(directory, "tool", "#!/bin/sh\n");
    const error = startFault(errno, ofArgv(directory, ["./tool"]));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(what);
    expect(error.fix).toMatch(fix);
    expect(error.fix).toMatch(/^[A-Z][^.]*\.$/);
  });

  it("asks for a shorter line where there are no words", () => {
    expect(startFault("E2BIG", ofLine(tempDirectory(), "true")).fix).toBe("Send a shorter line.");
  });
});
