/**
 * From a decision to what each call is told. Invariants: what a person said is on disk before anything follows from
 * it; a yes for `once` reaches one call, the oldest that is still there when the receipt is published, or is kept for the
 * next one before that; a yes that cannot be written down or kept, or whose receipt cannot be published, reaches none.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending } from "../channel/channel.js";
import { type Bound, lateEndings } from "../grants/grant-store.js";
import type { Likeness } from "../request/likeness.js";
import { type Outcome, outcomes } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import {
  type Call,
  detachOf,
  type Ended,
  endedPending,
  failedBy,
  type Gone,
  hasGivenUp,
  secondsBetween,
} from "./call.js";
import type { DecisionSlot } from "./decision-slot.js";
import type { Write } from "./journal.js";
import type { Leavings } from "./leavings.js";
import type { NoticeEnd } from "./notices.js";
import type { Decided } from "./race.js";
import { oneLine, reasonOf } from "./reason.js";
import { assuranceOfTaken, decidedEvent, type EndingWords, endedEvents, settledEvent } from "./record.js";
import type { PreparedRule } from "./rules.js";
import type { Unspent } from "./unspent.js";

type WaitingCall = Omit<Call, "earlier">;

/** A request that is decided, and the calls that wait for it. */
export interface Settling {
  readonly request: ApprovalRequest;
  readonly slot: DecisionSlot;
  readonly decided: Decided;
  /** What a yes for the session leaves; null for all else. */
  readonly rule: PreparedRule | null;
  readonly likeness: Likeness;
  /** What became of its banner. */
  readonly banner: NoticeEnd;
  /** In monotonic milliseconds; the calls' own times are too. */
  readonly decidedAt: number;
  /** When the first call asked. */
  readonly startedAt: number;
  /** In order of arrival. */
  readonly calls: readonly WaitingCall[];
  readonly write: Write;
  /** Why nothing may run for a caller any more, or null. */
  readonly whyGone: (signal: AbortSignal) => Gone | null;
  /** What a yes is bound to that no call waits for. */
  readonly bound: Bound;
  readonly unspent: Pick<Unspent, "keep" | "takeBack">;
  readonly leavings: Pick<Leavings, "leave">;
  /** Another request took the place of this one. */
  readonly isSuperseded: boolean;
  /** Does another request wait for the same? */
  readonly isAskedElsewhere: () => boolean;
}

/** What one call is told as things stand. */
interface Told extends Ended {
  readonly call: WaitingCall;
}

/** Writes the decision down, keeps what is left over, then publishes the receipt. One outcome for each call, in order. */
export async function settle(settling: Settling): Promise<readonly Outcome[]> {
  const { request, slot, decided, rule, write } = settling;
  let told = endings(settling, null);
  const written = endingOf(told, decided, null);
  const ended = endedEvents(request.id, decided, written, wordsOf(settling, null));
  const lines = told.map((one) => lineOf(settling, one));
  // What a person said is on disk before anything follows from it; what the server decided lets nothing follow.
  const isPersons = decided.taken.answer.via !== "server";
  let fault = await write([...ended, ...lines], isPersons ? "durable" : "plain");

  // Callers may have left meanwhile, and a yes falls to the next one: that is on disk, too, before it counts.
  for (let now = endings(settling, fault); isOther(now, told); now = endings(settling, fault)) {
    const before = told;
    told = now;
    fault = (await correct(settling, before, now)) ?? fault;
  }
  const isKept = fault === null && isLeftOver(told, decided);
  // The rule is there in the same step as the receipt: what says approved has something behind it.
  if (isKept) fault = rule === null ? await keep(settling) : leave(rule);
  if (isKept && fault !== null) told = await corrected(settling, told, fault);
  const ending = endingOf(told, decided, fault);
  // Nothing is awaited where nothing is to be corrected: a caller may leave in any pause.
  if (isOtherEnding(ending, written)) await correctEnding(settling, ending, fault);
  try {
    slot.settle(ending);
  } catch (error) {
    fault = oneLine(reasonOf(error));
    if (isKept) await takeBack(settling);
    told = await corrected(settling, told, fault);
    const unpublished = endingOf(told, decided, fault);
    if (isOtherEnding(unpublished, ending)) await correctEnding(settling, unpublished, fault);
  }
  await leaveBehind(settling);
  // The yes stands for its call, with a rule or without one: then the next call asks.
  if (told.some(({ name }) => name === "approved")) rule?.leave();
  return told.map((one) => outcomeOf(settling, one));
}

/** `fault` is why a yes cannot count. */
function endings({ decided, calls, whyGone }: Settling, fault: string | null): readonly Told[] {
  const { name, note, taken } = decided;
  let isGiven = false;
  return calls.map((call) => {
    if (name !== "approved") return { call, name, note };
    // A yes for a caller that is no longer there stands in the slot, and runs nothing.
    const gone = whyGone(call.signal) ?? (fault === null ? null : failedBy(fault));
    if (gone !== null) return { call, ...gone };
    if (hasGivenUp(call.signal)) return { call, name: "pending", note: null };
    if (isGiven && taken.answer.scope === "once") return { call, name: "already_decided", note };
    isGiven = true;
    return { call, name, note };
  });
}

