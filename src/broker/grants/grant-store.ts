/**
 * What a yes leaves behind when no call is there to use it, and what a request leaves behind that nobody said no to.
 * One contract test (test/support/grants-contract.ts) runs against every implementation.
 */
import type { Answer } from "../request/answer.js";
import type { ApprovalRequest, RequestServer } from "../request/request.js";

/**
 * All that a call must have in common with the one that was approved. Two asks that differ in any of it have nothing
 * to do with each other.
 */
export interface Bound {
  /** Who called, `stdio:<name>`: by its own word, so it keeps clients apart by accident and is no boundary. */
  readonly client: string;
  /** Which face of ours was called (`mcp`, `gate`, `hook`, …), and the name of that server. */
  readonly role: string;
  readonly server: string;
  readonly directory: string;
  /** Hash of what would run. */
  readonly subject: string;
  /** Hash of the tool's definition; null where there is none. */
  readonly definition: string | null;
  /** Fingerprint of what it would change; null where none is bound. */
  readonly state: string | null;
}

/** One instant, in all the ways in which a later process can measure what has passed since. */
export interface Moment {
  /** Opaque text that changes with every boot; "" where the system does not tell. */
  readonly boot: string;
  /** Whole milliseconds since the machine started, time while it was suspended included. */
  readonly uptimeMs: number;
  /** Epoch milliseconds by the wall clock. */
  readonly at: number;
}

/** From when, and for how long. The last millisecond counts. */
export interface Life {
  readonly from: Moment;
  readonly forMs: number;
}

/** A yes that no call is there to use. */
export interface Yes {
  readonly bound: Bound;
  readonly request: ApprovalRequest;
  /** It approves `request`; the decision is in the audit log, on disk. */
  readonly answer: Answer;
  /** Null: from now on, for as long as approvals are kept. A late yes lives as long as its request was kept. */
  readonly life: Life | null;
}

/** A yes that can be used once. */
export interface UnspentApproval {
  /** The id of its request; of one that was released, a new one. */
  readonly id: string;
  readonly bound: Bound;
  readonly request: ApprovalRequest;
  readonly answer: Answer;
  readonly life: Life;
  /** The id that it had before it was released; null for the first. */
  readonly from: string | null;
}

/** A rule that a yes set up for one connection, as it is told to whoever may revoke it. */
export interface SessionRule {
  readonly id: string;
  /** In full, as it was shown before the yes. */
  readonly rule: string;
  readonly client: string;
  readonly directory: string | null;
  /** The request whose answer set it up. */
  readonly request: string;
  readonly server: RequestServer;
  /** Since the yes, however often it is used. */
  readonly life: Life;
  /** Since it was last used, by the word of the file. */
  readonly idle: Life;
}

/** Why what lies there would not be used. */
export type GrantFault =
  | "it has expired"
  | "it is spent"
  /** Nobody can say any more what was spent and what was not. */
  | "what was spent is gone"
  | "its seal is not ours"
  | "the audit log does not hold its yes"
  | "it may have run already";

/** All that lies there. */
export interface GrantListing {
  /** `fault` is null where an identical call would use it. */
  readonly unspent: readonly { readonly approval: UnspentApproval; readonly fault: GrantFault | null }[];
  /** By the word of the files: only the memory of its server says what a rule allows. `fault` as above. */
  readonly sessions: readonly { readonly rule: SessionRule; readonly fault: GrantFault | null }[];
  /** How many names could not be read as either. */
  readonly unreadable: number;
}

/** Where they are kept. Each process opens its own. Nothing is made before the first one is kept. */
export interface GrantStore {
  /**
   * Keeps a yes; it outlives this process and a crash of the machine when the promise resolves. Null where this
   * request has left one already, spent or not (one request lets one call through, however often it is answered), and
   * where its life is over. Rejects with channel_unsafe, channel_unavailable: then nothing is promised, and what did
   * reach the disk may still be found, whole, and used once. Throws a TypeError for what is no yes to that request.
   */
  keep(yes: Yes): Promise<UnspentApproval | null>;

