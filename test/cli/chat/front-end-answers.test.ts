import { describe, expect, it } from "vitest";
import type { AnswerEnding } from "../../../src/broker/channel/answering.js";
import type { errorCodes } from "../../../src/broker/request/error-codes.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { alteredNote } from "../../../src/broker/request/receipt.js";
import type { Request } from "../../../src/broker/request/request.js";
import { approvalRequest } from "../../support/builders.js";
import { fakeInbox, receiptOf } from "../../support/fake-inbox.js";
import { frontEndOf, hello, type Message, refusal, won } from "../../support/front-end.js";

describe("an answer of a front end", () => {
  it("is given as this process's, and what follows is accepted alone", async () => {
    const request = approvalRequest({ scopes: ["once", "session"] });
    const inbox = fakeInbox([request]);
    const { news, says, turn } = frontEndOf(inbox);
    says(hello);
    news();
    says({
      type: "answer",
      id: request.id,
      decision: "approve",
      scope: "session",
      note: "go on",
      colour: "green",
    });
    expect(inbox.answers).toEqual([
      { request, given: { decision: "approve", scope: "session", note: "go on" } },
    ]);
    // The inbox sees the ending before whoever answered does.
    inbox.leaves(request, { receipt: receiptOf(request), proof: "proved" });
    inbox.ends(won(request));
    await turn();
    inbox.leaves(request, { receipt: receiptOf(request), proof: "proved" });
    expect(news()).toEqual([{ type: "accepted", id: request.id }]);
  });

  it("is for once where it names no scope, and a no has none", async () => {
    const requests = [approvalRequest({ scopes: ["session", "once"] }), approvalRequest()] as const;
    const inbox = fakeInbox(requests);
    const { says } = frontEndOf(inbox);
    const [yes, no] = requests;
    says(
      hello,
      { type: "answer", id: yes.id, decision: "approve" },
      { type: "answer", id: no.id, decision: "deny", note: "" },
    );
    expect(inbox.answers.map(({ given }) => given)).toEqual([
      { decision: "approve", scope: "once", note: null },
      { decision: "deny", scope: null, note: null },
    ]);
  });

  it("needs the word of the action at level dangerous", () => {
    const request = approvalRequest({ level: "dangerous" });
    const inbox = fakeInbox([request]);
    const { news, says } = frontEndOf(inbox);
    const answer = { type: "answer", id: request.id, decision: "approve" };
    says(hello);
    news();
    says(answer, { ...answer, word: "y" }, { ...answer, word: null });
    expect(news()).toEqual([1, 2, 3].map(() => refusal(request.id, "answer_refused")));
    expect(inbox.answers).toEqual([]);
    says({ ...answer, word: "main" });
    expect(inbox.answers).toHaveLength(1);
  });

  it("needs a terminal, whatever its line says", () => {
    const request = approvalRequest();
    const inbox = fakeInbox([request]);
    const { news, says } = frontEndOf(inbox, false);
    says(hello);
    news();
    const answer = { type: "answer", id: request.id, canAnswer: true, signature: "x", tty: "/dev/pts/3" };
    says({ ...answer, decision: "approve" }, { ...answer, decision: "deny" });
    expect(news()).toEqual([1, 2].map(() => refusal(request.id, "terminal_required")));
    expect(inbox.answers).toEqual([]);
    const atTerminal = frontEndOf(inbox);
    atTerminal.says(hello, { ...answer, decision: "approve" });
    expect(inbox.answers).toHaveLength(1);
  });

  it.each<[string, Message, keyof typeof errorCodes]>([
    ["a scope that was not offered", { decision: "approve", scope: "always" }, "invalid_input"],
    ["a scope that there is not", { decision: "approve", scope: "forever" }, "invalid_input"],
    ["a scope that is no text", { decision: "approve", scope: ["once"] }, "invalid_input"],
    ["a no with a scope", { decision: "deny", scope: "once" }, "invalid_input"],
    ["a decision of another kind", { decision: "keep" }, "invalid_input"],
    ["a decision of a server", { decision: "timed_out" }, "invalid_input"],
    ["no decision", {}, "invalid_input"],
    ["values", { decision: "approve", values: ["pg"] }, "invalid_input"],
    ["text", { decision: "approve", text: "yes" }, "invalid_input"],
    ["another word than its action's", { decision: "approve", word: "other" }, "answer_refused"],
    ["too long a note", { decision: "deny", note: "x".repeat(4_097) }, "invalid_input"],
    ["values that are no list", { decision: "approve", values: "pg" }, "invalid_input"],
    ["values that are no texts", { decision: "approve", values: [1] }, "invalid_input"],
    ["text that is none", { decision: "approve", text: { a: 1 } }, "invalid_input"],
  ])("with %s is refused, and the request goes on waiting", (_what, fields, code) => {
    const request = approvalRequest();
    const inbox = fakeInbox([request]);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    news();
    says({ type: "answer", id: request.id, ...fields });
    expect(news()).toEqual([refusal(request.id, code)]);
    expect(inbox.answers).toEqual([]);
    says({ type: "answer", id: request.id, decision: "approve" });
    expect(inbox.answers).toHaveLength(1);
  });

  it("that only an enrolled key may give is refused, and a no is taken", () => {
    const request = approvalRequest({ assurance: "signed" });
    const inbox = fakeInbox([request]);
    const { news, says } = frontEndOf(inbox);
    says(hello);
    news();
    says({ type: "answer", id: request.id, decision: "approve" });
    expect(news()).toEqual([refusal(request.id, "assurance_insufficient")]);
    says({ type: "answer", id: request.id, decision: "deny" });
    expect(inbox.answers).toHaveLength(1);
  });

  it("to what it was not sent is refused, for it can have shown that to nobody", () => {
    const [waiting, ended] = [approvalRequest(), approvalRequest()];
    const inbox = fakeInbox([waiting, ended]);
    const { news, says } = frontEndOf(inbox);
    const answer = { type: "answer", id: waiting.id, decision: "approve" };
    says(answer, { ...answer, id: waiting.id.slice(0, 4) }, { ...answer, id: "../../etc" });
    expect(news().slice(1)).toEqual([
      refusal(waiting.id, "request_unknown"),
      refusal(null, "invalid_input"),
      refusal(null, "invalid_input"),
    ]);
    says(hello);
    inbox.leaves(ended, null);
    news();
    says({ ...answer, id: ended.id });
    expect(news()).toEqual([refusal(ended.id, "answer_exists")]);
    says(answer);
    expect(inbox.answers).toHaveLength(1);
  });

  it("is one at a time for a request", async () => {
    const request = approvalRequest();
    const inbox = fakeInbox([request]);
    const { news, says, turn } = frontEndOf(inbox);
    says(hello);
    news();
    says(
      { type: "answer", id: request.id, decision: "approve" },
      { type: "answer", id: request.id, decision: "deny" },
    );
    expect(news()).toEqual([refusal(request.id, "answer_exists")]);
    inbox.ends({ kind: "refused", shortfall: "within_client" });
    await turn();
    expect(news()).toEqual([refusal(request.id, "assurance_insufficient")]);
    says({ type: "answer", id: request.id, decision: "deny" });
    expect(inbox.answers).toHaveLength(2);
  });

  it.each<[string, (request: Request) => AnswerEnding | Error, keyof typeof errorCodes]>([
    [
      "was second",
      (request) => ({ kind: "settled", receipt: receiptOf(request), isVerified: true }),
      "answer_exists",
    ],
    [
      "came to a dead server",
      (request) => ({
        kind: "settled",
        receipt: receiptOf(request, { outcome: "stale" }),
        isVerified: false,
      }),
      "request_stale",
    ],
    [
      "was to what had been changed",
      (request) => ({
        kind: "settled",
        receipt: receiptOf(request, { outcome: "failed", note: alteredNote }),
        isVerified: true,
      }),
      "request_altered",
    ],
    [
      "was first, and its server died",
      (request) => ({ kind: "won", receipt: receiptOf(request, { outcome: "failed" }), isVerified: false }),
      "request_stale",
    ],
    ["found the slot taken", () => ({ kind: "first", winner: null }), "answer_exists"],
    ["was not enough", () => ({ kind: "refused", shortfall: "no_terminal" }), "assurance_insufficient"],
    ["was moved away", () => ({ kind: "refused", shortfall: null }), "answer_refused"],
    ["came when the request was gone", () => ({ kind: "gone" }), "request_unknown"],
    ["met an unsafe channel", () => new WispError("channel_unsafe", "Others can open it."), "channel_unsafe"],
    ["met something unexpected", () => new Error("EIO"), "channel_unavailable"],
  ])("that %s is refused, and the ending is told behind that", async (_what, endingOf, code) => {
    const request = approvalRequest();
    const inbox = fakeInbox([request]);
    const { news, says, turn } = frontEndOf(inbox);
    says(hello);
    news();
    says({ type: "answer", id: request.id, decision: "approve" });
    inbox.leaves(request, { receipt: receiptOf(request), proof: "proved" });
    expect(news()).toEqual([]);
    inbox.ends(endingOf(request));
    await turn();
    expect(news()).toEqual([
      refusal(request.id, code),
      expect.objectContaining({ type: "withdrawn", id: request.id, outcome: "answered" }),
    ]);
  });

  it("says nothing of an answer whose session is over", async () => {
    const request = approvalRequest();
    const inbox = fakeInbox([request]);
    const { news, says, turn, over } = frontEndOf(inbox);
    says(hello, { type: "answer", id: request.id, decision: "deny" });
    news();
    over.abort();
    inbox.ends({ kind: "unread" });
    await turn();
    expect(news()).toEqual([]);
  });
});
