import { describe, expect, test } from "vitest";
import {
  type Answer,
  type AnswerObjection,
  answerFileName,
  answerSchema,
  type Decision,
  decisions,
  longestNote,
  objectionTo,
  parseAnswerFileName,
  vias,
} from "../../../src/broker/request/answer.js";
import { composeRequest } from "../../../src/broker/request/binding.js";
import type { Kind, Request } from "../../../src/broker/request/request.js";
import { type Scope, scopes } from "../../../src/broker/request/scope.js";
import {
  answerTo,
  approvalDraft,
  denialOf,
  filingFacts,
  offeringDraft,
  twoOffers,
} from "../../support/builders.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";

const approval = composeRequest(approvalDraft({ scopes: ["once", "session"] }), filingFacts());
const fact = composeRequest(factDraft(), filingFacts());
const choice = composeRequest(questionDraft(), filingFacts());
const choices = composeRequest(questionDraft({}, { multiple: true, allowText: true }), filingFacts());
const open = composeRequest(questionDraft({}, { options: null, allowText: true }), filingFacts());

const requests: Record<Kind, Request> = { approval, fact, question: choice };

/** The plainest good answer of each kind of decision. */
const good: Record<Decision, (request: Request) => Answer> = {
  approve: (request) => answerTo(request),
  deny: (request) => denialOf(request),
  keep: (request) => bare(request, { decision: "keep" }),
  drop: (request) => bare(request, { decision: "drop" }),
  answer: (request) => bare(request, { decision: "answer", values: ["pg"] }),
  decline: (request) => bare(request, { decision: "decline" }),
  timed_out: (request) => bare(request, { decision: "timed_out", via: "server" }),
  withdrawn: (request) => bare(request, { decision: "withdrawn", via: "server" }),
  abandoned: (request) => bare(request, { decision: "abandoned", via: "server" }),
  failed: (request) => bare(request, { decision: "failed", via: "server" }),
};

const kindsOf: Record<Decision, readonly Kind[]> = {
  approve: ["approval"],
  deny: ["approval"],
  keep: ["fact"],
  drop: ["fact"],
  answer: ["question"],
  decline: ["question"],
  timed_out: ["approval", "fact", "question"],
  withdrawn: ["approval", "fact", "question"],
  abandoned: ["approval", "fact", "question"],
  failed: ["approval", "fact", "question"],
};

const everyPair = decisions.flatMap((decision) =>
  (["approval", "fact", "question"] as const).map((kind) => [decision, kind] as const),
);

