/**
 * Facts that were decided while their server was gone, carried out by whoever finds them. Invariants: a yes counts only
 * where somebody looked at the process that gave it, which the audit log says, or this very process does; a decision that
 * was moved out of its slot is not carried out; of several who carry out the same one, all do the same.
 */
import type { AuditLog } from "../audit/audit-log.js";
import type { Ending, Taken } from "../channel/channel.js";
import type { FactStore } from "../facts/fact-store.js";
import { type Answer, type AnsweredBy, needsPerson } from "../request/answer.js";
import type { Shortfall, Testimony } from "../request/assurance.js";
import { answerHash } from "../request/binding.js";
import type { FactRequest } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { applyFact } from "./apply-fact.js";
import { factSettledEvent } from "./fact-record.js";
import { type Write, writerInto } from "./journal.js";
import { oneLine } from "./reason.js";

/** The channel, as far as anybody may act in it for a server that is gone. */
interface LeftPlace {
  /** Does this answer still stand in its slot? */
  holds(answer: Answer): boolean;
  /** Publishes a receipt that nobody can prove, and clears the request away. Throws channel_unsafe, channel_unavailable. */
  settle(request: FactRequest, ending: Ending): void;
  /**
   * Moves the answer out of its slot, and tells whoever gave it what was wanting, null where nothing says so. Returns its
   * name inside `rejected/`, or null.
   */
  reject(answer: Answer, shortfall: Shortfall | null): string | null;
}

/** What they are carried out with. */
export interface LeftFactParts {
  readonly place: LeftPlace;
  readonly facts: FactStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** In whose name that is done: as `audit` writes it. */
  readonly session: string;
  /** Does the audit log hold this answer to request `id`? */
  readonly isRecorded: (id: string, hash: string) => boolean;
  /** What the process that gave an answer is to this one. */
  readonly whoIs: (by: AnsweredBy) => "this process" | "alive" | "gone";
  /** Looks at this process, for answers that it gave itself; null where it gives none. */
  readonly lookAtSelf: (() => Testimony) | null;
}

/** Carries out one decision at a time and never rejects: what could not be done is tried with the next sweep. */
export type CarryOut = (request: FactRequest, answer: Answer) => Promise<void>;

/**
 * `answer` may decide `request` (`objectionTo`), which is unaltered. Of a request that is being carried out already
 * nothing more is done.
 */
export function createLeftFacts(parts: LeftFactParts): CarryOut {
  const write = writerInto(parts.audit);
  const underWay = new Set<string>();
  return async (request, answer) => {
    if (underWay.has(request.id)) return;
    underWay.add(request.id);
    try {
      await carryOut(request, answer, write, parts);
    } catch {
      // A directory that cannot be written, or is not safe: the decision stays where it is.
    } finally {
      underWay.delete(request.id);
    }
  };
}

async function carryOut(
  request: FactRequest,
  answer: Answer,
  write: Write,
  parts: LeftFactParts,
): Promise<void> {
  const { place, facts, clock, session } = parts;
  const hash = answerHash(answer);
  const isRecorded = parts.isRecorded(request.id, hash);
  const who = parts.whoIs(answer.by);
  const testimony = who === "this process" ? (parts.lookAtSelf?.() ?? null) : null;
  if (needsPerson(answer) && !isRecorded) {
    // It is being carried out by whoever gave it, or will be: only that process can be looked at.
    if (who === "alive") return;
    const shortfall = testimony === null ? "process_gone" : testimony.shortfall;
    if (shortfall !== null) return await reject(answer, shortfall, testimony, write, parts);
  }
  if (!place.holds(answer)) return;
  const taken: Taken = { answer, hash, testimony };
  const fault = await applyFact(request, taken, isRecorded, { write, facts, clock, session });
  // Nobody else waits to be told that it could not be done; the next sweep may be able to.
  if (fault !== null && who !== "this process") return;
  const ending: Ending = { outcome: fault === null ? "answered" : "failed", taken, ran: false };
  await write([factSettledEvent(request, { ending, banner: null, why: fault }, clock.now())], "plain");
  place.settle(request, ending);
}

/** The request goes on waiting. */
async function reject(
  answer: Answer,
  shortfall: Shortfall,
  testimony: Testimony | null,
  write: Write,
  { place }: LeftFactParts,
): Promise<void> {
  // Nobody is there to be told of an answer whose process is gone.
  const movedTo = place.reject(answer, testimony === null ? null : shortfall);
  const details = { reason: oneLine(`assurance_insufficient: ${shortfall}`), movedTo };
  await write(
    [{ kind: "answer.refused", call: answer.id, verified: testimony?.seen ?? {}, details }],
    "plain",
  );
}
