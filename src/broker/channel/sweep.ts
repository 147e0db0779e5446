/**
 * Clearing away what nobody stands behind any more. Best effort, by anybody. Never touches a live server's
 * files, files of a newer version, files that cannot be read as ours, or temporaries younger than a minute.
 */
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryLifeMs, temporaryPrefix } from "../files/publish.js";
import { objectionTo, parseAnswerFileName } from "../request/answer.js";
import { answerHash, isReceiptVerified } from "../request/binding.js";
import type { Liveness, ProcessIdentity } from "../request/process.js";
import { type Request, requestFileName } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Ending, Listing } from "./channel.js";
import type { Home } from "./home.js";
import { publishReceipt, readReceipt, receiptLifeMs, unprovedReceipt } from "./receipts.js";
import { isServerGone, readServerRecord } from "./server-record.js";
import { clearFiles, readSlot } from "./slot.js";
import { hashesIn, unspool } from "./spool.js";

/** What is swept, for whom, and how a process is known to live. */
export interface SweepOptions {
  readonly home: Home;
  readonly clock: Clock;
  /** Requests of this instance are never swept: their server is the one that sweeps. Null for a face. */
  readonly instance: string | null;
  readonly liveness: (one: ProcessIdentity) => Liveness;
}

/** One thing that a sweep did, for the audit log. */
export interface Swept {
  readonly id: string;
  readonly what: "stale" | "decided, not run" | "cleared" | "orphan answer";
}

/**
 * Sweeps everything once, given a listing of what waits; returns what was done to whom. Whoever publishes a
 * receipt reports it, so each stale request is reported once.
 */
export function sweep(options: SweepOptions, listing: Listing): readonly Swept[] {
  const { home, clock } = options;
  const settled = new Set(namesIn(home.settled));
  const swept: Swept[] = [];
  const isGone = goneServers(options);
  for (const request of listing.requests) {
    if (request.server.instance === options.instance) continue;
    const what = settled.has(`${request.id}.json`)
      ? clearSettled(home, request, clock, isGone)
      : isGone(request)
        ? settleStale(home, request, clock)
        : null;
    if (what !== null) swept.push({ id: request.id, what });
  }
  swept.push(...sweepOrphans(home, listing, clock));
  sweepOld(options);
  return swept;
}

/** A settled request lies this long before somebody else than its server clears it. */
const clearAfterMs = 60_000;

function goneServers(options: SweepOptions): (request: Request) => boolean {
  const known = new Map<string, boolean>();
  return (request) => {
    // A fact waits for the person whether or not its server lives.
    if (request.kind === "fact") return false;
    const { instance } = request.server;
    const isKnown = known.get(instance);
    if (isKnown !== undefined) return isKnown;
    const found = readServerRecord(options.home, instance);
    const isGone = isServerGone(found, request.createdAt, options.clock.now(), options.liveness);
    if (found !== null) known.set(instance, isGone);
    return isGone;
  };
}

function clearSettled(
  home: Home,
  request: Request,
  clock: Clock,
  isGone: (request: Request) => boolean,
): Swept["what"] | null {
  const receipt = readReceipt(home, request.id);
  if (receipt === null || clock.now() - receipt.at < clearAfterMs) return null;
  // Anybody can write a receipt; while the server lives only one that it proved says that it is done.
  if (!isReceiptVerified(receipt, request) && !isGone(request)) return null;
  clearFiles(home, request);
  unspoolQuietly(home, request);
  return "cleared";
}

/** Without a receipt nothing ran: the receipt stands before the effect. */
function settleStale(home: Home, request: Request, clock: Clock): Swept["what"] | null {
  const slot = readSlot(home, request.id);
  const isDecided = slot.kind === "answer" && objectionTo(slot.answer, request) === null;
  const ending: Ending = isDecided
    ? { outcome: "failed", taken: { answer: slot.answer, hash: answerHash(slot.answer) }, ran: false }
    : { outcome: "stale", taken: null, ran: false };
  const isOurs = publishReceipt(home, unprovedReceipt(request, ending, clock.now()), clock);
  clearFiles(home, request);
  unspoolQuietly(home, request);
  if (!isOurs) return null;
  return isDecided ? "decided, not run" : "stale";
}

/** Answers without a request: somebody was too late, or answered what was never asked. */
function sweepOrphans(home: Home, listing: Listing, clock: Clock): readonly Swept[] {
  const asked = new Set([...listing.requests.map((request) => request.id), ...listing.newer]);
  const swept: Swept[] = [];
  for (const name of namesIn(home.pending)) {
    const id = parseAnswerFileName(name);
    if (id === null || asked.has(id) || listing.unreadable.some((file) => file.name.startsWith(`${id}.`)))
      continue;
    const path = join(home.pending, name);
    if (!isOlder(path, temporaryLifeMs, clock)) continue;
    if (readSlot(home, id).kind !== "answer") continue;
    if (removeQuietly(path)) swept.push({ id, what: "orphan answer" });
  }
  return swept;
}

/** Temporaries, receipts, texts and records whose time is over. */
function sweepOld({ home, clock, liveness }: SweepOptions): void {
  const pending = new Set(namesIn(home.pending));
  for (const directory of [home.pending, home.settled, home.spool]) {
    for (const name of namesIn(directory)) {
      const path = join(directory, name);
      if (name.startsWith(temporaryPrefix) && isOlder(path, temporaryLifeMs, clock)) removeQuietly(path);
    }
  }
  for (const name of namesIn(home.settled)) {
    // The receipt of a request that still lies there is what says that it must not be called stale.
    const isCleared = !namesOfRequest(name.replace(/\.json$/, "")).some((one) => pending.has(one));
    if (isCleared && isOlder(join(home.settled, name), receiptLifeMs, clock))
      removeQuietly(join(home.settled, name));
  }
  const oldTexts = namesIn(home.spool).filter((name) => isOlder(join(home.spool, name), clearAfterMs, clock));
  if (oldTexts.length > 0) unspool(home, oldTexts);
  for (const name of namesIn(home.servers)) sweepRecord(home, name, clock, liveness);
}

function sweepRecord(home: Home, name: string, clock: Clock, liveness: SweepOptions["liveness"]): void {
  const found = readServerRecord(home, name.replace(/\.json$/, ""));
  if (found === null || !isServerGone(found, 0, clock.now(), liveness)) return;
  // Its requests were settled just now or are about to be, and without a record only time would tell that it is gone.
  if (isOlder(join(home.servers, name), clearAfterMs, clock)) removeQuietly(join(home.servers, name));
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

function isOlder(path: string, ageMs: number, clock: Clock): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && clock.now() - stats.mtimeMs > ageMs;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Not made yet, or unreadable: then there is nothing to sweep in it.
    return [];
  }
}

function removeQuietly(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    // Somebody else swept it, or it is a directory, which no sweep removes.
    return false;
  }
}