describe("objectionTo", () => {
  test.each(everyPair)("%s decides a request of kind %s exactly when it belongs to it", (decision, kind) => {
    const belongs = kindsOf[decision].includes(kind);
    const objection = objectionTo(good[decision](requests[kind]), requests[kind]);
    if (belongs) expect(objection).toBeNull();
    else expect(objection).toBe("its decision belongs to another kind of request");
  });

  test.each<readonly [AnswerObjection, Partial<Answer>]>([
    ["it names another request", { id: "zzzzzzzz" }],
    ["it is bound to something else than what was filed", { binding: "0".repeat(64) }],
    ["it is bound to something else than what was filed", { binding: choice.binding }],
    ["only the server that asked may give this decision", { decision: "timed_out", scope: null }],
    [
      "only the server that asked may give this decision",
      { decision: "failed", scope: null, via: "elicitation" },
    ],
    ["a server gives no person's decision", { via: "server" }],
    ["its decision belongs to another kind of request", { decision: "keep", scope: null }],
    ["its scope was not offered", { scope: "always" }],
    ["its scope was not offered", { scope: "project" }],
    ["its scope was not offered", { scope: null }],
    ["it carries a scope that its decision does not know", { decision: "deny", scope: "once" }],
    [
      "it carries a scope that its decision does not know",
      { decision: "withdrawn", via: "server", scope: "once" },
    ],
    ["only a question is answered with text or values", { values: ["pg"] }],
    ["only a question is answered with text or values", { values: [] }],
    ["only a question is answered with text or values", { text: "yes" }],
    ["only a question is answered with text or values", { decision: "deny", scope: null, text: "" }],
    [
      "only a question is answered with text or values",
      { decision: "failed", via: "server", scope: null, text: "x" },
    ],
  ])("an approval is not decided: %s", (objection, change) => {
    expect(objectionTo(answerTo(approval, change), approval)).toBe(objection);
    expect(objectionTo(answerTo(approval, { scope: "session" }), approval)).toBeNull();
  });

  test("an approval without any scope field is no approval", () => {
    const { scope: _left, ...without } = answerTo(approval);
    expect(objectionTo(without, approval)).toBe("its scope was not offered");
    expect(objectionTo(answerTo(approval), approval)).toBeNull();
  });

  test("of all scopes exactly those that were offered approve", () => {
    const sets: readonly (readonly Scope[])[] = [["once"], ["once", "session"], ["session"], [...scopes]];
    for (const offered of sets) {
      const request = composeRequest(offeringDraft({ scopes: [...offered] }), filingFacts());
      const taken = scopes.filter((scope) => objectionTo(answerTo(request, { scope }), request) === null);
      expect(taken).toEqual(offered);
    }
  });

  test("a yes for the project or for always needs something that it could remember", () => {
    for (const remember of [null, undefined]) {
      const { remember: _offered, ...draft } = offeringDraft();
      const request = composeRequest({ ...draft, ...(remember === null && { remember }) }, filingFacts());
      const taken = scopes.filter((scope) => objectionTo(answerTo(request, { scope }), request) === null);
      expect(taken).toEqual(["once", "session"]);
    }
  });

  test.each(["project", "always"] as const)("a yes for %s remembers a rule that was offered", (scope) => {
    const request = composeRequest(offeringDraft(), filingFacts());
    const offered = twoOffers().offers.map(({ rule }) => rule);
    for (const rule of [undefined, null, ...offered]) {
      expect(objectionTo(answerTo(request, { scope, rule }), request)).toBeNull();
    }
    for (const rule of ["", "Bash(git *)", " Bash(git push origin main)", "git push origin main"]) {
      expect(objectionTo(answerTo(request, { scope, rule }), request)).toBe("its rule was not offered");
    }
  });

  test.each<readonly [string, Partial<Answer>]>([
    ["a yes for once", { scope: "once" }],
    ["a yes for the session", { scope: "session" }],
    ["a no", { decision: "deny", scope: null }],
    ["a server's own decision", { decision: "timed_out", scope: null, via: "server" }],
  ])("%s remembers no rule", (_what, change) => {
    const request = composeRequest(offeringDraft(), filingFacts());
    const rule = "Bash(git push origin main)";
    expect(objectionTo(answerTo(request, { ...change, rule }), request)).toBe("its rule was not offered");
    expect(objectionTo(answerTo(request, change), request)).toBeNull();
  });

  test("only a yes for the session came from a wider scope, for the project or for always", () => {
    const objection = "only a yes for a session came from a wider scope";
    const request = composeRequest(offeringDraft(), filingFacts());
    for (const downgradedFrom of ["project", "always"] as const) {
      const answer = answerTo(request, { scope: "session", downgradedFrom });
      expect(objectionTo(answer, request)).toBeNull();
      for (const scope of ["once", "project", "always"] as const) {
        expect(objectionTo({ ...answer, scope }, request)).toBe(objection);
      }
      expect(objectionTo({ ...answer, decision: "deny", scope: null }, request)).toBe(objection);
    }
    for (const downgradedFrom of ["once", "session"] as const) {
      expect(objectionTo(answerTo(request, { scope: "session", downgradedFrom }), request)).toBe(objection);
    }
    expect(objectionTo(answerTo(request, { scope: "session", downgradedFrom: null }), request)).toBeNull();
  });

  test.each(vias)("a person's decision through %s decides unless it is the server", (via) => {
    expect(objectionTo(answerTo(approval, { via }), approval) === null).toBe(via !== "server");
    expect(objectionTo(denialOf(approval, "not now"), approval)).toBeNull();
  });

  test.each<readonly [AnswerObjection, Partial<Answer>]>([
    ["it carries a scope that its decision does not know", { decision: "keep", scope: "once" }],
    ["it carries a scope that its decision does not know", { decision: "keep", scope: "session" }],
    ["it carries a scope that its decision does not know", { decision: "drop", scope: "once" }],
    ["it carries a scope that its decision does not know", { decision: "drop", scope: "project" }],
    ["only a question is answered with text or values", { decision: "keep", text: "x" }],
    ["only a question is answered with text or values", { decision: "drop", values: ["x"] }],
    ["its decision belongs to another kind of request", { decision: "approve", scope: "once" }],
    ["its decision belongs to another kind of request", { decision: "answer", text: "x" }],
  ])("a fact is not decided: %s", (objection, change) => {
    expect(objectionTo(bare(fact, change), fact)).toBe(objection);
    expect(objectionTo(bare(fact, { decision: "keep" }), fact)).toBeNull();
  });

  test("a fact is kept for its project or everywhere, and dropped for this time or for good", () => {
    const answers: readonly Partial<Answer>[] = [
      { decision: "keep", scope: null },
      { decision: "keep", scope: "project" },
      { decision: "keep", scope: "always" },
      { decision: "drop", scope: "always" },
    ];
    for (const change of answers) expect(objectionTo(bare(fact, change), fact)).toBeNull();
    const nowhere = composeRequest(
      factDraft({ fact: { ...factDraft().fact, directory: null } }),
      filingFacts(),
    );
    const kept = bare(nowhere, { decision: "keep", scope: "project" });
    expect(objectionTo(kept, nowhere)).toBe("it carries a scope that its decision does not know");
    expect(objectionTo({ ...kept, scope: "always" }, nowhere)).toBeNull();
  });

  test.each<readonly [AnswerObjection, string, Request, Partial<Answer>]>([
    ["a question takes either values or text", "neither", choice, {}],
    ["a question takes either values or text", "both", choices, { values: ["pg"], text: "other" }],
    ["this question takes no values", "an empty list", choices, { values: [] }],
    ["this question takes no values", "a value without options", open, { values: ["pg"] }],
    ["this question takes one value", "two values", choice, { values: ["pg", "lite"] }],
    ["a value stands twice", "a repeated value", choices, { values: ["pg", "pg"] }],
    ["a value was not among the options", "an unknown value", choice, { values: ["my"] }],
    ["a value was not among the options", "a label", choice, { values: ["PostgreSQL"] }],
    ["a value was not among the options", "one of two unknown", choices, { values: ["pg", "my"] }],
    ["a value was not among the options", "another spelling", choice, { values: ["PG"] }],
    ["this question takes no such text", "text where none is allowed", choice, { text: "pg" }],
    ["this question takes no such text", "an empty text", open, { text: "" }],
    ["this question takes no such text", "blanks", open, { text: " \n\t" }],
    ["its text is longer than an answer may be", "4 KiB and a byte", open, { text: `${"é".repeat(2_048)}x` }],
    [
      "it carries a scope that its decision does not know",
      "a scope",
      choice,
      { values: ["pg"], scope: "once" },
    ],
    [
      "only a question is answered with text or values",
      "a decline with text",
      open,
      { decision: "decline", text: "x" },
    ],
  ])("a question is not decided: %s (%s)", (objection, _what, request, change) => {
    expect(objectionTo(bare(request, { decision: "answer", ...change }), request)).toBe(objection);
    expect(objectionTo(bare(request, { decision: "decline", note: "later" }), request)).toBeNull();
  });

  test("a question takes one of its values, several where it says so, and text where it says so", () => {
    const answers: readonly (readonly [Request, Partial<Answer>])[] = [
      [choice, { values: ["lite"] }],
      [choice, { values: ["pg"], text: null }],
      [choices, { values: ["lite", "pg"] }],
      [choices, { text: "neither of them" }],
      [open, { text: "Oracle", values: null }],
      [open, { text: "é".repeat(2_048) }],
    ];
    for (const [request, change] of answers) {
      expect(objectionTo(bare(request, { decision: "answer", ...change }), request)).toBeNull();
    }
  });
});

