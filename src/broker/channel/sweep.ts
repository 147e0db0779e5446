/**
 * Clearing away what nobody stands behind any more. Best effort, by anybody. Never touches a live server's
 * files, files of a newer version, files that cannot be read as ours, or temporaries younger than a minute.
 */
import { join } from "node:path";
import { isOlder, namesIn } from "../files/look.js";
import { temporaryLifeMs, temporaryPrefix } from "../files/publish.js";
import { removeQuietly } from "../files/remove.js";
import { objectionTo, parseAnswerFileName } from "../request/answer.js";
import { answerHash, isReceiptVerified } from "../request/binding.js";
import type { Liveness } from "../request/process.js";
import { type Request, requestFileName } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Ending, Listing } from "./channel.js";
import type { Home } from "./home.js";
import { type OnDecidedFact, type SweptFact, sweepFact } from "./left-fact.js";
import { publishReceipt, readReceipt, receiptLifeMs, unprovedReceipt } from "./receipts.js";
import {
  type FoundServer,
  isRecordGone,
  isServerGone,
  type LookUp,
  parentLiveness,
  readServerRecord,
} from "./server-record.js";
import { clearFiles, readSlot } from "./slot.js";
import { hashesIn, unspool } from "./spool.js";

/** What is swept, for whom, and how a process is known to live. */
export interface SweepOptions {
  readonly home: Home;
  readonly clock: Clock;
  /** Requests of this instance are never swept: their server is the one that sweeps. Null for a face. */
  readonly instance: string | null;
  readonly liveness: LookUp;
  /** Carries out what was decided about a fact whose server is gone, and clears away what is carried out already. */
  readonly onDecidedFact: OnDecidedFact;
}

/** One thing that a sweep did, for the audit log. */
export interface Swept {
  readonly id: string;
  readonly what: "stale" | "decided, not run" | "cleared" | "orphan answer" | SweptFact;
}

/**
 * Sweeps everything once, given a listing of what waits; returns what was done to whom. Whoever publishes a
 * receipt reports it, so each stale request is reported once.
 */
export function sweep(options: SweepOptions, listing: Listing): readonly Swept[] {
  const { home, clock } = options;
  const settled = new Set(namesIn(home.settled));
  const swept: Swept[] = [];
  const servers = serversOnce(options);
  const isGone = (request: Request): boolean =>
    isServerGone(request, servers.recordOf(request.server.instance), clock.now(), servers.lookUp);
  for (const request of listing.requests) {
    if (request.server.instance === options.instance) continue;
    const what = settled.has(`${request.id}.json`)
      ? sweepSettled(request, options, isGone)
      : isGone(request)
        ? sweepLeft(request, options)
        : null;
    if (what !== null) swept.push({ id: request.id, what });
  }
  const left = namesIn(home.pending);
  swept.push(...sweepOrphans(home, left, listing, clock));
  sweepOld(options, servers, left, listing);
  return swept;
}

/** As long as a request that has ended may be answered late, where nothing else is configured. */
const orphanLifeMs = 24 * 3_600_000;
/** A settled request lies this long before somebody else than its server clears it. */
const clearAfterMs = 60_000;

/** The records of servers, and which processes live: each is looked at once in a sweep. */
interface Servers {
  readonly recordOf: (instance: string) => FoundServer | null;
  readonly lookUp: LookUp;
}

function serversOnce(options: SweepOptions): Servers {
  const known = new Map<string, FoundServer | null>();
  const looked = new Map<string, Liveness>();
  return {
    recordOf(instance) {
      const found = known.has(instance) ? known.get(instance) : readServerRecord(options.home, instance);
      known.set(instance, found ?? null);
      return found ?? null;
    },
    lookUp(one) {
      const key = JSON.stringify([one.pid, one.startedAt, one.boot, one.namespace]);
      const state = looked.get(key) ?? options.liveness(one);
      looked.set(key, state);
      return state;
    },
  };
}

/**
 * What is to be done about a request beside which a receipt lies. Anybody can write one: while the server lives only
 * one that it proved says that the request is done. Of a fact the same holds after that: what was decided about it says
 * the store, and the person's answer may not be lost by a receipt.
 */
function sweepSettled(
  request: Request,
  options: SweepOptions,
  isGone: (request: Request) => boolean,
): Swept["what"] | null {
  const { home, clock } = options;
  const receipt = readReceipt(home, request.id);
  if (receipt === null) return isGone(request) ? sweepLeft(request, options) : null;
  if (!isReceiptVerified(receipt, request)) {
    if (!isGone(request)) return null;
    if (request.kind === "fact") return sweepFact(home, request, clock, options.onDecidedFact, true);
  }
  const age = clock.now() - receipt.at;
  // One that says that it is of the future would keep its request for ever.
  if (age >= 0 && age < clearAfterMs) return null;
  clear(home, request);
  return "cleared";
}

