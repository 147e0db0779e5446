/**
 * Where requests wait and answers arrive. The process that asks and the face that answers share nothing else.
 * One contract test (test/support/channel-contract.ts) runs against every implementation.
 */
import type { Answer, ServerDecision } from "../request/answer.js";
import type { Shortfall, Testimony } from "../request/assurance.js";
import type { ReceiptOutcome } from "../request/outcome.js";
import type { Receipt } from "../request/receipt.js";
import type { Draft, Request } from "../request/request.js";

/** What a server files into and a face answers through; each process opens its own. */
export interface Channel {
  /**
   * Files a request: it waits from here on. `longTexts` are the whole texts behind every stand-in in the draft.
   * Throws channel_unsafe, channel_unavailable, request_too_large.
   */
  file(draft: Draft, longTexts: readonly string[]): Request;

  /** Everything that waits, oldest first, and what lies there and could not be read as a request. */
  pending(): Listing;

  /**
   * Publishes an answer into the request's slot. True: this one came first. False: the slot was taken already.
   * Coming first is not yet winning: the receipt says whose answer was taken.
   * Throws channel_unsafe, channel_unavailable.
   */
  answer(answer: Answer): boolean;

  /** Does a request `id` lie there, of whatever kind? Cheap: nothing is read. */
  isThere(id: string): boolean;

  /** What stands in the slot of request `id` now. Only looks: nothing is moved or decided. */
  slot(id: string): Slot;

  /**
   * Takes back an answer that this process published, when it still stands in its slot: for one that came too
   * late, under an id that was settled already.
   */
  retract(answer: Answer): void;

  /**
   * For the process that asked: what became of its request `id`, or null while it waits. An answer that may not
   * decide is moved away, reported to `onRefused`, and the request goes on waiting.
   */
  take(id: string): News | null;

  /**
   * For the process that asked: ends the wait by claiming the slot with its own decision; returns what stands in
   * the slot afterwards, which is an earlier answer when somebody was first. Never throws for a broken channel:
   * the server's own decision then stands in memory, and none of them lets anything run.
   */
  withdraw(id: string, decision: ServerDecision, note: string | null): Taken;

  /**
   * For the process that asked: publishes how its request ended and clears it away.
   * Throws channel_unsafe, channel_unavailable when the receipt cannot be published.
   */
  settle(id: string, ending: Ending): Receipt;

  /**
   * For the process that asked: is there no call any more that waits for its request `id`? Faces tell a person. The
   * request waits on all the same. A channel without it tells nobody. Never throws.
   */
  detached?(id: string, isDetached: boolean): void;

  /** What was wanting of `answer`, by the word of the server that did not take it; null where nothing says so. */
  refusal(answer: Answer): Shortfall | null;

  /** How request `id` ended, or null when no receipt of it is readable. */
  receipt(id: string): Receipt | null;

  /**
   * Calls `listener` with the id of a request whose state may have changed, or with null when anything may have.
   * Events are a hint: the listener looks for itself. Returns the function that stops it.
   */
  changes(listener: (id: string | null) => void): () => void;

  /** Stops watching and forgets what this process asked; files of others stay as they are. */
  close(): void;
}

/** An answer that was taken from the slot, and the hash by which its face recognises it in the receipt. */
export interface Taken {
  readonly answer: Answer;
  readonly hash: string;
  /** What was seen of the process that gave it; null for what the process that asked says itself. */
  readonly testimony: Testimony | null;
}

/** What one look into the slot of a request found. */
export type Slot =
  | { readonly kind: "free" }
  | { readonly kind: "answer"; readonly answer: Answer }
  /** Something that is no answer stands there; the server will move it away. */
  | { readonly kind: "junk"; readonly reason: string };

/** What the process that asked must know of its request: it is decided, or cannot be any more. */
export type News =
  | { readonly kind: "answer"; readonly taken: Taken }
  /** The request cannot be decided any more; `why` completes "the request ended because …". */
  | { readonly kind: "broken"; readonly why: string };

/** How the process that asked ends its request; the receipt says the same. */
export interface Ending {
  readonly outcome: ReceiptOutcome;
  /** What was taken; null when the request ended without an answer. */
  readonly taken: Taken | null;
  /** False when it is certain that nothing ran or will run. */
  readonly ran: boolean | null;
  /** Why a yes for longer than once, which was to be remembered, counted once; left out for every other ending. */
  readonly lost?: string;
}

/** One look at everything that waits. It may be outdated as soon as it is returned. */
export interface Listing {
  readonly requests: readonly Request[];
  /** Ids filed by a newer version: listed, never answered, never swept. */
  readonly newer: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

/** A file that bears the name of a request and is none. */
export interface Unreadable {
  /** File name inside the channel, as found. */
  readonly name: string;
  /** Completes "is not a request: …". */
  readonly reason: string;
}

/** An answer that was not taken, for whoever writes that down. */
export interface RefusedAnswer {
  readonly id: string;
  /** Completes "was not taken: …". */
  readonly reason: string;
  /** A file name inside `rejected/`; null when it could only be removed. */
  readonly movedTo: string | null;
  /** Where the answer itself was in order and the process that gave it was not: what was seen of that. */
  readonly testimony: Testimony | null;
}
