import { describe, expect, it } from "vitest";
import { type ThrownCode, WispError } from "../../src/broker/request/errors.js";
import { exits } from "../../src/cli/exits.js";
import { reportError } from "../../src/cli/report.js";
import { fakeTerminal } from "../support/fake-terminal.js";

describe("what went wrong", () => {
  it.each<[ThrownCode, number]>([
    ["invalid_input", exits.usage],
    ["request_unknown", exits.unknown],
    ["terminal_required", exits.noTerminal],
    ["answer_exists", exits.answered],
    ["answer_refused", exits.assurance],
    ["request_altered", exits.altered],
    ["channel_unsafe", exits.unsafe],
    ["request_stale", exits.stale],
    ["channel_unavailable", exits.unexpected],
  ])("%s ends with %d", (code, exit) => {
    expect(reportError(new WispError(code, "What."), fakeTerminal())).toBe(exit);
  });

  it("is told as what, why and do, a line each, and nothing of it is interpreted", () => {
    const terminal = fakeTerminal();
    reportError(
      new WispError("channel_unsafe", "Bad\u001b[2J.", { why: "Be\ncause.", fix: "chmod 700 /x" }),
      terminal,
    );
    expect(terminal.said()).toBe("wisp: Bad\\u{1b}[2J.\n  Be\\u{a}cause.\n  chmod 700 /x\n");
    expect(terminal.printed()).toBe("");
  });

  it("is told without a stack, unless somebody looks for it", () => {
    const error = Object.assign(new Error("no\u009bspace"), { code: "ENOSPC" });
    const terminal = fakeTerminal();
    expect(reportError(error, terminal)).toBe(1);
    expect(terminal.said()).toBe(
      "wisp: Something unexpected happened (ENOSPC).\n  no\\u{9b}space\n  To see where, run it again with WISP_LOG=debug.\n",
    );
    const debugging = fakeTerminal({ environment: { WISP_LOG: "debug" } });
    reportError(error, debugging);
    expect(debugging.said()).toContain("report.test.ts");
    expect(debugging.said().split("\n")).toHaveLength(4);
    expect(debugging.said()).toMatch(/\n {2}wisp doctor\n$/);
  });

  it("takes anything that was thrown", () => {
    const terminal = fakeTerminal();
    expect(reportError("a string", terminal)).toBe(1);
    expect(terminal.said()).toContain("a string");
  });
});
