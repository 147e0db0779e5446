/**
 * What each call of a decided request is told, and what its receipt says, as things stand: nothing here writes or waits.
 * Invariants: a yes for `once` reaches one call, the oldest that is still there; nothing runs for a caller that is gone.
 */
import type { Ending } from "../channel/channel.js";
import { type Outcome, type OutcomeRule, outcomes } from "../request/outcome.js";
import type { Scope } from "../request/scope.js";
import { type Ended, endedPending, failedBy, hasGivenUp, secondsBetween } from "./call.js";
import type { Decided } from "./race.js";
import { assuranceOfTaken } from "./record.js";
import type { Settling, WaitingCall } from "./settling.js";

/** What one call is told as things stand. */
export interface Told extends Ended {
  readonly call: WaitingCall;
  /** The id of its run; null where nothing runs. */
  readonly run: string | null;
  /** For how long the yes counts that it hears of; null where it hears of none. */
  readonly scope: Scope | null;
}

/** What keeps a yes from counting as it was given. */
export interface Hindrance {
  /** Why it cannot count at all; null where it can. */
  readonly fault: string | null;
  /** Why it counts once although it was given for longer; null where it does not. */
  readonly lost: string | null;
}

/** Nothing keeps it from counting. */
export const unhindered: Hindrance = { fault: null, lost: null };

/** The rule of a yes that counts for longer than its connection. */
export interface WiderRule {
  readonly isLeft: boolean;
  readonly lost: string | null;
  readonly rule: OutcomeRule;
}

/** Why a yes may not count, or not for long, is in the hindrance. */
export function endings(
  { decided, calls, whyGone, runOf }: Settling,
  { fault, lost }: Hindrance,
): readonly Told[] {
  const { name, note, taken } = decided;
  const scope = lost === null ? (taken.answer.scope ?? null) : "once";
  let isGiven = false;
  return calls.map((call) => {
    const nothing = { run: null, scope: null };
    if (name !== "approved") return { call, name, note, ...nothing };
    // A yes for a caller that is no longer there stands in the slot, and runs nothing.
    const gone = whyGone(call.signal) ?? (fault === null ? null : failedBy(fault));
    if (gone !== null) return { call, ...gone, ...nothing };
    if (hasGivenUp(call.signal)) return { call, name: "pending", note: null, ...nothing };
    if (isGiven && scope === "once") return { call, name: "already_decided", note, run: null, scope };
    isGiven = true;
    return { call, name, note, run: runOf(call), scope };
  });
}

/** Is it a yes that the next identical call is to have, because those that were here wait no more? */
export function isLeftOver(told: readonly Told[], { name }: Decided): boolean {
  if (name !== "approved" || told.some((one) => one.name === "approved")) return false;
  return told.length === 0 || told.some((one) => one.name === "pending");
}

/** What the receipt says. */
export function endingOf(told: readonly Told[], decided: Decided, { fault, lost }: Hindrance): Ending {
  const { name, taken } = decided;
  const isLost = name === "approved" && told.length === 0 && fault !== null;
  const isFailed = isLost || told.some((one) => one.name === "failed");
  const isOpen = told.some((one) => one.name === "approved") || isLeftOver(told, decided);
  const outcome = isFailed ? "failed" : outcomes[name].receipt;
  const ran = isOpen && !isFailed ? null : false;
  return lost === null ? { outcome, taken, ran } : { outcome, taken, ran, lost };
}

/** Does the receipt say something else? */
export function isOtherEnding(now: Ending, before: Ending): boolean {
  return now.outcome !== before.outcome || now.ran !== before.ran || now.lost !== before.lost;
}

/** Those of `now` that are told something else than before. */
export function othersIn(now: readonly Told[], before: readonly Told[]): readonly Told[] {
  return now.filter(
    ({ name, scope }, index) => name !== before[index]?.name || scope !== before[index]?.scope,
  );
}

/** Does a call end as the slot says, or as another call's share in it? */
export function isOf(decided: Decided, name: Outcome["name"]): boolean {
  return name === decided.name || name === "already_decided";
}

/** How it ended for one call. */
export function outcomeOf(
  settling: Settling,
  { call, name, note, run, scope }: Told,
  wider: WiderRule | null,
): Outcome {
  const { request, decided, decidedAt, likeness } = settling;
  const seconds = secondsBetween(call.startedAt, decidedAt);
  if (name === "pending") return endedPending(request, likeness, seconds);
  const { taken, reading } = decided;
  const isApproved = name === "approved";
  const isAnswers = isOf(decided, name);
  return {
    name,
    via: isAnswers ? taken.answer.via : "server",
    scope: isApproved ? scope : null,
    assurance: isAnswers ? assuranceOfTaken(taken) : null,
    verified: isAnswers ? (taken.testimony?.verified ?? null) : null,
    note,
    unseenMs:
      (isApproved || name === "declined") && reading?.isUnseen === true ? Math.round(reading.ms) : null,
    request: request.id,
    waits: null,
    redeemed: false,
    run,
    rule: isApproved ? (wider?.rule ?? null) : null,
    seconds,
  };
}
