/**
 * Asks a person whether something is worth keeping for good, and does what they say. A call never waits for that: it
 * returns when the question is filed. Knows nothing of MCP.
 */
import type { FactWords, KeptFact } from "../facts/fact-store.js";
import type { ReceiptOutcome } from "../request/outcome.js";
import type { FactRequest } from "../request/request.js";

/** What to ask. */
export interface FactAsk {
  readonly words: FactWords;
  readonly client: FactRequest["client"];
  readonly caller: string;
  readonly thread: string | null;
}

/** What came of an ask. */
export type FactAsked =
  /** A person is asked, or was already: `isJoined`. */
  | { readonly kind: "waits"; readonly request: FactRequest; readonly isJoined: boolean }
  /** The same is kept already, here or everywhere. */
  | { readonly kind: "kept"; readonly fact: KeptFact }
  /** A person dropped it before; epoch milliseconds. */
  | { readonly kind: "dropped"; readonly at: number; readonly isForGood: boolean }
  /** So many wait already, of this caller where `isOwn`, that one more would be read by nobody. */
  | { readonly kind: "too many"; readonly waiting: number; readonly isOwn: boolean }
  /** Nobody can be asked: why, safe to show. */
  | { readonly kind: "failed"; readonly why: string };

/** How one ask of this connection stands. */
export interface FactStanding {
  readonly request: string;
  readonly words: FactWords;
  /** `ended`: nobody decided, and nobody will. */
  readonly standing: "waits" | "kept" | "dropped" | "ended";
  /** How it ended, where it did. */
  readonly outcome: ReceiptOutcome | null;
}

/** One for each connection of a server. */
export interface FactKeeper {
  /**
   * Files the request, unless it is decided or waits already. Rejects only for programmer's errors and with
   * request_too_large.
   */
  ask(ask: FactAsk): Promise<FactAsked>;
  /** The newest 100 of this connection, in the order in which they were asked. */
  standings(): readonly FactStanding[];
  /** Nothing is withdrawn: what waits goes on waiting without this process. Resolves when what was begun is done. */
  close(): Promise<void>;
}
