/** What the model of an approver (approver-model.ts) knows of calls and requests. */
import type { Detach } from "../../src/broker/approval/approver.js";
import type { OutcomeName } from "../../src/broker/request/outcome.js";
import type { Scope } from "../../src/broker/request/scope.js";

export interface ModelOptions {
  readonly hasChannel: boolean;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** What is asked: which action, on what state of its target, under which label. */
export interface Wanted {
  readonly subject: number;
  readonly state: number;
  readonly thread: string | null;
  readonly hasDialog: boolean;
  /** A rule lets it through. */
  readonly isAllowed: boolean;
}

/** What a call is told; `rejected` where nobody can be told, because that it may run cannot be written down. */
export type ModelOutcome = OutcomeName | "rejected";

export interface ModelCall {
  readonly wanted: Wanted;
  readonly serial: number;
  isCancelled: boolean;
  /** Why it ends alone. */
  detached: Detach["why"] | null;
  /** What waited for the same without any call when it came. */
  readonly left: readonly ModelRequest[];
  /** It used up a yes, which may be given back until it was. */
  redeemed: Unspent | null;
  /** It was told what is asked. */
  hasHeard: boolean;
  /** The request that its outcome names, once it has one. */
  request: ModelRequest | null;
  /** What it is told; null while it waits. */
  outcome: ModelOutcome | null;
  /** What it will be told as soon as everything has run, unless it leaves before. */
  next: { readonly outcome: ModelOutcome; readonly isYes: boolean } | null;
}

export interface ModelRequest {
  readonly wanted: Wanted;
  /** In order of arrival. */
  calls: ModelCall[];
  state: "starting" | "waiting" | "decided" | "over";
  /** Its first line could not be written. */
  readonly isUnwritten: boolean;
  isSuperseded: boolean;
  canBeJoined: boolean;
  isPlaced: boolean;
  dueAt: number;
  /** Whose dialogs were raised, in order; at most the last is up. */
  readonly dialogs: { readonly call: ModelCall; state: "up" | "over" | "withdrawn" }[];
  isDialogFree: boolean;
  /** A client went away with its dialog, and is expected back. */
  isAway: boolean;
  /** What the dialog said that nobody has heard yet. */
  said: Said | null;
  /** What claimed the slot, and for how long a yes is. */
  slot: OutcomeName | null;
  scope: Scope | null;
  /** What became of the rule of a yes for longer than its connection; null where there is none to leave. */
  rule: "left" | "lost" | null;
  /** Nobody heard the decision, and the yes is there for a call that comes. */
  isKept: boolean;
  /** Noes that had been said when it was decided. */
  noesBefore: number;
  /** The how-manieth it was to be decided. */
  turn: number;
  receipt: OutcomeName | "none";
}

/** What a dialog says, and the how-manieth thing said it is. */
export interface Said {
  readonly meaning: Scope | "no" | "nothing" | "unshown";
  readonly serial: number;
}

export interface Denial {
  readonly request: ModelRequest;
  readonly outcome: OutcomeName;
  until: number;
  isTold: boolean;
}

export interface Unspent {
  readonly request: ModelRequest;
  readonly until: number;
}

export interface Rule {
  readonly request: ModelRequest;
  readonly state: number;
  readonly endsAt: number;
  idleUntil: number;
}

export interface Model {
  readonly calls: readonly ModelCall[];
  readonly requests: readonly ModelRequest[];
  isLogBroken: boolean;
  /** No rule can be remembered. */
  areRulesBroken: boolean;
  /** Requests that may be answered late. */
  readonly late: readonly ModelRequest[];
  /** Is something kept, or being kept, that a call for this may use up? Then it is asked when all is calm. */
  isPromised(subject: number): boolean;
  ask(wanted: Wanted): ModelCall;
  cancel(call: ModelCall): void;
  detach(call: ModelCall, why: Detach["why"]): void;
  release(call: ModelCall): void;
  say(call: ModelCall, meaning: Said["meaning"]): void;
  claim(request: ModelRequest, slot: OutcomeName, scope?: Scope): void;
  timePassed(): void;
  close(): void;
  /** Another process starts where the one before was closed. */
  restart(): void;
  /** Everything that was set off has run. */
  calm(): void;
}
