import { describe, expect, test } from "vitest";
import type { QuestionEnd } from "../../../src/broker/approval/questioner.js";
import { errorCodes } from "../../../src/broker/request/error-codes.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { outcomes } from "../../../src/broker/request/outcome.js";
import {
  type QuestionFacts,
  questionOutput,
  questionResult,
} from "../../../src/server/mcp/question-result.js";
import { textOf } from "../../support/mcp-server.js";
import type { ToolResult } from "../../support/raw-client.js";

const facts: QuestionFacts = {
  doctor: "WISP_HOME=/h wisp doctor",
  keepSeconds: 600,
  hasReadAnswer: true,
  isAnswered: false,
  misconfigured: null,
};
const atTerminal = {
  assurance: "terminal",
  verified: { terminal: true, ancestry: true, signed: null },
  via: "cli",
  note: null,
  request: "k7q2mx9d",
  seconds: 12.4,
} as const;
const byNobody = { ...atTerminal, assurance: null, verified: null, via: "server" } as const;

const ends = {
  answered: { ...atTerminal, name: "answered", content: { values: ["pg"], text: null } },
  declined: { ...atTerminal, name: "declined", unseenMs: null },
  pending: { ...byNobody, name: "pending", expiresAt: 1_790_000_000_000 },
  not_obtained: { ...byNobody, name: "not_obtained" },
  timed_out: { ...byNobody, name: "timed_out" },
  abandoned: { ...byNobody, name: "abandoned" },
  withdrawn: { ...byNobody, name: "withdrawn" },
  failed: { ...byNobody, name: "failed" },
  refused: { ...byNobody, name: "refused", request: null, note: "20 questions wait already" },
  already_decided: { ...byNobody, name: "already_decided" },
} as const satisfies Record<QuestionEnd["name"], QuestionEnd>;

const all: readonly QuestionEnd[] = Object.values(ends);
const unanswered = all.filter(({ name }) => !["answered", "declined", "pending"].includes(name));

function resultOf(end: QuestionEnd, over: Partial<QuestionFacts> = {}): ToolResult {
  return questionResult(end, { ...facts, ...over }) as ToolResult;
}

function words(end: QuestionEnd, over: Partial<QuestionFacts> = {}): string {
  return textOf(resultOf(end, over));
}

describe("an answer", () => {
  test("of what was chosen is no error and leads with its values", () => {
    const content = { values: ["pg", "lite"], text: null } as const;
    const result = resultOf({ ...ends.answered, content });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({
      outcome: "answered",
      answer: { values: ["pg", "lite"] },
      request: "k7q2mx9d",
      via: "cli",
      assurance: "terminal",
      notifications: [],
    });
    expect(textOf(result)).toBe("pg, lite\n\nAnswered by the person (via cli, terminal).");
  });

  test("in words stands exactly in the fields, and visible line by line in the text", () => {
    const text = "Both:\n\u202epg";
    const result = resultOf({ ...ends.answered, content: { values: null, text } });
    expect(result.structuredContent).toMatchObject({ answer: { text } });
    expect(result.structuredContent?.answer).not.toHaveProperty("values");
    expect(textOf(result)).toBe("Both:\n\\u{202e}pg\n\nAnswered by the person (via cli, terminal).");
  });

  test("of which nothing shows that a person gave it says so", () => {
    expect(words({ ...ends.answered, assurance: "file", verified: null })).toContain(
      "Answered, and nothing shows that a person did (via cli, file).",
    );
  });
});

describe("a decline", () => {
  test("is an answer: no error and no code, and says not to guess", () => {
    const result = resultOf({ ...ends.declined, note: "ask Ann" });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({ outcome: "declined", note: "ask Ann" });
    expect(result.structuredContent).not.toHaveProperty("code");
    expect(textOf(result)).toBe(
      "Declined: the person does not want to answer: ask Ann. Do not ask the same again, and do not guess: go on without it, or say what you cannot do.",
    );
  });

  test("that nobody can have read the question for is not told as a person's", () => {
    expect(words({ ...ends.declined, unseenMs: 5 })).toMatch(
      /^Declined: the client's dialog answered 5 ms after it was asked/,
    );
    expect(words({ ...ends.declined, assurance: "file" })).toMatch(
      /^Declined, and nothing shows that a person did/,
    );
  });
});

describe("a question that waits on", () => {
  test("is no error, and says how the answer is collected and until when it waits", () => {
    const result = resultOf(ends.pending);
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({
      outcome: "pending",
      code: "approval_pending",
      retryable: true,
      request: "k7q2mx9d",
      expiresAt: 1_790_000_000_000,
    });
    expect(words(ends.pending)).toContain('call read_answer with {"request": "k7q2mx9d"}');
    expect(words(ends.pending)).toContain("kept for 600 s");
  });

  test("that keeps no answer does not send anybody to read_answer", () => {
    const text = words(ends.pending, { keepSeconds: 0 });
    expect(text).toContain("No answer is kept: it reaches only a call that is there for it.");
    expect(text).toContain("make exactly the same call again");
    expect(text).not.toContain("read_answer");
  });

  test("says where an answer came that does not count", () => {
    expect(words(ends.pending, { isAnswered: true })).toContain("no answer of theirs counts yet");
  });
});

describe("where there is no answer", () => {
  test.each(unanswered)("$name is an error with its own code, which holds none", (end) => {
    const { isError, structuredContent } = resultOf(end);
    const code = end.name === "refused" ? "rate_limited" : outcomes[end.name as "failed"].code;
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      outcome: end.name,
      code,
      retryable: errorCodes[code].retryable,
      request: end.request,
    });
    expect(structuredContent).not.toHaveProperty("answer");
  });

  test.each(unanswered)("$name begins with the outcome and ends with what to do", (end) => {
    const said = words(end);
    expect(said.toLowerCase()).toMatch(new RegExp(`^${end.name.replace("_", " ")}\\b`));
    const { recovery } = resultOf(end).structuredContent ?? {};
    expect(said.endsWith(String(recovery))).toBe(true);
  });

  test("a broken log or channel names the command that repairs it, and no other", () => {
    expect(words({ ...ends.failed, note: "channel_unsafe: \u001b[2J" })).toBe(
      "Failed, there is no answer: channel_unsafe: \\u{1b}[2J. Tell the person to run: WISP_HOME=/h wisp doctor",
    );
    expect(words({ ...ends.failed, request: null })).toMatch(/^Failed, no person could be asked\. /);
  });

  test("a broken configuration is said to be why nobody could be asked", () => {
    const misconfigured = new WispError("config_invalid", "config.json cannot be used: x");
    const result = resultOf({ ...ends.failed, request: null }, { misconfigured });
    expect(result.structuredContent).toMatchObject({ outcome: "failed", code: "config_invalid" });
    expect(textOf(result)).toContain("config.json cannot be used: x.");
  });
});

test.each(all)("the published schema takes what $name says, and requires the outcome alone", (end) => {
  expect(questionOutput.safeParse(resultOf(end).structuredContent).success).toBe(true);
  expect(questionOutput.safeParse({ outcome: end.name }).success).toBe(true);
  expect(questionOutput.safeParse({}).success).toBe(false);
});
