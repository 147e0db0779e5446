import { describe, expect, it } from "vitest";
import { composeRequest } from "../../src/broker/request/binding.js";
import { shortened } from "../../src/broker/request/long-text.js";
import { ageSecondsOf, askerOf, durationText, forWhom, summaryOf } from "../../src/face/describe.js";
import { approvalRequest, commandSubject, filingFacts } from "../support/builders.js";
import { factDraft, permissionSubject, questionDraft, toolSubject } from "../support/request-kinds.js";

const fact = composeRequest(factDraft(), filingFacts());
const question = composeRequest(questionDraft(), filingFacts());

describe("a request in few words", () => {
  it("says on one line what each kind is about", () => {
    expect(summaryOf(approvalRequest())).toBe("git push origin main");
    expect(summaryOf(approvalRequest({ subject: toolSubject() }))).toBe(
      "files · write_file /home/p/api/a.txt",
    );
    expect(summaryOf(approvalRequest({ subject: permissionSubject() }))).toBe("Edit");
    expect(summaryOf(fact)).toBe("api · test command: npm test");
    expect(summaryOf(question)).toBe("Which database?");
  });

  it("keeps a command of several lines on one, and escapes what a terminal interprets", () => {
    const line = "echo a\necho \u001b[2J";
    expect(summaryOf(approvalRequest({ subject: commandSubject({ line }) }))).toBe(
      "echo a\\u{a}echo \\u{1b}[2J",
    );
  });

  it("escapes a fact and a question as well", () => {
    const value = "a\u001b[2J";
    const hostile = { subject: value, name: value, value, source: null, directory: null, similar: [] };
    expect(summaryOf(composeRequest(factDraft({ fact: hostile }), filingFacts()))).toBe(
      "a\\u{1b}[2J · a\\u{1b}[2J: a\\u{1b}[2J",
    );
    expect(summaryOf(composeRequest(questionDraft({}, { text: value }), filingFacts()))).toBe("a\\u{1b}[2J");
    expect(summaryOf(approvalRequest({ subject: toolSubject({ tool: value, arguments: {} }) }))).toBe(
      "files · a\\u{1b}[2J",
    );
    expect(summaryOf(approvalRequest({ subject: permissionSubject({ tool: value }) }))).toBe("a\\u{1b}[2J");
  });

  it("says of a long text that there is more", () => {
    const line = shortened("x".repeat(20_000));
    expect(summaryOf(approvalRequest({ subject: commandSubject({ line }) }))).toBe(
      `${"x".repeat(1_000)} … (20000 bytes)`,
    );
  });

  it("names who asks, by the client's name or else by how it is connected", () => {
    const request = approvalRequest({ client: { name: "claude\u202ecode", version: "1" }, thread: "g\tit" });
    expect(askerOf(request)).toEqual({ client: "claude\\u{202e}code", thread: "g\\u{9}it" });
    expect(forWhom(approvalRequest({ client: null, thread: "git" }))).toBe("for stdio, thread git");
    expect(forWhom(approvalRequest())).toBe("for test-client");
  });

  it("never shows a negative age", () => {
    const request = approvalRequest({}, { createdAt: 1_000_000 });
    expect(ageSecondsOf(request, 1_059_999)).toBe(59);
    expect(ageSecondsOf(request, 0)).toBe(0);
  });

  it.each([
    [-5, "0:00"],
    [0.9, "0:00"],
    [59, "0:59"],
    [581, "9:41"],
    [3_600, "1:00:00"],
    [86_400, "24:00:00"],
    [172_800, "2 d"],
    [604_799, "6 d 23 h"],
    [604_800, "7 d"],
    [863_999, "9 d 23 h"],
    [949_000, "10 d"],
  ])("writes %d seconds as %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
