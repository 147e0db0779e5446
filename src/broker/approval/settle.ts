/**
 * From a decision to what each call is told. Invariants: what a person said is on disk before anything follows from
 * it; a yes for `once` reaches one call, the oldest that is still there when the receipt is published; a yes that
 * cannot be written down, or whose receipt cannot be published, reaches none.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending } from "../channel/channel.js";
import { type Outcome, outcomes } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import { type Call, type Ended, failedBy, type Gone, secondsBetween } from "./call.js";
import type { DecisionSlot } from "./decision-slot.js";
import type { Write } from "./journal.js";
import type { Decided } from "./race.js";
import { oneLine, reasonOf } from "./reason.js";
import { assuranceOfTaken, decidedEvent, endedEvents } from "./record.js";

/** A request that is decided, and the calls that wait for it. */
export interface Settling {
  readonly request: ApprovalRequest;
  readonly slot: DecisionSlot;
  readonly decided: Decided;
  /** In monotonic milliseconds; the calls' own times are too. */
  readonly decidedAt: number;
  /** When the first call asked. */
  readonly startedAt: number;
  /** In order of arrival. */
  readonly calls: readonly Call[];
  readonly write: Write;
  /** Why nothing may run for a caller any more, or null. */
  readonly whyGone: (signal: AbortSignal) => Gone | null;
}

/** What one call is told as things stand. */
interface Told extends Ended {
  readonly call: Call;
}

/** Writes the decision down, then publishes the receipt. Resolves with an outcome for each call, in their order. */
export async function settle(settling: Settling): Promise<readonly Outcome[]> {
  const { request, slot, decided, decidedAt, startedAt, write } = settling;
  let told = endings(settling, null);
  const seconds = secondsBetween(startedAt, decidedAt);
  const ended = endedEvents(request.id, decided, endingOf(told, decided), seconds);
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
  try {
    slot.settle(endingOf(told, decided));
  } catch (error) {
    const before = told;
    told = endings(settling, oneLine(reasonOf(error)));
    await correct(settling, before, told);
  }
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
    if (isGiven && taken.answer.scope === "once") return { call, name: "already_decided", note };
    isGiven = true;
    return { call, name, note };
  });
}

function endingOf(told: readonly Told[], { name, taken }: Decided): Ending {
  const isFailed = told.some((one) => one.name === "failed");
  const isApproved = told.some((one) => one.name === "approved");
  return { outcome: isFailed ? "failed" : outcomes[name].receipt, taken, ran: isApproved ? null : false };
}

function isOther(now: readonly Told[], before: readonly Told[]): boolean {
  return now.some(({ name }, index) => name !== before[index]?.name);
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
  if (!isOf(decided, name)) return decidedEvent(call.ask, request.id, name, { why: note, seconds });
  const { via, scope = null } = taken.answer;
  const how = { via, scope, assurance: assuranceOfTaken(taken), seconds };
  return decidedEvent(call.ask, request.id, name, how);
}

/** Does a call end as the slot says, or as another call's share in it? */
function isOf(decided: Decided, name: Outcome["name"]): boolean {
  return name === decided.name || name === "already_decided";
}

function outcomeOf({ request, decided, decidedAt }: Settling, { call, name, note }: Told): Outcome {
  const { taken, reading } = decided;
  const isApproved = name === "approved";
  return {
    name,
    via: isOf(decided, name) ? taken.answer.via : "server",
    scope: isApproved ? (taken.answer.scope ?? null) : null,
    assurance: isApproved ? assuranceOfTaken(taken) : null,
    note,
    unseenMs: name === "declined" && reading?.isUnseen === true ? Math.round(reading.ms) : null,
    request: request.id,
    seconds: secondsBetween(call.startedAt, decidedAt),
  };
}
