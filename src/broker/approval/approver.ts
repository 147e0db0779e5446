/**
 * Asks a person and says how it ended: all ways at once, the first answer in the slot wins, the others are
 * withdrawn. Knows nothing of MCP, terminals or HTTP; channel, dialog, audit and clock are handed in.
 */

import type { Bound } from "../grants/grant-store.js";
import type { RememberedRule } from "../policy/remembered.js";
import type { Outcome } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import type { Dialog } from "./dialog.js";

/**
 * Why a call ends while its request waits on: the reason to abort its signal with. Any other reason is a cancellation.
 * `held`: it was held as long as its caller waits. `timed out`: its caller gave up, by its own word or by the time it
 * took. `dialog`: the client's dialog is answered in another leg of the call, so it stays up; otherwise the dialog is
 * withdrawn with the last call that could show one.
 */
export class Detach {
  readonly why: "held" | "dialog" | "timed out";
  /**
   * Of a dialog that stays up: aborts when its client came back, or counts as gone. Until then faces are not told that
   * nobody waits any more. Null where only the end of the request ends that.
   */
  readonly away: AbortSignal | null;

  constructor(why: Detach["why"], away: AbortSignal | null = null) {
    this.why = why;
    this.away = away;
  }
}

/** What goes into a rule that is remembered beside the words of the yes. */
export interface Remembering extends NonNullable<ApprovalRequest["remember"]> {
  /** The file that the command's first word leads to; null for a tool. */
  readonly program: string | null;
  /** Which file that is, and in which state; null for a tool. */
  readonly programIdentity: string | null;
  /** The rule that asks, as it is written; null where none does. */
  readonly askedBy: string | null;
}

/** Why nobody is asked: what stands in a file, or a person's earlier yes. `place` as a person names it, with its line. */
export type AllowedBy =
  | { readonly kind: "policy"; readonly text: string; readonly place: string | null }
  | { readonly kind: "remembered"; readonly rule: RememberedRule; readonly place: string | null };

/** What to ask, or to let through. Refusals and limits come before. */
export interface Ask {
  readonly subject: ApprovalRequest["subject"];
  /** The whole texts behind the stand-ins in `subject`. */
  readonly longTexts: readonly string[];
  readonly level: ApprovalRequest["level"];
  readonly reasons: readonly string[];
  readonly rule: string | null;
  readonly says: string | null;
  readonly scopes: readonly Scope[];
  /** What a yes for the project or for always would remember; null where none is offered. */
  readonly remember: Remembering | null;
  /** Why nobody has to be asked; null where a person is. */
  readonly allowedBy: AllowedBy | null;
  readonly client: ApprovalRequest["client"];
  readonly caller: string;
  readonly thread: string | null;
  /** Which face of ours was called (`mcp`, `gate`, `hook`, …), and the name of that server. */
  readonly bound: Pick<Bound, "role" | "server">;
}

/**
 * Hears what a person is asked, why no face can answer it (safe to show; null where one can), and when the wait ends by
 * itself, in monotonic milliseconds: null for never.
 */
export type OnAsked = (request: ApprovalRequest, fault: string | null, endsAt: number | null) => void;

/** A request for the same that was asked about before, and whose dialog came back with the call. */
export interface Earlier {
  /** Its id. */
  readonly request: string;
  /**
   * A person's no to it; null where none came. `unseenMs` is after how long, where that was sooner than anybody reads.
   */
  readonly no: { readonly unseenMs: number | null } | null;
}

/** One for each connection of a server; any number of its asks may wait at once. */
export interface Approver {
  /**
   * Resolves with how the ask ended; rejects for programmer's errors, and as said below. `signal` is the caller's cancellation.
   * When it resolves with `approved`, the decision is on disk and its effect may begin, once. `onAsked` hears the
   * request before any way of asking starts: a caller that waits is told what to answer, and where.
   *
   * An ask that is identical to one that waits joins it: one request, one dialog, one decision. A yes for `once` is
   * the oldest call's that is still there, and the others get `already_decided`. An identical ask that a person
   * refused a moment ago gets the same answer, and one that a person allowed for the session is approved; in both
   * cases nobody is asked, and `onAsked` hears nothing.
   *
   * An ask that names what allows it is approved without asking, but for a no to the same that is still remembered, and for
   * the answer that it brings to a request which waits: that decides. A yes that lies there for the same is used up first.
   * What waits for the same and for which no call is there is then withdrawn. Where such an approval cannot be written down
   * this rejects with audit_unavailable.
   *
   * A yes that stood in the slot first decides the request, but runs nothing once the caller has cancelled or the
   * approver is closing: the receipt then says `answered`, `approve` and `ran: false`, and this resolves with
   * `abandoned` or `withdrawn`. Whoever gets `approved` looks at its own signal once more before the effect.
   *
   * `earlier` is for a call that comes back with a dialog. Where that request waits, its answer is given to it by
   * `dialog` or `onAsked`; where it does not, and no yes was given that this call may use, its no refuses this call and
   * is remembered, and where it timed out this resolves with `timed_out`, without asking.
   */
  ask(
    ask: Ask,
    dialog: Dialog | null,
    signal: AbortSignal,
    onAsked?: OnAsked,
    earlier?: Earlier | null,
  ): Promise<Outcome>;

  /** Writes down that the policy refuses this call. Whether that can be written or not, nothing runs. */
  refuse(ask: Ask): Promise<void>;

  /**
   * For whoever got `approved` with `redeemed` and is certain that nothing ran: the approval may be used once more.
   * Where that cannot be written down it stays spent. Throws a TypeError for any other outcome, and a second time.
   */
  release(outcome: Outcome): Promise<void>;

  /**
   * For whoever got `approved` with `redeemed` and gives nothing back: its effect `began`, or the yes is `spent` although
   * nothing ran. Until this, `release` or `close` identical calls wait: only then is it known whether there is a result.
   * Nothing happens a second time, or for any other outcome.
   */
  conclude(outcome: Outcome, how: "began" | "spent"): void;

  /**
   * Settles everything that waits as withdrawn, and forgets every yes and no: the client left or the server stops.
   * Idempotent.
   */
  close(why: string): Promise<void>;
}
