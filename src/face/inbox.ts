/**
 * What waits, as a face that stays sees it: kept up to date by the directory's own events, read again only where
 * something changed. A face draws `state` and is told each ending once.
 */
import type { AnswerEnding, Home, Receipt, Request, Unreadable } from "../broker/index.js";
import type { Given } from "./answer.js";
import type { Complaint } from "./complaint.js";
import type { Proof } from "./ended.js";

/** A living view of the channel. Opened by `openInbox`. */
export interface Inbox {
  /** Where it looks. */
  readonly home: Home;
  /** What is known now; the same object until something changed. */
  readonly state: InboxState;
  /** Calls `listener` after each change, in order. Returns what stops it. */
  onChange(listener: (change: InboxChange) => void): () => void;
  /**
   * Gives the answer of this process to `request` as it was shown, and stays until it is known what became of it.
   * `signal` ends the waiting and not the answer. Throws channel_unsafe, channel_unavailable.
   */
  answer(request: Request, given: Given, options: AnswerOptions): Promise<AnswerEnding>;
  /** Stops watching. */
  close(): void;
}

/** What a face answers with, and what it does meanwhile. */
export interface AnswerOptions {
  readonly signal: AbortSignal;
  /** Called once when its server has been silent for 3 s. */
  readonly onSilent: () => void;
}

/** What waits, and how well it can be seen. */
export interface InboxState {
  /** Oldest first. Empty while the channel is unsafe. */
  readonly requests: readonly Request[];
  /** Ids filed by a newer wisp: counted, never answered. */
  readonly newer: readonly string[];
  readonly unreadable: readonly Unreadable[];
  /** Ids of requests whose agent stopped waiting. */
  readonly detached: readonly string[];
  readonly health: InboxHealth;
  /** What of the person's files waits to be accepted or cannot be used: lines that are safe to print. */
  readonly files: readonly string[];
}

/** How changes are noticed, or why nothing can be seen or answered. */
export type InboxHealth =
  | { readonly kind: "watching" }
  /** Events do not come here: the directory is looked at over and over. */
  | { readonly kind: "polling" }
  | { readonly kind: "unusable"; readonly complaint: Complaint };

/** One change. `state` is current before any listener hears of it. */
export type InboxChange =
  /** Newly seen, in the order in which they were filed. */
  | { readonly kind: "arrived"; readonly requests: readonly Request[] }
  /** It waits no longer. The receipt says how it ended; null when nothing does. */
  | { readonly kind: "left"; readonly request: Request; readonly ending: Left | null }
  /** Anything else: files that are no requests, agents that stopped waiting, health, what there is to say of the person's files. */
  | { readonly kind: "other" };

/** How a request that was seen ended. */
export interface Left {
  readonly receipt: Receipt;
  readonly proof: Proof;
}