describe("answerSchema", () => {
  const answer = answerTo(approval);

  test.each<readonly [string, object]>([
    ["an unknown key", { approved: true }],
    ["a newer version", { v: 2 }],
    ["a version in words", { v: "1" }],
    ["a path for an id", { id: "../../etc/x" }],
    ["a short binding", { binding: "abc" }],
    ["a binding in capitals", { binding: "A".repeat(64) }],
    ["an unknown decision", { decision: "yes" }],
    ["a decision in capitals", { decision: "Approve" }],
    ["a true decision", { decision: true }],
    ["a list of decisions", { decision: ["approve"] }],
    ["an unknown scope", { scope: "forever" }],
    ["an unknown way", { via: "mcp" }],
    ["a note that is a document", { note: "x".repeat(longestNote + 1) }],
    ["a text that is a document", { text: "x".repeat(longestNote + 1) }],
    ["a value that is no text", { values: [1] }],
    ["values that are no list", { values: "pg" }],
    ["a time with a fraction", { answeredAt: 1.5 }],
    ["a time before the epoch", { answeredAt: -1 }],
    ["a time in words", { answeredAt: "2026-01-01T00:00:00Z" }],
    ["a process 0", { by: { ...answer.by, pid: 0 } }],
    ["no process", { by: null }],
    ["an unknown key about the process", { by: { ...answer.by, uid: 0 } }],
    ["a signature that is cut", { signature: { key: "k", value: "A".repeat(85) } }],
    ["a signature in base64", { signature: { key: "k", value: `${"A".repeat(85)}+` } }],
  ])("an answer with %s is refused", (_what, change) => {
    expect(answerSchema.safeParse({ ...answer, ...change }).success).toBe(false);
    expect(answerSchema.safeParse(answer).success).toBe(true);
  });

  test.each(["v", "id", "binding", "decision", "via", "answeredAt", "by"])(
    "an answer without %s is refused",
    (key) => {
      expect(answerSchema.safeParse({ ...answer, [key]: undefined }).success).toBe(false);
      const { [key]: _gone, ...rest } = answer as unknown as Record<string, unknown>;
      expect(answerSchema.safeParse(rest).success).toBe(false);
      expect(answerSchema.safeParse(answer).success).toBe(true);
    },
  );

  test("optional fields may be null or left out", () => {
    const full = { ...answer, note: "x".repeat(longestNote), signature: { key: "k", value: "A".repeat(86) } };
    const nulls = { ...answer, scope: null, note: null, values: null, text: null, signature: null };
    const { scope: _scope, ...least } = answer;
    for (const value of [full, nulls, least]) expect(answerSchema.parse(value)).toEqual(value);
  });
});

describe("names of answer files", () => {
  test("a slot is named by its request's id and found by its name", () => {
    expect(answerFileName("k7q2mx9d")).toBe("k7q2mx9d.answer.json");
    expect(parseAnswerFileName("k7q2mx9d.answer.json")).toBe("k7q2mx9d");
  });

  test.each([
    ".tmp.0123",
    ".answer.json",
    ".k7q2mx9d.answer.json",
    "k7q2mx9d.request.json",
    "k7q2mx9d.answer.json~",
  ])("%s is no slot", (name) => {
    expect(parseAnswerFileName(name)).toBeNull();
    expect(parseAnswerFileName(answerFileName("k7q2mx9d"))).toBe("k7q2mx9d");
  });
});

/** An answer without a scope. */
function bare(request: Request, overrides: Partial<Answer>): Answer {
  return answerTo(request, { scope: null, ...overrides });
}
