/** What a front end is sent. */
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import { version } from "../../../src/broker/version.js";
import { effects } from "../../../src/cli/chat/incoming.js";
import { approvalDraft, approvalRequest } from "../../support/builders.js";
import { fakeInbox, receiptOf } from "../../support/fake-inbox.js";
import { fact, frontEndOf, hello, question, refusal } from "../../support/front-end.js";
import { openAsker, tempHome } from "../../support/temp-home.js";

describe("a front end", () => {
  it("is greeted, and sent nothing else before it says what it can do", () => {
    const { news, says } = frontEndOf(fakeInbox([approvalRequest()]));
    expect(news()).toEqual([
      { type: "hello", version, effects: ["approve", "keep-facts", "answer-questions"] },
    ]);
    says({ type: "hello", effects: [] });
    expect(news()).toEqual([]);
    says(hello);
    expect(news()).toHaveLength(1);
  });

  it("is sent each request of its kinds once, as filed, and no other kind", () => {
    const inbox = fakeInbox([approvalRequest(), fact(), question()]);
    const [first] = inbox.state.requests;
    const { news, says } = frontEndOf(inbox);
    news();
    says(hello, hello);
    expect(news()).toEqual([expect.objectContaining({ type: "approval", request: first })]);
    const [more, another] = [approvalRequest(), fact()];
    inbox.arrives(more, another);
    expect(news()).toEqual([expect.objectContaining({ type: "approval", request: more })]);
    says({ type: "hello", effects: ["keep-facts", "answer-questions", "tell-fortunes", 7] });
    expect(news().map(({ type }) => type)).toEqual(["fact", "question", "fact"]);
    inbox.arrives(approvalRequest());
    expect(news()).toEqual([]);
  });

  it.each(effects)("never hears of a kind that it did not declare: %s alone", (effect) => {
    const inbox = fakeInbox([approvalRequest(), fact(), question()]);
    const { news, says } = frontEndOf(inbox);
    news();
    says({ type: "hello", effects: [effect] });
    for (const request of inbox.state.requests) inbox.leaves(request, null);
    const types = news().map(({ type }) => type);
    const kind = { approve: "approval", "keep-facts": "fact", "answer-questions": "question" }[effect];
    expect(types).toEqual([kind, "withdrawn"]);
  });

  it("hears once how a request ended that it was sent, by whom and whether that is proved", () => {
    const requests = [approvalRequest(), approvalRequest(), approvalRequest()] as const;
    const inbox = fakeInbox(requests);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    news();
    const [denied, late, gone] = requests;
    inbox.leaves(denied, { receipt: receiptOf(denied), proof: "proved" });
    const timedOut = receiptOf(late, { outcome: "timed_out", decision: "timed_out", via: "server" });
    inbox.leaves(late, { receipt: timedOut, proof: "unproved" });
    inbox.leaves(gone, null);
    inbox.leaves(gone, null);
    expect(news()).toEqual([
      { type: "withdrawn", id: denied.id, outcome: "answered", decision: "deny", via: "cli", proved: true },
      {
        type: "withdrawn",
        id: late.id,
        outcome: "timed_out",
        decision: "timed_out",
        via: "server",
        proved: false,
      },
      { type: "withdrawn", id: gone.id, outcome: null, decision: null, via: null, proved: false },
    ]);
  });

  it("hears of nothing after its session ended", () => {
    const inbox = fakeInbox();
    const { news, says, frontEnd } = frontEndOf(inbox);
    says(hello);
    news();
    frontEnd.close();
    inbox.arrives(approvalRequest());
    expect(news()).toEqual([]);
  });
});

describe("what an approval brings beside the request", () => {
  it("is the word to type, at level dangerous alone", () => {
    const inbox = fakeInbox([approvalRequest(), approvalRequest({ level: "dangerous" })]);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    expect(
      news()
        .slice(1)
        .map(({ word }) => word),
    ).toEqual([null, "main"]);
  });

  it("is the whole text where the request holds only its ends, and an objection where that is missing", () => {
    const home = tempHome();
    const text = `true ${"x".repeat(20_000)}`;
    const draft = approvalDraft();
    const long = {
      ...draft,
      subject: { ...draft.subject, argv: null, line: shortened(text) },
    } as typeof draft;
    const request = openAsker(home).channel.file(long, [text]);
    const sent = () => {
      const { news, says } = frontEndOf(fakeInbox([request], home));
      says(hello);
      return news()[1];
    };
    expect(sent()).toMatchObject({ texts: { line: text, command: "git push origin main" }, objection: null });
    unlinkSync(join(home.spool, sha256Hex(text)));
    expect(sent()).toMatchObject({ texts: null, objection: "the whole text of what runs is missing" });
  });

  it("is an objection where its file was changed", () => {
    const request = { ...approvalRequest(), level: "low" as const };
    const { news, says } = frontEndOf(fakeInbox([request]));
    says(
      hello,
      { type: "answer", id: request.id, decision: "approve" },
      { type: "answer", id: request.id, decision: "deny" },
    );
    expect(news().slice(1)).toEqual([
      expect.objectContaining({ objection: "the request was changed after it was filed" }),
      refusal(request.id, "request_altered"),
      refusal(request.id, "request_altered"),
    ]);
  });
});
