/**
 * From a decision to what each call is told. Invariants: what a person said is on disk before anything follows from
 * it; a yes for `once` reaches one call, the oldest that is still there when the receipt is published, or is kept for the
 * next one before that; a yes that was to be remembered, and cannot be, is one for `once`; a yes that cannot be written down
 * or kept, or whose receipt cannot be published, reaches none.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending } from "../channel/channel.js";
import { type Bound, lateEndings } from "../grants/grant-store.js";
import type { Likeness } from "../request/likeness.js";
import { type Outcome, type OutcomeRule, outcomes } from "../request/outcome.js";
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
import type { Lasting, PreparedRule } from "./rules.js";
import type { Unspent } from "./unspent.js";

type WaitingCall = Omit<Call, "earlier">;

/** A request that is decided, and the calls that wait for it. */
export interface Settling {
  readonly request: ApprovalRequest;
  readonly slot: DecisionSlot;
  readonly decided: Decided;
  /** What a yes is to leave beyond its calls. */
  readonly lasting: Lasting;
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
  /** The id of the run of a call. */
  readonly runOf: (call: object) => string;
  /** Does another request wait for the same? */
  readonly isAskedElsewhere: () => boolean;
}

/** What one call is told as things stand. */
interface Told extends Ended {
  readonly call: WaitingCall;
  /** The id of its run; null where nothing runs. */
  readonly run: string | null;
}

/** What keeps a yes from counting as it was given. */
interface Hindrance {
  /** Why it cannot count at all; null where it can. */
  readonly fault: string | null;
  /** Why it counts once although it was given for longer; null where it does not. */
  readonly lost: string | null;
}

/** Writes the decision down, keeps what is left over, then publishes the receipt. One outcome for each call, in order. */
export async function settle(settling: Settling): Promise<readonly Outcome[]> {
  const { request, slot, decided, lasting, write } = settling;
  let told = endings(settling, unhindered);
  const written = endingOf(told, decided, unhindered);
  const ended = endedEvents(request.id, decided, written, wordsOf(settling, null));
  const lines = told.map((one) => lineOf(settling, one));
  // What a person said is on disk before anything follows from it; what the server decided lets nothing follow.
  const isPersons = decided.taken.answer.via !== "server";
  const fault = await write([...ended, ...lines], isPersons ? "durable" : "plain");

  let standing = await caughtUp(settling, { told, fault, lost: null });
  const rule = await remembered(settling, standing);
  // Rules that are kept elsewhere take a while, and callers may leave meanwhile.
  if (rule !== null) standing = await caughtUp(settling, { ...standing, lost: rule.lost });
  ({ told } = standing);
  const isKept = standing.fault === null && isLeftOver(told, decided) && !rule?.isLeft;
  let hindrance: Hindrance = standing;
  // The rule is there in the same step as the receipt: what says approved has something behind it.
  if (isKept)
    hindrance = { ...hindrance, fault: isOfSession(lasting) ? leave(lasting) : await keep(settling) };
  if (isKept && hindrance.fault !== null) told = await corrected(settling, told, hindrance);
  const ending = endingOf(told, decided, hindrance);
  // Nothing is awaited where nothing is to be corrected: a caller may leave in any pause.
  if (isOtherEnding(ending, written)) await correctEnding(settling, ending, hindrance);
  try {
    slot.settle(ending);
  } catch (error) {
    hindrance = { ...hindrance, fault: oneLine(reasonOf(error)) };
    if (isKept || rule?.isLeft === true) await takeBack(settling, rule);
    told = await corrected(settling, told, hindrance);
    const unpublished = endingOf(told, decided, hindrance);
    if (isOtherEnding(unpublished, ending)) await correctEnding(settling, unpublished, hindrance);
  }
  await leaveBehind(settling);
  // The yes stands for its call, with a rule or without one: then the next call asks.
  if (isOfSession(lasting) && told.some(({ name }) => name === "approved")) lasting.leave();
  return told.map((one) => outcomeOf(settling, one, hindrance, rule));
}

const unhindered: Hindrance = { fault: null, lost: null };

/** What was told so far, and what keeps the yes from counting. */
interface Standing extends Hindrance {
  readonly told: readonly Told[];
}

/** Callers may have left meanwhile, and a yes falls to the next one: that is on disk, too, before it counts. */
async function caughtUp(settling: Settling, standing: Standing): Promise<Standing> {
  const { lost } = standing;
  let { told, fault } = standing;
  for (;;) {
    const now = endings(settling, { fault, lost });
    if (!isOther(now, told)) return { told, fault, lost };
    fault = (await correct(settling, told, now)) ?? fault;
    told = now;
  }
}

