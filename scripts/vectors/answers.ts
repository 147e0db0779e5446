/** Answers of the vectors: good ones, some that may not decide their request, and what is no answer at all. */
import { type Answer, type AnswerObjection, answerFileName } from "../../src/broker/request/answer.js";
import { answerHash } from "../../src/broker/request/binding.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import type { Request } from "../../src/broker/request/request.js";
import { goodRequest } from "./good-requests.js";
import { bytesOf, type VectorFile } from "./vector.js";

function answerTo(request: Request, changes: Record<string, unknown>): Answer {
  return {
    v: 1,
    id: request.id,
    binding: request.binding,
    via: "cli",
    answeredAt: 1_790_000_012_000,
    by: { pid: 5012, startedAt: "234567", tty: "/dev/pts/3", version: "0.1.0" },
    ...changes,
  } as Answer;
}

const approve = { decision: "approve", scope: "once" } as const;

/** [name, the request it answers, what it says] */
const good: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ["approve", "approval-words", approve],
  ["approve-for-the-session", "approval-words", { ...approve, scope: "session", note: "but only today" }],
  [
    "approve-with-nulls",
    "approval-line",
    { ...approve, note: null, values: null, text: null, signature: null },
  ],
  ["approve-for-the-project", "approval-offers", { ...approve, scope: "project" }],
  [
    "approve-a-wider-rule",
    "approval-offers",
    { ...approve, scope: "always", rule: "Bash(git push origin *)", downgradedFrom: null },
  ],
  [
    "approve-less-than-was-asked-for",
    "approval-words",
    { ...approve, scope: "session", rule: null, downgradedFrom: "always" },
  ],
  ["deny", "approval-words", { decision: "deny", note: "nicht é 😀 \u2028" }],
  ["keep", "fact", { decision: "keep" }],
  ["drop", "fact", { decision: "drop", scope: null }],
  ["values", "question-choice", { decision: "answer", values: ["lite", "pg"] }],
  ["one-value", "question-one", { decision: "answer", values: ["8080"] }],
  ["text", "question-text", { decision: "answer", text: "for the tests" }],
  ["decline", "question-choice", { decision: "decline", via: "tui", note: null }],
  [
    "without-a-terminal",
    "approval-line",
    { ...approve, by: { pid: 1, startedAt: "", tty: null, version: "1" } },
  ],
];

/** Good JSON of the format that may not decide: [name, why, request, what it says] */
const notDeciding: readonly (readonly [string, AnswerObjection, string, Record<string, unknown>])[] = [
  [
    "other-binding",
    "it is bound to something else than what was filed",
    "approval-words",
    { ...approve, binding: sha256Hex("x") },
  ],
  [
    "binding-of-another-request",
    "it is bound to something else than what was filed",
    "approval-line",
    { ...approve, binding: goodRequest("approval-words").binding },
  ],
  ["scope-not-offered", "its scope was not offered", "approval-line", { ...approve, scope: "always" }],
  ["nothing-to-remember", "its scope was not offered", "approval-words", { ...approve, scope: "project" }],
  [
    "rule-not-offered",
    "its rule was not offered",
    "approval-offers",
    { ...approve, scope: "always", rule: "Bash(git *)" },
  ],
  [
    "rule-for-the-session",
    "its rule was not offered",
    "approval-offers",
    { ...approve, scope: "session", rule: "Bash(git push origin main)" },
  ],
  [
    "rule-with-a-no",
    "its rule was not offered",
    "approval-offers",
    { decision: "deny", rule: "Bash(git push origin main)" },
  ],
  [
    "downgraded-to-once",
    "only a yes for a session came from a wider scope",
    "approval-words",
    { ...approve, downgradedFrom: "project" },
  ],
  [
    "downgraded-from-once",
    "only a yes for a session came from a wider scope",
    "approval-words",
    { ...approve, scope: "session", downgradedFrom: "once" },
  ],
  ["no-scope", "its scope was not offered", "approval-words", { decision: "approve" }],
  [
    "deny-with-scope",
    "it carries a scope that its decision does not know",
    "approval-words",
    { decision: "deny", scope: "once" },
  ],
  [
    "keep-an-approval",
    "its decision belongs to another kind of request",
    "approval-words",
    { decision: "keep" },
  ],
  ["approve-a-fact", "its decision belongs to another kind of request", "fact", approve],
  ["approve-a-question", "its decision belongs to another kind of request", "question-text", approve],
  [
    "approve-with-text",
    "only a question is answered with text or values",
    "approval-words",
    { ...approve, text: "yes" },
  ],
  [
    "server-decision-by-a-face",
    "only the server that asked may give this decision",
    "approval-words",
    { decision: "timed_out" },
  ],
  [
    "person-decision-by-a-server",
    "a server gives no person's decision",
    "approval-words",
    { ...approve, via: "server" },
  ],
  [
    "values-and-text",
    "a question takes either values or text",
    "question-choice",
    { decision: "answer", values: ["pg"], text: "x" },
  ],
  [
    "text-over-4-kib",
    "its text is longer than an answer may be",
    "question-text",
    { decision: "answer", text: "\u20ac".repeat(1_366) },
  ],
  ["blank-text", "this question takes no such text", "question-text", { decision: "answer", text: " \n" }],
  [
    "keep-for-the-session",
    "it carries a scope that its decision does not know",
    "fact",
    { decision: "keep", scope: "session" },
  ],
  ["neither", "a question takes either values or text", "question-text", { decision: "answer" }],
  [
    "unknown-value",
    "a value was not among the options",
    "question-choice",
    { decision: "answer", values: ["my"] },
  ],
  [
    "two-values-where-one",
    "this question takes one value",
    "question-one",
    { decision: "answer", values: ["80", "8080"] },
  ],
  ["value-twice", "a value stands twice", "question-choice", { decision: "answer", values: ["pg", "pg"] }],
  ["no-values", "this question takes no values", "question-choice", { decision: "answer", values: [] }],
  [
    "values-without-options",
    "this question takes no values",
    "question-text",
    { decision: "answer", values: ["pg"] },
  ],
  [
    "text-not-allowed",
    "this question takes no such text",
    "question-choice",
    { decision: "answer", text: "Oracle" },
  ],
];