/** A fact waits for the person whether or not its server lives; nobody is left to hear anything else. */
function sweepLeft(request: Request, { home, clock, onDecidedFact }: SweepOptions): Swept["what"] | null {
  return request.kind === "fact"
    ? sweepFact(home, request, clock, onDecidedFact, false)
    : settleStale(home, request, clock);
}

/** Without a receipt nothing ran: the receipt stands before the effect. */
function settleStale(home: Home, request: Request, clock: Clock): Swept["what"] | null {
  const slot = readSlot(home, request.id);
  const isDecided = slot.kind === "answer" && objectionTo(slot.answer, request) === null;
  const ending: Ending = isDecided
    ? {
        outcome: "failed",
        taken: { answer: slot.answer, hash: answerHash(slot.answer), testimony: null },
        ran: false,
      }
    : { outcome: "stale", taken: null, ran: false };
  const isOurs = publishReceipt(home, unprovedReceipt(request, ending, clock.now()), clock);
  clear(home, request);
  if (!isOurs) return null;
  return isDecided ? "decided, not run" : "stale";
}

function clear(home: Home, request: Request): void {
  clearFiles(home, request);
  unspoolQuietly(home, request);
}

/** Answers without a request: somebody was too late, or answered what was never asked. */
function sweepOrphans(
  home: Home,
  names: readonly string[],
  listing: Listing,
  clock: Clock,
): readonly Swept[] {
  const asked = new Set([...listing.requests.map((request) => request.id), ...listing.newer]);
  const swept: Swept[] = [];
  for (const name of names) {
    const id = parseAnswerFileName(name);
    if (id === null || asked.has(id) || listing.unreadable.some((file) => file.name.startsWith(`${id}.`)))
      continue;
    const path = join(home.pending, name);
    if (!isOlder(path, temporaryLifeMs, clock.now())) continue;
    if (readSlot(home, id).kind !== "answer") continue;
    if (removeQuietly(path)) swept.push({ id, what: "orphan answer" });
  }
  return swept;
}

/** Temporaries, receipts, texts and records whose time is over. */
function sweepOld(
  { home, clock }: SweepOptions,
  servers: Servers,
  pending: readonly string[],
  { requests }: Listing,
): void {
  const now = clock.now();
  const settled = namesIn(home.settled);
  const spooled = namesIn(home.spool);
  sweepTemporaries(home.pending, pending, now);
  sweepTemporaries(home.settled, settled, now);
  sweepTemporaries(home.spool, spooled, now);
  sweepTemporaries(home.rejected, namesIn(home.rejected), now);
  const there = new Set(pending);
  for (const name of settled) {
    // The receipt of a request that still lies there is what says that it must not be called stale.
    const isCleared = !namesOfRequest(name.replace(/\.json$/, "")).some((one) => there.has(one));
    const path = join(home.settled, name);
    if (isCleared && isOlder(path, receiptLifeMs, now)) removeQuietly(path);
  }
  const oldTexts = spooled.filter((name) => isOlder(join(home.spool, name), clearAfterMs, now));
  if (oldTexts.length > 0) unspool(home, oldTexts);
  const asking = new Set(requests.map(({ server }) => `${server.instance}.json`));
  for (const name of namesIn(home.servers)) sweepRecord(home, name, clock, servers, asking.has(name));
}

function sweepTemporaries(directory: string, names: readonly string[], now: number): void {
  for (const name of names) {
    const path = join(directory, name);
    if (name.startsWith(temporaryPrefix) && isOlder(path, temporaryLifeMs, now)) removeQuietly(path);
  }
}

function sweepRecord(
  home: Home,
  name: string,
  clock: Clock,
  { recordOf, lookUp }: Servers,
  isAsking: boolean,
): void {
  const found = recordOf(name.replace(/\.json$/, ""));
  if (found === null || !isRecordGone(found, clock.now(), lookUp)) return;
  // Its requests were settled just now or are about to be, and without a record only time would tell that it is gone.
  // By it whoever answers sees that it is within that server's client, which lives on and may have ended it.
  const isOrphaned = parentLiveness(found, lookUp) === "alive";
  const isOfUse = isOrphaned && (isAsking || clock.now() - found.beatAt < orphanLifeMs);
  if (!isOfUse && isOlder(join(home.servers, name), clearAfterMs, clock.now()))
    removeQuietly(join(home.servers, name));
}

function namesOfRequest(id: string): readonly string[] {
  return (["approval", "fact", "question"] as const).map((kind) => requestFileName({ id, kind }));
}

function unspoolQuietly(home: Home, request: Request): void {
  try {
    unspool(home, hashesIn(request));
  } catch {
    // The texts are swept with their age.
  }
}
