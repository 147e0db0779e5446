/**
 * The one approver of a server. Invariants: a request is settled exactly once; `approved` leaves here only when
 * the slot held an approving answer, the decision is on disk, the receipt is published and the caller is still
 * there. Whatever else happens runs nothing.
 */

import type { AuditEvent, AuditLog } from "../audit/audit-log.js";
import type { Channel, Ending } from "../channel/channel.js";
import { assuranceOf } from "../request/assurance.js";
import { type Outcome, type OutcomeName, outcomes } from "../request/outcome.js";
import type { RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Approver, Ask } from "./approver.js";
import { createDeadlines } from "./deadlines.js";
import { answerWriter } from "./decision-slot.js";
import type { Dialog } from "./dialog.js";
import { type Placed, placeRequest } from "./place.js";
import { createRace, type Decided, type Race } from "./race.js";
import { oneLine, reasonOf, shownFault } from "./reason.js";
import { decidedEvent, invalidEvent, pendingEvent, requestedEvents, settledEvents } from "./record.js";

/** What an approver is made of: where it asks, where it writes that down, and in whose name. */
export interface ApproverParts {
  /** Where requests are filed, for this process's own use; null when only the client's dialog may ask. */
  readonly channel: Channel | null;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly server: RequestServer;
  /** The program's version, as it stands in the answers it gives itself. */
  readonly version: string;
  /** How long a person has; 0 waits for ever. */
  readonly timeoutSeconds: number;
}

/** One call of `Approver.ask`. */
interface Call {
  readonly ask: Ask;
  readonly dialog: Dialog | null;
  readonly signal: AbortSignal;
  readonly onAsked: Parameters<Approver["ask"]>[3];
  /** Since the call began, rounded to milliseconds. */
  readonly seconds: () => number;
}

type Ended = Pick<Outcome, "name" | "note">;

/** Settling takes a moment each and a process must end soon: of the newest so many every face learns at once. */
const mostSettledAtEnd = 256;

const callerCancelled = "the caller cancelled";

