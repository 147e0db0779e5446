/**
 * How asking ended: one table from which code, documentation and tests derive. What a person or a timer did is
 * a value, never an error.
 */
import { type Answer, isYes, type Via } from "./answer.js";
import type { Assurance, Verified } from "./assurance.js";
import type { ErrorCode } from "./error-codes.js";
import type { Scope } from "./scope.js";

/** The `outcome` column of a receipt. */
export const receiptOutcomes = [
  "answered",
  "failed",
  "timed_out",
  "abandoned",
  "withdrawn",
  "stale",
] as const;
/** How a request ended, in the word that every face reads. */
export type ReceiptOutcome = (typeof receiptOutcomes)[number];

interface OutcomeFacts {
  readonly causedBy: string;
  /** Null where the request still waits. */
  readonly receipt: ReceiptOutcome | null;
  /** The code an agent sees, or null where the call went on or nobody is left to read it. */
  readonly code: ErrorCode | null;
  /** Exit code of a verb that waits; null where no such verb can see it. */
  readonly exit: 0 | 7 | 8 | 9 | null;
}

/** Every ending with its cause, its word in the receipt, the agent's error code and a script's exit code. */
export const outcomes = {
  approved: { causedBy: "a person", receipt: "answered", code: null, exit: 0 },
  denied: { causedBy: "a person, in a face", receipt: "answered", code: "approval_denied", exit: 7 },
  declined: {
    causedBy: "a person, in the client's dialog",
    receipt: "answered",
    code: "approval_declined",
    exit: 7,
  },
  not_obtained: {
    causedBy: "the only way was dismissed or answered by itself",
    receipt: "failed",
    code: "approval_not_obtained",
    exit: 7,
  },
  timed_out: { causedBy: "nobody", receipt: "timed_out", code: "approval_timed_out", exit: 7 },
  abandoned: { causedBy: "the caller cancelled", receipt: "abandoned", code: "approval_abandoned", exit: 7 },
  withdrawn: {
    causedBy: "the server stopped, the client left, or a newer call took its place",
    receipt: "withdrawn",
    code: "approval_withdrawn",
    exit: 9,
  },
  stale: { causedBy: "the server died", receipt: "stale", code: null, exit: 9 },
  failed: {
    causedBy: "no way could ask, or the request was altered",
    receipt: "failed",
    code: "approval_unavailable",
    exit: 8,
  },
  pending: {
    causedBy: "nobody yet: the call returned and the request still waits",
    receipt: null,
    code: "approval_pending",
    exit: null,
  },
  already_decided: {
    causedBy: "an identical call got the approval",
    receipt: "answered",
    code: "already_decided",
    exit: null,
  },
  drifted: {
    causedBy: "the target changed between the yes and the run",
    receipt: "answered",
    code: "replay_drift",
    exit: null,
  },
} as const satisfies Record<string, OutcomeFacts>;

/** How an ask ended, in the word of the process that asked. */
export type OutcomeName = keyof typeof outcomes;

/** How one ask ended, as the process that asked learned it. */
export interface Outcome {
  /** Stale is what others find: a process that died learns nothing. */
  readonly name: Exclude<OutcomeName, "stale">;
  /** `policy`: a rule of a file let it through, and no person's answer has a part in it. */
  readonly via: Via | "policy";
  /** What was allowed; null unless approved. */
  readonly scope: Scope | null;
  /** How sure it is that a person said so; null where no person's answer ended it. */
  readonly assurance: Assurance | null;
  /** What was seen of the process that gave that answer; null where there was none to look at. */
  readonly verified: Verified | null;
  /** The person's words, or why asking failed. */
  readonly note: string | null;
  /**
   * Milliseconds from raising the client's dialog to its yes or no, where that was sooner than anybody reads: perhaps
   * no person saw it. Null for every other ending.
   */
  readonly unseenMs: number | null;
  /** The request's id; null when the ask could not even be composed, and where nothing was asked, ever. */
  readonly request: string | null;
  /** Names what is about to run in the audit log: an id of its own for each run. Null unless approved. */
  readonly run: string | null;
  /** The rule that let it through, or that the yes was to leave; null where there is none but that of a connection. */
  readonly rule: OutcomeRule | null;
  /** What still waits; null unless pending. */
  readonly waits: Waiting | null;
  /** The yes was given while no call was attached, and this call used it up: see `Approver.release`. */
  readonly redeemed: boolean;
  readonly seconds: number;
}

/** A rule of the policy's language behind an approval. Texts as they stand in files: shown through `shown`. */
export type OutcomeRule =
  /** Of a file, as `place` names it: nobody was ever asked. */
  | { readonly kind: "policy"; readonly text: string; readonly place: string | null }
  /** Of an earlier yes, given at `yesAt` by the wall clock. */
  | { readonly kind: "earlier"; readonly text: string; readonly place: string | null; readonly yesAt: number }
  /** Remembered from this yes, until `expiresAt`. */
  | { readonly kind: "left"; readonly text: string; readonly expiresAt: number }
  /** To be remembered from this yes, which then counted once, because `why`. */
  | { readonly kind: "lost"; readonly text: string; readonly why: string };

/** What a call must be like that is to collect the answer, and for how long one may come. Hashes: `Likeness`. */
export interface Waiting {
  readonly subject: string;
  readonly state: string;
  /** Epoch milliseconds; null waits for ever. */
  readonly expiresAt: number | null;
}

/** How a request ended, in the word of the process that asked: each has a receipt. */
export type EndingName = Exclude<Outcome["name"], "pending">;

/** What an answer that was taken means for the one who asked. */
export function outcomeOf(answer: Pick<Answer, "decision" | "via">): EndingName {
  const { decision, via } = answer;
  switch (decision) {
    case "approve":
    case "keep":
    case "answer":
      return "approved";
    case "deny":
    case "drop":
    case "decline":
      return via === "elicitation" ? "declined" : "denied";
    case "timed_out":
    case "withdrawn":
    case "abandoned":
    case "failed":
      return decision;
    default:
      return decision satisfies never;
  }
}

/** The exit code of a verb that waited and read this receipt. */
export function exitOf(receipt: {
  readonly outcome: ReceiptOutcome;
  readonly decision: string | null;
}): number {
  switch (receipt.outcome) {
    case "answered":
      return isYes(receipt.decision) ? outcomes.approved.exit : outcomes.denied.exit;
    case "timed_out":
    case "abandoned":
    case "withdrawn":
    case "stale":
    case "failed":
      return outcomes[receipt.outcome].exit;
    default:
      return receipt.outcome satisfies never;
  }
}