/** The rule of a yes that counts for longer than its connection. */
interface WiderRule {
  readonly isLeft: boolean;
  readonly lost: string | null;
  readonly rule: OutcomeRule;
}

/** Leaves it where the yes counts for somebody; null where it does not, and for every other yes. */
async function remembered(
  { lasting, decided }: Settling,
  { told, fault }: Standing,
): Promise<WiderRule | null> {
  const isCounting = told.some(({ name }) => name === "approved") || isLeftOver(told, decided);
  if (lasting?.kind !== "wider" || fault !== null || !isCounting) return null;
  const rule = await lasting.leave();
  const lost = rule.kind === "lost" ? `nothing is remembered: ${rule.why}` : null;
  return { isLeft: rule.kind === "left", lost, rule };
}

/** Why a yes may not count, or not for long, is in the hindrance. */
function endings({ decided, calls, whyGone, runOf }: Settling, { fault, lost }: Hindrance): readonly Told[] {
  const { name, note, taken } = decided;
  const isOnce = taken.answer.scope === "once" || lost !== null;
  let isGiven = false;
  return calls.map((call) => {
    const run = null;
    if (name !== "approved") return { call, name, note, run };
    // A yes for a caller that is no longer there stands in the slot, and runs nothing.
    const gone = whyGone(call.signal) ?? (fault === null ? null : failedBy(fault));
    if (gone !== null) return { call, ...gone, run };
    if (hasGivenUp(call.signal)) return { call, name: "pending", note: null, run };
    if (isGiven && isOnce) return { call, name: "already_decided", note, run };
    isGiven = true;
    return { call, name, note, run: runOf(call) };
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

async function takeBack({ lasting, unspent, request }: Settling, rule: WiderRule | null): Promise<void> {
  if (isOfSession(lasting)) lasting.takeBack();
  else if (lasting !== null && rule?.isLeft === true) await lasting.takeBack();
  else await unspent.takeBack(request);
}

function isOfSession(lasting: Lasting): lasting is PreparedRule {
  return lasting?.kind === "session";
}

/** What nobody said no to may be answered late, but for what has changed and was asked anew, and for what still waits. */
async function leaveBehind(settling: Settling): Promise<void> {
  const { leavings, bound, request, decided, isSuperseded, isAskedElsewhere } = settling;
  const { toldMsAgo } = settling.banner;
  const how = lateEndings.find((ending) => ending === decided.name);
  if (how === undefined || isSuperseded || isAskedElsewhere()) return;
  await leavings.leave({ bound, request, how, toldMsAgo });
}

function endingOf(told: readonly Told[], decided: Decided, { fault, lost }: Hindrance): Ending {
  const { name, taken } = decided;
  const isLost = name === "approved" && told.length === 0 && fault !== null;
  const isFailed = isLost || told.some((one) => one.name === "failed");
  const isOpen = told.some((one) => one.name === "approved") || isLeftOver(told, decided);
  const outcome = isFailed ? "failed" : outcomes[name].receipt;
  const ran = isOpen && !isFailed ? null : false;
  return lost === null ? { outcome, taken, ran } : { outcome, taken, ran, lost };
}

function isOtherEnding(now: Ending, before: Ending): boolean {
  return now.outcome !== before.outcome || now.ran !== before.ran || now.lost !== before.lost;
}

/** The log hears how it ends instead, before the receipt says it. */
async function correctEnding(settling: Settling, now: Ending, { fault, lost }: Hindrance): Promise<void> {
  const { request, decided, write } = settling;
  await write([settledEvent(request.id, decided, now, wordsOf(settling, fault ?? lost))], "plain");
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
  hindrance: Hindrance,
): Promise<readonly Told[]> {
  const now = endings(settling, hindrance);
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

function lineOf({ request, decided, decidedAt }: Settling, { call, name, note, run }: Told): AuditEvent {
  const seconds = secondsBetween(call.startedAt, decidedAt);
  const { taken } = decided;
  if (name === "pending") {
    return decidedEvent(call.ask, request.id, name, { why: detachOf(call.signal)?.why ?? null, seconds });
  }
  if (!isOf(decided, name)) return decidedEvent(call.ask, request.id, name, { why: note, seconds });
  const { via, scope = null } = taken.answer;
  const how = { via, scope, assurance: assuranceOfTaken(taken), ...(run !== null && { run }), seconds };
  return decidedEvent(call.ask, request.id, name, how);
}

/** Does a call end as the slot says, or as another call's share in it? */
function isOf(decided: Decided, name: Outcome["name"]): boolean {
  return name === decided.name || name === "already_decided";
}

function outcomeOf(
  settling: Settling,
  { call, name, note, run }: Told,
  { lost }: Hindrance,
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
    scope: isApproved ? (lost === null ? (taken.answer.scope ?? null) : "once") : null,
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