/** Touches nothing, in the channel or the audit log, before the first ask. */
export function createApprover(parts: ApproverParts): Approver {
  const { channel, audit, clock, server, timeoutSeconds } = parts;
  const writeAnswer = answerWriter(clock, server, parts.version);
  const timeoutMs = timeoutSeconds === 0 ? null : timeoutSeconds * 1_000;
  const placing = { channel, clock, server, timeoutMs, writeAnswer };
  const deadlines = createDeadlines<Race>(clock, timeoutMs, (race) =>
    race.end("timed_out", `nobody answered within ${timeoutSeconds} s`),
  );
  const calls = new Set<Promise<Outcome>>();
  const races = new Set<Race>();
  const filed = new Map<string, Race>();
  let stopListening: (() => void) | null = null;
  let closedBecause: string | null = null;

  async function run(call: Call): Promise<Outcome> {
    const { ask, dialog, signal, seconds } = call;
    // A cancellation may come before the call's own handler runs; then no listener would ever hear it.
    const gone = whyGone(signal);
    if (gone !== null) return unasked(gone, call);

    const ways = { channel: channel !== null, dialog: dialog !== null };
    const fault = await append(requestedEvents(ask, ways), "plain");
    if (fault !== null) return refuse({ name: "failed", note: fault }, call);
    const left = whyGone(signal);
    if (left !== null) return refuse(left, call);

    // All ways are counted before any starts: what cannot be filed is asked by the dialog alone.
    const placed = await place(call);
    const how = { filed: placed.slot?.isFiled ?? false, why: placed.fault, dialog: dialog !== null };
    const pending = append([pendingEvent(placed.request, how)], "plain");
    if (placed.request === null) {
      await pending;
      return refuse({ name: "failed", note: oneLine(placed.fault) }, call);
    }
    const decided = await wait(call, placed);
    const answeredAfter = seconds();
    await pending;
    if (decided.isLeft) return endedBy(decided, placed.request.id, answeredAfter);
    return settle(call, placed, decided, answeredAfter);
  }

  async function place(call: Call): Promise<ReturnType<typeof placeRequest>> {
    try {
      return placeRequest(call.ask, call.dialog !== null, placing);
    } catch (error) {
      // Nothing can be asked in this form, and whoever called hears why; the log has an ending for each ask.
      await refuse({ name: "failed", note: oneLine(reasonOf(error)) }, call);
      throw error;
    }
  }

  /** Ends a call about which nobody was asked. */
  async function refuse(ended: Ended, call: Call): Promise<Outcome> {
    const how = { why: ended.note, seconds: call.seconds() };
    await append([decidedEvent(call.ask, null, ended.name, how)], "plain");
    return unasked(ended, call);
  }

  function wait({ dialog, signal, onAsked }: Call, { request, slot, fault }: Placed): Promise<Decided> {
    return new Promise((resolve) => {
      const race = createRace({
        request,
        slot,
        dialog,
        writeAnswer,
        channelFault: fault,
        onInvalid: (why) => void append([invalidEvent(request, why)], "plain"),
        onDecided(decided) {
          races.delete(race);
          filed.delete(request.id);
          deadlines.remove(race);
          signal.removeEventListener("abort", abandon);
          resolve(decided);
        },
      });
      const abandon = (): void => race.end("abandoned", callerCancelled);
      races.add(race);
      deadlines.add(race);
      signal.addEventListener("abort", abandon);
      if (slot.isFiled) listenFor(request.id, race);
      // What came while the request was being filed was heard by nobody.
      if (signal.aborted) abandon();
      else if (closedBecause !== null) race.end("withdrawn", closedBecause);
      else begin(race, () => onAsked?.(request, shownFault(fault)));
    });
  }

  function begin(race: Race, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      // The request is filed: it is settled like any other, and the caller learns why.
      race.end("failed", reasonOf(error));
    }
    race.begin();
  }

  /** One subscription for all that waits. */
  function listenFor(id: string, race: Race): void {
    filed.set(id, race);
    if (stopListening !== null || channel === null) return;
    stopListening = channel.changes((changed) => {
      if (changed !== null) filed.get(changed)?.look();
      else for (const waiting of filed.values()) waiting.look();
    });
  }

  /** Writes the decision down, then publishes the receipt; a yes that fails in either runs nothing. */
  async function settle(
    { ask, signal }: Call,
    { request, slot }: Placed,
    decided: Decided,
    seconds: number,
  ): Promise<Outcome> {
    const { taken, dialog } = decided;
    const endingOf = (name: OutcomeName): Ending => ({
      outcome: name === "failed" ? "failed" : outcomes[decided.name].receipt,
      taken,
      ran: name === "approved" ? null : false,
    });
    const recorded = standing(decided, signal);
    const ending = endingOf(recorded.name);
    const events = settledEvents({ ask, request, taken, name: recorded.name, ending, dialog, seconds });
    const isYes = recorded.name === "approved";
    // What a person said is on disk before anything follows from it; what the server decided lets nothing follow.
    const isPersons = taken.answer.via !== "server";
    const unwritten = await append(events, isPersons ? "durable" : "plain");

    let ended = isYes && unwritten !== null ? failedBy(unwritten) : standing(recorded, signal);
    try {
      slot.settle(endingOf(ended.name));
    } catch (error) {
      if (ended.name === "approved") ended = failedBy(oneLine(reasonOf(error)));
    }
    if (ended.name !== recorded.name) {
      const how = { why: ended.note, seconds };
      await append([decidedEvent(ask, request.id, ended.name, how)], "plain");
    }
    const { via, scope } = taken.answer;
    return {
      name: ended.name,
      via: ended.name === decided.name ? via : "server",
      scope: ended.name === "approved" ? (scope ?? null) : null,
      assurance: ended.name === "approved" ? assuranceOf(via, taken.testimony?.verified ?? null) : null,
      note: ended.note,
      unseenMs: null,
      request: request.id,
      seconds,
    };
  }

  /** A yes for a caller that is no longer there stands in the slot, and runs nothing. */
  function standing({ name, note }: Ended, signal: AbortSignal): Ended {
    return (name === "approved" ? whyGone(signal) : null) ?? { name, note };
  }

  function whyGone(signal: AbortSignal): Ended | null {
    if (signal.aborted) return { name: "abandoned", note: callerCancelled };
    return closedBecause === null ? null : { name: "withdrawn", note: closedBecause };
  }

  /** Why the events could not be written, or null when they were. Only for a yes does it matter. */
  async function append(events: AuditEvent[], durability: "durable" | "plain"): Promise<string | null> {
    try {
      await audit.append(events, durability);
      return null;
    } catch (error) {
      return oneLine(reasonOf(error));
    }
  }

  return {
    async ask(ask, dialog, signal, onAsked) {
      const startedAt = clock.monotonic();
      const seconds = (): number => Math.round(clock.monotonic() - startedAt) / 1_000;
      const outcome = run({ ask, dialog, signal, onAsked, seconds });
      calls.add(outcome);
      try {
        return await outcome;
      } finally {
        calls.delete(outcome);
      }
    },
    async close(why) {
      closedBecause ??= oneLine(why);
      const oldest = races.size - mostSettledAtEnd;
      for (const [index, race] of [...races].entries()) {
        if (index < oldest) race.leave(closedBecause);
        else race.end("withdrawn", closedBecause);
      }
      stopListening?.();
      stopListening = null;
      await Promise.allSettled(calls);
    },
  };
}

/** How a request ended that is left to a sweep. */
function endedBy({ name, note, taken }: Decided, request: string, seconds: number): Outcome {
  return {
    name,
    via: taken.answer.via,
    scope: null,
    assurance: null,
    note,
    unseenMs: null,
    request,
    seconds,
  };
}

function failedBy(fault: string): Ended {
  return { name: "failed", note: fault };
}

function unasked({ name, note }: Ended, call: Call): Outcome {
  return {
    name,
    via: "server",
    scope: null,
    assurance: null,
    note,
    unseenMs: null,
    request: null,
    seconds: call.seconds(),
  };
}