  /** An approval that a call with exactly this in common may use, or null. Spends nothing and never throws. */
  find(bound: Bound): UnspentApproval | null;

  /** Those that `find` would give but for another `state`: what was approved has changed since. */
  drifted(bound: Bound): readonly UnspentApproval[];

  /**
   * Spends an approval. True exactly once, over all processes and crashes, and only then may its effect begin; false
   * where it was spent, revoked or has expired. Rejects with channel_unsafe, channel_unavailable: nothing may run, and
   * the error says whether the approval is spent all the same.
   */
  claim(id: string): Promise<boolean>;

  /**
   * Gives back what this process claimed, under a new id and with the life it had: only where it is certain that
   * nothing ran. Null where it has expired meanwhile. Whoever calls this writes `grant.released` down first, durably.
   * Throws a TypeError for what was not claimed here or was released already; rejects as `keep` does, and then it
   * stays spent.
   */
  release(id: string): Promise<UnspentApproval | null>;

  /**
   * Puts a handle for revoking a rule where other processes see it; the rule itself stays in memory, for `forMs` at most
   * and `idleMs` after each use. Time while the machine is suspended counts. Throws as above.
   */
  keepRule(rule: Omit<SessionRule, "id" | "life" | "idle">, forMs: number, idleMs: number): string;

  /** May the rule still be used? Asked before each use. Once it was false it stays false. */
  isRuleKept(id: string): boolean;

  /** It was used just now, for other processes to see. */
  noteRuleUsed(id: string): void;

  /** Takes the handle of a rule away whose connection has ended. */
  endRule(id: string): void;

  /**
   * Takes back an approval or a rule, whoever kept it. True when this call did it; false where there is none, or
   * it was spent or revoked. Rejects with channel_unsafe, channel_unavailable.
   */
  revoke(id: string): Promise<boolean>;

  /** Throws channel_unsafe where others could have put something there. */
  list(): GrantListing;

  /** Clears away what has expired, and the rules of servers that are gone. Returns the ids. */
  expire(): readonly string[];
}

/** How a request ended that nobody said no to. */
export const lateEndings = ["timed_out", "abandoned", "withdrawn"] as const;

/**
 * So long after a banner the same ask is no news to a person: a client may start its server again and again. By the banner
 * and not by the end of the call, or an agent that asks the same all night is heard of once.
 */
export const repeatMs = 10 * 60_000;

/** A request that ended, and may still be answered for a next call. */
export interface LateRequest {
  readonly bound: Bound;
  /** As it was filed. */
  readonly request: ApprovalRequest;
  readonly how: (typeof lateEndings)[number];
  /** How long before its end a banner last told a person of it, or of the same; null where none did. */
  readonly toldMsAgo: number | null;
  /** Since it ended, for as long as it may be answered: a yes to it lives as long. 0 where it may not be. */
  readonly life: Life;
}

/** All that may still be answered, the newest first, and how many names could not be read as ours. */
export interface LateListing {
  readonly requests: readonly LateRequest[];
  readonly unreadable: number;
}

/** What lies there for the same as is asked. */
export interface Alike {
  readonly ids: readonly string[];
  readonly toldMsAgo: number | null;
}

/** Where requests lie that ended without a no. Each process opens its own. */
export interface LateRequests {
  /**
   * Keeps a request that has just ended. One that cannot be answered is there for `alike` alone. False where it is
   * kept already. Rejects with channel_unsafe, channel_unavailable.
   */
  file(late: Omit<LateRequest, "life">, canBeAnswered: boolean): Promise<boolean>;

  /** Throws channel_unsafe where others could have put something there. */
  list(): LateListing;

  /** The one with this id while it may be answered, else null. Throws as above. */
  read(id: string): LateRequest | null;

  /**
   * All with exactly this in common, the newest first, whether or not they may be answered, and how long ago a banner told
   * a person of one of them; null where none did within `repeatMs`. Never throws.
   */
  alike(bound: Bound): Alike;

  /** True when this call took it away: it was answered, or asked again. */
  remove(id: string): boolean;

  /** Clears away what nobody can answer any more. Returns the ids. Never throws. */
  sweep(): readonly string[];
}
