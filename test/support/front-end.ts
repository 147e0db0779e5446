/** A front end in JSON Lines, whose inbox is in the hands of the test. */

import { expect } from "vitest";
import type { AnswerEnding } from "../../src/broker/channel/answering.js";
import { composeRequest } from "../../src/broker/request/binding.js";
import type { errorCodes } from "../../src/broker/request/error-codes.js";
import type { Request } from "../../src/broker/request/request.js";
import { openFrontEnd } from "../../src/cli/chat/front-end.js";
import { filingFacts } from "./builders.js";
import { type FakeInbox, receiptOf } from "./fake-inbox.js";
import { factDraft, questionDraft } from "./request-kinds.js";

export type Message = Readonly<Record<string, unknown>>;

export const fact = () => composeRequest(factDraft(), filingFacts());
export const question = () => composeRequest(questionDraft(), filingFacts());
export const hello = { type: "hello", effects: ["approve"] };

export function frontEndOf(inbox: FakeInbox, canAnswer = true) {
  const sent: Message[] = [];
  const over = new AbortController();
  const outbox = { send: (make: () => object) => void sent.push(make() as Message) };
  const frontEnd = openFrontEnd({ inbox, seat: { canAnswer }, outbox, signal: over.signal });
  let heard = 0;
  const raw = (bytes: Uint8Array) => frontEnd.hear({ kind: "line", bytes });
  return {
    frontEnd,
    raw,
    says: (...messages: readonly unknown[]) => {
      for (const message of messages) raw(Buffer.from(JSON.stringify(message)));
    },
    /** What was sent since the last call. */
    news(): readonly Message[] {
      const news = sent.slice(heard);
      heard = sent.length;
      return news;
    },
    over,
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

export const won = (request: Request): AnswerEnding => ({
  kind: "won",
  receipt: receiptOf(request, { decision: "approve", via: "chat" }),
  isVerified: true,
});
export const refusal = (id: string | null, code: keyof typeof errorCodes) =>
  expect.objectContaining({ type: "refused", id, code, why: expect.stringMatching(/./) });