/** Is it a yes that the next identical call is to have, because those that were here wait no more? */
function isLeftOver(told: readonly Told[], { name }: Decided): boolean {
  if (name !== "approved" || told.some((one) => one.name === "approved")) return false;
  return told.length === 0 || told.some((one) => one.name === "pending");
}

/** A yes for once is kept for the next call that is bound to the same. Why it is not, or null. */
function keep({ unspent, bound, request, decided }: Settling): Promise<string | null> {
  return unspent.keep(bound, request, decided.taken);
}

/** A rule stays in memory, and is all that a yes comes to for which no call waits. Why there is none, or null. */
function leave(rule: PreparedRule): string | null {
  const why = rule.leave();
  return why === null ? null : oneLine(`no call waits for it any more, and it leaves no rule: ${why}`);
}

async function takeBack({ rule, unspent, request }: Settling): Promise<void> {
  if (rule === null) await unspent.takeBack(request);
  else rule.takeBack();
}

/** What nobody said no to may be answered late, but for what has changed and was asked anew, and for what still waits. */
async function leaveBehind(settling: Settling): Promise<void> {
  const { leavings, bound, request, decided, isSuperseded, isAskedElsewhere } = settling;
  const { toldMsAgo } = settling.banner;
  const how = lateEndings.find((ending) => ending === decided.name);
  if (how === undefined || isSuperseded || isAskedElsewhere()) return;
  await leavings.leave({ bound, request, how, toldMsAgo });
}

/** `fault` is why a yes cannot count. */
function endingOf(told: readonly Told[], decided: Decided, fault: string | null): Ending {
  const { name, taken } = decided;
  const isLost = name === "approved" && told.length === 0 && fault !== null;
  const isFailed = isLost || told.some((one) => one.name === "failed");
  const isOpen = told.some((one) => one.name === "approved") || isLeftOver(told, decided);
  const outcome = isFailed ? "failed" : outcomes[name].receipt;
  return { outcome, taken, ran: isOpen && !isFailed ? null : false };
}

function isOtherEnding(now: Ending, before: Ending): boolean {
  return now.outcome !== before.outcome || now.ran !== before.ran;
}

/** The log hears how it ends instead, before the receipt says it. */
async function correctEnding(settling: Settling, now: Ending, fault: string | null): Promise<void> {
  const { request, decided, write } = settling;
  await write([settledEvent(request.id, decided, now, wordsOf(settling, fault))], "plain");
}

function wordsOf({ startedAt, decidedAt, banner }: Settling, why: string | null): EndingWords {
  return { seconds: secondsBetween(startedAt, decidedAt), banner: banner.word, why };
}

function isOther(now: readonly Told[], before: readonly Told[]): boolean {
  return now.some(({ name }, index) => name !== before[index]?.name);
}

/** What the calls are told where a yes cannot count any more. */
async function corrected(
  settling: Settling,
  before: readonly Told[],
  fault: string,
): Promise<readonly Told[]> {
  const now = endings(settling, fault);
  await correct(settling, before, now);
  return now;
}

/** Lines for the calls that end otherwise than was written; why a yes among them could not be written, or null. */
async function correct(
  settling: Settling,
  before: readonly Told[],
  now: readonly Told[],
): Promise<string | null> {
  const changed = now.filter(({ name }, index) => name !== before[index]?.name);
  if (changed.length === 0) return null;
  const isYes = changed.some(({ name }) => name === "approved");
  const lines = changed.map((one) => lineOf(settling, one));
  const fault = await settling.write(lines, isYes ? "durable" : "plain");
  return isYes ? fault : null;
}

function lineOf({ request, decided, decidedAt }: Settling, { call, name, note }: Told): AuditEvent {
  const seconds = secondsBetween(call.startedAt, decidedAt);
  const { taken } = decided;
  if (name === "pending") {
    return decidedEvent(call.ask, request.id, name, { why: detachOf(call.signal)?.why ?? null, seconds });
  }
  if (!isOf(decided, name)) return decidedEvent(call.ask, request.id, name, { why: note, seconds });
  const { via, scope = null } = taken.answer;
  const how = { via, scope, assurance: assuranceOfTaken(taken), seconds };
  return decidedEvent(call.ask, request.id, name, how);
}

/** Does a call end as the slot says, or as another call's share in it? */
function isOf(decided: Decided, name: Outcome["name"]): boolean {
  return name === decided.name || name === "already_decided";
}

function outcomeOf(settling: Settling, { call, name, note }: Told): Outcome {
  const { request, decided, decidedAt, likeness } = settling;
  const seconds = secondsBetween(call.startedAt, decidedAt);
  if (name === "pending") return endedPending(request, likeness, seconds);
  const { taken, reading } = decided;
  const isApproved = name === "approved";
  const isAnswers = isOf(decided, name);
  return {
    name,
    via: isAnswers ? taken.answer.via : "server",
    scope: isApproved ? (taken.answer.scope ?? null) : null,
    assurance: isAnswers ? assuranceOfTaken(taken) : null,
    verified: isAnswers ? (taken.testimony?.verified ?? null) : null,
    note,
    unseenMs:
      (isApproved || name === "declined") && reading?.isUnseen === true ? Math.round(reading.ms) : null,
    request: request.id,
    waits: null,
    redeemed: false,
    seconds,
  };
}