const base = goodRequest("approval-words");
/** The answer that the receipts speak of. */
export const yes = answerTo(base, approve);
const yesText = JSON.stringify(yes);
const notAnAnswer = "it is not an answer";

/** What is no answer at all: [name, why, text]. The name in the channel is that of the base's slot. */
const noAnswers: readonly (readonly [string, string, string | Uint8Array])[] = [
  ["bad-utf-8", "not valid UTF-8", Uint8Array.from([...bytesOf(yesText.slice(0, -1)), 0xff, 0x7d])],
  ["half", "not JSON", yesText.slice(0, 60)],
  ["duplicate-decision", "duplicate key", yesText.replace('"decision":', '"decision":"deny","decision":')],
  ["proto", "forbidden key", yesText.replace('"decision":"approve"', '"__proto__":{"decision":"approve"}')],
  ["unknown-key", notAnAnswer, JSON.stringify({ ...yes, approved: true })],
  ["no-decision", notAnAnswer, JSON.stringify({ ...yes, decision: undefined })],
  ["unknown-decision", notAnAnswer, JSON.stringify({ ...yes, decision: "yes" })],
  ["true-for-a-decision", notAnAnswer, JSON.stringify({ ...yes, decision: true })],
  ["unknown-way", notAnAnswer, JSON.stringify({ ...yes, via: "mcp" })],
  ["newer", notAnAnswer, JSON.stringify({ ...yes, v: 2 })],
  ["no-process", notAnAnswer, JSON.stringify({ ...yes, by: undefined })],
  ["long-note", notAnAnswer, JSON.stringify({ ...yes, note: "x".repeat(4_097) })],
  ["path-for-an-id", notAnAnswer, JSON.stringify({ ...yes, id: "../../etc/passwd" })],
  ["id-not-its-name", "its id is not its name", JSON.stringify({ ...yes, id: "zzzzzzzz" })],
];

export function answerVectors(): readonly VectorFile[] {
  const files: VectorFile[] = [];
  for (const [name, request, changes] of good) {
    const answer = answerTo(goodRequest(request), changes);
    files.push(
      answerFile(`valid/answer-${name}.json`, request, "ok", JSON.stringify(answer), answerHash(answer)),
    );
  }
  for (const [name, objection, request, changes] of notDeciding) {
    const text = JSON.stringify(answerTo(goodRequest(request), changes));
    files.push(answerFile(`refused/answer-${name}.json`, request, objection, text));
  }
  for (const [name, objection, content] of noAnswers) {
    files.push(answerFile(`refused/answer-${name}.json`, "approval-words", objection, content));
  }
  return files;
}

function answerFile(
  file: string,
  request: string,
  expect: string,
  content: string | Uint8Array,
  hash?: string,
): VectorFile {
  return {
    vector: {
      file,
      as: "answer",
      name: answerFileName(goodRequest(request).id),
      expect,
      code: expect === "ok" ? null : "answer_refused",
      request: requestFile(request),
      ...(hash === undefined ? {} : { hash }),
    },
    bytes: typeof content === "string" ? bytesOf(content) : content,
  };
}

export function requestFile(name: string): string {
  return `valid/request-${name}.json`;
}
