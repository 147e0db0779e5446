/**
 * Rules that a person's yes left behind for longer than a connection: `remembered.json` and its sealed copy. Invariant:
 * one yes makes at most one rule, the very one that was shown before it. One contract test
 * (test/support/remembered-contract.ts) runs against every implementation.
 */
import type { Assurance } from "../request/assurance.js";
import type { Scope } from "../request/scope.js";

/** One of them. Times are epoch milliseconds by the wall clock. */
export interface RememberedRule {
  readonly id: string;
  /** In the language of the policy: `Bash(git push origin main)`. */
  readonly rule: string;
  readonly scope: Extract<Scope, "project" | "always">;
  /** The only directory it counts in; null for `always`. */
  readonly directory: string | null;
  /** The file that the command's first word led to; another file of that name asks again. Null for a tool. */
  readonly program: string | null;
  /** Which file that was, and in which state (program-file.ts); null where program is. A changed file asks again. */
  readonly programIdentity: string | null;
  /** The rule that asked then, as it was written; null where no rule did. Where another rule asks now, a person is asked. */
  readonly askedBy: string | null;
  /** `stdio:<name>`, by the client's own word: for whoever reads the list. */
  readonly client: string;
  /** The request whose answer it is. */
  readonly request: string;
  /** How that answer came, and how sure it is that a person gave it. */
  readonly via: string;
  readonly assurance: Assurance | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What lies there. */
export interface RememberedListing {
  /** In force, the oldest first. */
  readonly rules: readonly RememberedRule[];
  /** Sealed, and not in force at this time of day: over and not cleared away yet, or dated in the future. */
  readonly over: readonly RememberedRule[];
  /** Written into the file by hand, or changed there since: not in force. */
  readonly unaccepted: readonly string[];
  /** Why the file cannot be used; then none of it is in force. Null where it can. */
  readonly fault: string | null;
  /** Why the accepted copy counts for nothing, and so no rule does; null where it counts, or there is none. */
  readonly distrust: string | null;
}

/** One that was cleared away, and why: its time was over, or its entry was taken out of the file or changed there by hand. */
export interface ClearedRule {
  readonly rule: RememberedRule;
  readonly why: "expired" | "removed";
}

/** Where they are kept. Each process opens its own; any number may write. Nothing is made before the first one is kept. */
export interface RememberedRules {
  /** What is in force now. Never throws for what stands in the files. */
  list(): RememberedListing;
  /**
   * Keeps a rule under a new id; it is in force, on disk, in the file and in its sealed copy when the promise resolves.
   * Rejects with channel_unsafe, channel_unavailable, policy_invalid (the file there cannot be used): then none is.
   */
  remember(rule: Omit<RememberedRule, "id">): Promise<RememberedRule>;
  /**
   * What can be taken back, the oldest first: all under the seal that is not over, whatever the file says now. What is not in
   * force because the file is gone or cannot be used would be again with the file. Never throws.
   */
  revocable(): readonly RememberedRule[];
  /**
   * Takes one back: it loses its seal, and its entry where the file can be used. False where there is none of this id.
   * Rejects with channel_unsafe, channel_unavailable.
   */
  revoke(id: string): Promise<boolean>;
  /** The same for all that have a seal, also those that are over; resolves with what `revocable` gave. */
  clear(): Promise<readonly RememberedRule[]>;
  /**
   * Clears away what has expired, and the seals of what a person took out of the file. Resolves with each of them once.
   * Never throws.
   */
  expire(): Promise<readonly ClearedRule[]>;
}
