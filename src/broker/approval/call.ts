/** One call that asks, and what it is told in the end. */
import type { Likeness } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { ApprovalRequest, Request } from "../request/request.js";
import { type Ask, Detach, type Earlier } from "./approver.js";
import type { Askable, Dialog } from "./dialog.js";

/** What was asked and by whom, kept until the call is told how it ended. */
export interface CallOf<Ask, Asked extends Askable> {
  readonly ask: Ask;
  readonly dialog: Dialog<Asked> | null;
  readonly signal: AbortSignal;
  /** `OnAsked` says what it hears. */
  readonly onAsked: ((request: Asked, fault: string | null, endsAt: number | null) => void) | undefined;
  /** In monotonic milliseconds. */
  readonly startedAt: number;
}

/** One call of `Approver.ask`. */
export interface Call extends CallOf<Ask, ApprovalRequest> {
  readonly earlier: Earlier | null;
}

/** How an ask ended, before it is known for whom and after how long. */
export type Ended = Pick<Outcome, "name" | "note">;

/** How a call ended to which nobody said anything, whatever it asked. */
export interface Alone {
  readonly name: "abandoned" | "withdrawn" | "failed";
  readonly note: string | null;
}

/** Why nothing may run for a caller any more, whatever a person says. */
export interface Gone extends Alone {
  readonly name: "abandoned" | "withdrawn";
  readonly note: string;
}

/** The caller said that it no longer wants it. */
export const callerCancelled = "the caller cancelled";

/**
 * Why nothing is to be done for the caller of this signal; `closedBecause` is why the connection ends, or null. A call
 * that ended alone is not gone: what it asked for is still wanted.
 */
export function goneOf(signal: AbortSignal, closedBecause: string | null): Gone | null {
  if (signal.aborted && detachOf(signal) === null) return { name: "abandoned", note: callerCancelled };
  return closedBecause === null ? null : { name: "withdrawn", note: closedBecause };
}

/** Why the call of this signal ends alone; null while it waits, and where it was cancelled. */
export function detachOf({ aborted, reason }: AbortSignal): Detach | null {
  return aborted && reason instanceof Detach ? reason : null;
}

/**
 * Has the caller of this signal given up waiting, and reads no result any more? One that was only held as long as it waits,
 * or whose dialog was about to go out, is there: what was decided before it was told otherwise is its result.
 */
export function hasGivenUp(signal: AbortSignal): boolean {
  return detachOf(signal)?.why === "timed out";
}

/** What a client calls itself; those without a name are one client. */
export function nameOfClient(client: Request["client"]): string | null {
  return client?.name ?? null;
}

/** Between two monotonic times in milliseconds; rounded to whole ones. */
export function secondsBetween(from: number, to: number): number {
  return Math.round(to - from) / 1_000;
}

/** An ending in which nobody's yes or no has a part. `request` is null where nothing was filed. */
export function endedAlone(
  { name, note }: Ended,
  { request, seconds }: { readonly request: string | null; readonly seconds: number },
): Outcome {
  const nothing = {
    scope: null,
    assurance: null,
    verified: null,
    unseenMs: null,
    waits: null,
    redeemed: false,
    run: null,
    rule: null,
  };
  return { name, via: "server", note, request, seconds, ...nothing };
}

/** The ending of a call alone, while `request` waits for the next one. */
export function endedPending(
  { id, expiresAt }: ApprovalRequest,
  { subject, state }: Likeness,
  seconds: number,
): Outcome {
  const ended = endedAlone({ name: "pending", note: null }, { request: id, seconds });
  return { ...ended, waits: { subject, state, expiresAt } };
}

/** What a broken log or channel makes of an ask, and of a yes. */
export function failedBy(fault: string): Alone {
  return { name: "failed", note: fault };
}
