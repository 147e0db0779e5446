/**
 * Facts that were decided while their server was gone, carried out by whoever finds them. Invariants: a yes counts only
 * where somebody looked at the process that gave it, which the audit log says, or this very process does; a decision that
 * was moved out of its slot is not carried out; of several who carry out the same one, all do the same. Anybody can lay any
 * number of decisions there: what one sweep found costs one reading of the log and a bounded number of steps.
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
  /**
   * Publishes a receipt that nobody can prove, in place of one that says something else, and clears the request away. Throws
   * channel_unsafe, channel_unavailable.
   */
  settle(request: FactRequest, ending: Ending): void;
  /** Clears the request away. */
  clear(request: FactRequest): void;
  /**
   * Moves the answer out of its slot, and tells whoever gave it what was wanting, null where nothing says so. Returns its
   * name inside `rejected/`, or null.
   */
  reject(answer: Answer, shortfall: Shortfall | null): string | null;
}

type Giver = "this process" | "alive" | "gone";

/** What they are carried out with. */
export interface LeftFactParts {
  readonly place: LeftPlace;
  readonly facts: FactStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** In whose name that is done: as `audit` writes it. */
  readonly session: string;
  /** For each of these requests the hashes of the answers that decided it, as the audit log says. It reads all of the log. */
  readonly recorded: (ids: ReadonlySet<string>) => ReadonlyMap<string, readonly string[]>;
  /**
   * What the process that gave an answer is to this one. An answer names its process by its own word: "this process" only
   * where this process itself published one with this `hash`.
   */
  readonly whoIs: (by: AnsweredBy, hash: string) => Giver;
  /** Looks at this process, for answers that it gave itself; null where it gives none. */
  readonly lookAtSelf: (() => Testimony) | null;
}

/**
 * Carries out what a sweep found, one after the other, and never rejects: what could not be done is tried with the next
 * sweep. Without an answer it only clears away what is kept or dropped already.
 */
export type CarryOut = (request: FactRequest, answer: Answer | null) => Promise<void>;

/** The next sweep finds the rest. */
const mostAtOnce = 50;

/**
 * `answer` may decide `request` (`objectionTo`), which is unaltered. Of a request that is being carried out already
 * nothing more is done. What is handed in before the first of it is begun is done together.
 */
export function createLeftFacts(parts: LeftFactParts): CarryOut {
  const write = writerInto(parts.audit);
  const underWay = new Set<string>();
  let found: Found[] = [];
  let together: Promise<void> | null = null;

  async function carryOutAll(all: readonly Found[]): Promise<void> {
    try {
      const due = all.flatMap((one) => dueOf(one, parts) ?? []);
      // What this very process decided has somebody who waits for it.
      due.sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
      const now = due.slice(0, mostAtOnce);
      const recorded = recordedAmong(now, parts);
      for (const one of now) await carryOutQuietly(one, recorded, write, parts);
    } finally {
      for (const { request } of all) underWay.delete(request.id);
    }
  }

  return (request, answer) => {
    if (underWay.has(request.id)) return Promise.resolve();
    underWay.add(request.id);
    found.push({ request, answer });
    together ??= Promise.resolve().then(() => {
      const all = found;
      found = [];
      together = null;
      return carryOutAll(all);
    });
    return together;
  };
}

interface Found {
  readonly request: FactRequest;
  readonly answer: Answer | null;
}

interface Decided {
  readonly request: FactRequest;
  readonly answer: Answer;
  readonly hash: string;
  readonly who: Giver;
}

type Due = Decided | { readonly request: FactRequest; readonly answer: null };

function isOwn(one: Due): boolean {
  return one.answer !== null && one.who === "this process";
}

/** Null for what is left to whoever gave it. */
function dueOf({ request, answer }: Found, { whoIs }: LeftFactParts): Due | null {
  if (answer === null) return { request, answer };
  const hash = answerHash(answer);
  const who = whoIs(answer.by, hash);
  // It is being carried out by whoever gave it, or will be: only that process can be looked at.
  return who === "alive" && needsPerson(answer) ? null : { request, answer, hash, who };
}

/** Read after it was seen who is gone: what those wrote down before is there by then. */
function recordedAmong(all: readonly Due[], parts: LeftFactParts): ReadonlyMap<string, readonly string[]> {
  const lasting = all.filter(({ answer }) => answer !== null && needsPerson(answer));
  return lasting.length === 0 ? new Map() : parts.recorded(new Set(lasting.map(({ request }) => request.id)));
}

async function carryOutQuietly(
  due: Due,
  recorded: ReadonlyMap<string, readonly string[]>,
  write: Write,
  parts: LeftFactParts,
): Promise<void> {
  try {
    if (due.answer === null) clearDecided(due.request, parts);
    else await carryOut(due, recorded.get(due.request.id)?.includes(due.hash) ?? false, write, parts);
  } catch {
    // A directory that cannot be written, or is not safe: the decision stays where it is.
  }
}

/** Whoever carried it out died before it cleared the request away, or somebody put that back. */
function clearDecided(request: FactRequest, { facts, place }: LeftFactParts): void {
  if (facts.isDecided(request.id)) place.clear(request);
}

async function carryOut(
  { request, answer, hash, who }: Decided,
  isRecorded: boolean,
  write: Write,
  parts: LeftFactParts,
): Promise<void> {
  const { place, facts, clock, session } = parts;
  const testimony = who === "this process" ? (parts.lookAtSelf?.() ?? null) : null;
  if (needsPerson(answer) && !isRecorded) {
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
