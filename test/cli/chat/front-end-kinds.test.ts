/** Answers of a front end to facts and questions. */
import { describe, expect, it } from "vitest";
import { composeRequest } from "../../../src/broker/request/binding.js";
import type { errorCodes } from "../../../src/broker/request/error-codes.js";
import type { Request } from "../../../src/broker/request/request.js";
import type { Given } from "../../../src/face/answer.js";
import { filingFacts } from "../../support/builders.js";
import { fakeInbox, receiptOf } from "../../support/fake-inbox.js";
import { fact, frontEndOf, type Message, question, refusal } from "../../support/front-end.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";

const hello = { type: "hello", effects: ["keep-facts", "answer-questions"] };

const everywhere = () =>
  composeRequest(factDraft({ fact: { ...factDraft().fact, directory: null } }), filingFacts());
const several = () => composeRequest(questionDraft({}, { multiple: true, allowText: true }), filingFacts());
const inWords = () => composeRequest(questionDraft({}, { options: null, allowText: true }), filingFacts());

type Row = readonly [string, () => Request, Message, Partial<Given>];

describe("an answer of a front end to a fact or a question", () => {
  it.each<Row>([
    [
      "a fact, kept no further than it must",
      fact,
      { decision: "keep" },
      { decision: "keep", scope: "project" },
    ],
    ["a fact without a directory", everywhere, { decision: "keep" }, { decision: "keep", scope: "always" }],
    [
      "a fact, everywhere",
      fact,
      { decision: "keep", scope: "always" },
      { decision: "keep", scope: "always" },
    ],
    ["a fact, dropped", fact, { decision: "drop" }, { decision: "drop", scope: null }],
    ["a fact, for good", fact, { decision: "drop", scope: "always" }, { decision: "drop", scope: "always" }],
    ["one option", question, { decision: "answer", values: ["pg"] }, { values: ["pg"], text: null }],
    [
      "several options",
      several,
      { decision: "answer", values: ["lite", "pg"] },
      { values: ["lite", "pg"], text: null },
    ],
    ["a text", inWords, { decision: "answer", text: "a \u202eb" }, { values: null, text: "a \u202eb" }],
    ["4,096 bytes", inWords, { decision: "answer", text: "é".repeat(2_048) }, { text: "é".repeat(2_048) }],
    [
      "a no with a note",
      question,
      { decision: "decline", note: "ask Ada" },
      { decision: "decline", note: "ask Ada" },
    ],
  ])("%s is given as it is said", (_what, make, fields, given) => {
    const request = make();
    const inbox = fakeInbox([request]);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    news();
    says({ type: "answer", id: request.id, ...fields });
    expect(news()).toEqual([]);
    expect(inbox.answers.map((one) => one.given)).toEqual([expect.objectContaining(given)]);
  });

  it.each<readonly [string, () => Request, Message]>([
    ["a fact approved", fact, { decision: "approve" }],
    ["a fact answered", fact, { decision: "answer", text: "yes" }],
    ["a fact kept once", fact, { decision: "keep", scope: "once" }],
    ["a fact kept global, which is a person's word", fact, { decision: "keep", scope: "global" }],
    ["a fact without a directory kept for one", everywhere, { decision: "keep", scope: "project" }],
    ["a fact dropped for a project", fact, { decision: "drop", scope: "project" }],
    ["a fact kept with a note", fact, { decision: "keep", note: "good" }],
    ["a fact kept with values", fact, { decision: "keep", values: ["pg"] }],
    ["a question approved", question, { decision: "approve" }],
    ["a question kept", question, { decision: "keep" }],
    ["an answer without any", question, { decision: "answer" }],
    ["no option", question, { decision: "answer", values: [] }],
    ["an option that was not offered", question, { decision: "answer", values: ["oracle"] }],
    ["a label in place of a value", question, { decision: "answer", values: ["PostgreSQL"] }],
    ["two options where one is taken", question, { decision: "answer", values: ["pg", "lite"] }],
    ["an option twice", several, { decision: "answer", values: ["pg", "pg"] }],
    ["a text where none is taken", question, { decision: "answer", text: "MySQL" }],
    ["values where there are no options", inWords, { decision: "answer", values: ["pg"] }],
    ["both", several, { decision: "answer", values: ["pg"], text: "PostgreSQL" }],
    ["blanks", inWords, { decision: "answer", text: "  " }],
    ["4,097 bytes", inWords, { decision: "answer", text: `${"é".repeat(2_048)}x` }],
    ["a scope", question, { decision: "answer", values: ["pg"], scope: "once" }],
    ["a note beside an answer", question, { decision: "answer", values: ["pg"], note: "hurry" }],
    ["a decline with an answer", question, { decision: "decline", values: ["pg"] }],
    ["a decline with a scope", question, { decision: "decline", scope: "always" }],
  ])("%s is refused, and it goes on waiting", (_what, make, fields) => {
    const request = make();
    const inbox = fakeInbox([request]);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    news();
    says({ type: "answer", id: request.id, ...fields });
    expect(news()).toEqual([refusal(request.id, "invalid_input")]);
    expect(inbox.answers).toEqual([]);
    says({ type: "answer", id: request.id, decision: request.kind === "fact" ? "drop" : "decline" });
    expect(inbox.answers).toHaveLength(1);
  });

  it("a text where none is taken is told what is: values, for a program types no number", () => {
    const request = question();
    const inbox = fakeInbox([request]);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    news();
    says({ type: "answer", id: request.id, decision: "answer", text: "1" });
    expect(JSON.stringify(news())).toContain("it takes no text, but values of its options");
    says({ type: "answer", id: request.id, decision: "answer", values: ["pg"] });
    expect(inbox.answers).toHaveLength(1);
  });

  it.each([
    ["fact", fact, { decision: "keep" }],
    ["fact", fact, { decision: "drop" }],
    ["question", question, { decision: "answer", values: ["pg"] }],
    ["question", question, { decision: "decline" }],
  ])("to a %s that was changed after it was filed is refused: %#", (_kind, make, fields) => {
    const good = make();
    const altered = { ...make(), says: "trust me" } as Request;
    const inbox = fakeInbox([altered, good]);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    news();
    says({ type: "answer", id: altered.id, ...fields });
    expect(news()).toEqual([refusal(altered.id, "request_altered")]);
    says({ type: "answer", id: good.id, ...fields });
    expect(inbox.answers.map(({ request }) => request)).toEqual([good]);
  });

  it("to a kind that it did not declare is of nothing that it was sent", () => {
    const [one, other] = [fact(), question()];
    const inbox = fakeInbox([one, other]);
    const { news, says } = frontEndOf(inbox);
    says({ type: "hello", effects: ["answer-questions"] });
    expect(news().map(({ type }) => type)).toEqual(["hello", "question"]);
    says({ type: "answer", id: one.id, decision: "keep" });
    expect(news()).toEqual([refusal(one.id, "request_unknown")]);
    says({ type: "answer", id: other.id, decision: "decline" });
    expect(inbox.answers.map(({ request }) => request)).toEqual([other]);
  });

  it.each<[string, string | null, keyof typeof errorCodes, string]>([
    ["its server had died", null, "request_stale", "its server died and nothing was kept"],
    [
      "it could not be kept",
      "x",
      "channel_unavailable",
      "could not be written down or kept, so nothing was kept",
    ],
  ])("that was first and came to nothing is refused with why: %s", async (_why, reveal, code, why) => {
    const request = fact();
    const inbox = fakeInbox([request]);
    const { news, says, turn } = frontEndOf(inbox);
    says(hello);
    news();
    inbox.ends({
      kind: "won",
      receipt: receiptOf(request, { outcome: "failed", decision: "keep", reveal }),
      isVerified: reveal !== null,
    });
    says({ type: "answer", id: request.id, decision: "keep" });
    await turn();
    expect(news()).toEqual([expect.objectContaining({ code, why: expect.stringContaining(why) })]);
    inbox.ends({ kind: "won", receipt: receiptOf(request, { decision: "drop" }), isVerified: true });
    says({ type: "answer", id: request.id, decision: "drop" });
    await turn();
    expect(news()).toEqual([{ type: "accepted", id: request.id }]);
  });
});
