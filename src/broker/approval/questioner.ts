/**
 * Asks a person a question that only they can answer, and tells what they said: all ways at once, the first answer in the
 * slot wins. Nothing here invents one. Knows nothing of MCP.
 */
import type { Via } from "../request/answer.js";
import type { Assurance, Verified } from "../request/assurance.js";
import type { QuestionRequest } from "../request/request.js";
import type { Dialog, QuestionContent } from "./dialog.js";

/** What to ask. Texts are the agent's, checked and bounded by whoever took them. */
export interface QuestionAsk {
  readonly question: QuestionRequest["question"];
  readonly client: QuestionRequest["client"];
  readonly caller: string;
  readonly thread: string | null;
}

/** How asking ended for one call. */
export type QuestionEnd = {
  /** How sure it is that a person said so; null where nobody did. */
  readonly assurance: Assurance | null;
  readonly verified: Verified | null;
  readonly via: Via;
  /** The person's words beside a decline, or why nobody answered; not yet safe to show. */
  readonly note: string | null;
  /** Null when the question could not even be composed. */
  readonly request: string | null;
  /** Since this call asked. */
  readonly seconds: number;
} & (
  | { readonly name: "answered"; readonly content: QuestionContent }
  /** The person does not want to answer: that is an answer. `unseenMs` as in `Outcome`. */
  | { readonly name: "declined"; readonly unseenMs: number | null }
  /** It waits on; the identical call, or a look by its id, collects the answer. Epoch milliseconds; null for ever. */
  | { readonly name: "pending"; readonly expiresAt: number | null }
  | {
      readonly name:
        | "not_obtained"
        | "timed_out"
        | "abandoned"
        | "withdrawn"
        | "failed"
        /** Too many wait already: nobody was asked. */
        | "refused"
        /** Another call was told the answer. */
        | "already_decided";
    }
);

/** As `OnAsked` of an approval. */
export type OnQuestionAsked = (request: QuestionRequest, fault: string | null, endsAt: number | null) => void;

/** One for each connection of a server; any number of its questions may wait at once. */
export interface Questioner {
  /**
   * Resolves with how it ended for this call; rejects only for programmer's errors and with request_too_large. `signal` is
   * the caller's cancellation: with `Detach` the question waits on, otherwise the last call takes it with it.
   *
   * An identical ask (question with its directory, client, thread) joins one that waits, and every call that is there when it ends is told. An
   * ending that no call was there for is kept for `keepSeconds` and told once: to the first identical ask, or the first
   * look by its id. A decline answers identical asks for `declineMemorySeconds`.
   *
   * Several questions of one connection may wait; over `mostWaiting` one more is `refused`.
   */
  ask(
    ask: QuestionAsk,
    dialog: Dialog<QuestionRequest> | null,
    signal: AbortSignal,
    onAsked?: OnQuestionAsked,
  ): Promise<QuestionEnd>;

  /** How the question of this id stands, for its own client; null for every id that is not one of this connection. */
  look(id: string, client: QuestionAsk["client"]): Promise<QuestionEnd | null>;

  /** Settles everything that waits as withdrawn, and forgets what was kept. Idempotent. */
  close(why: string): Promise<void>;
}
