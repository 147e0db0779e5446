/** One trip through a home, with a server that may die or fail on the way, and what must hold after it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { sweep } from "../../src/broker/channel/sweep.js";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { Outcome } from "../../src/broker/request/outcome.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import { type Request, requestFileName } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { answerTo } from "./builders.js";
import { openFace, tempDirectory } from "./temp-home.js";
import { type FaultAt, filedBy, startWorker, type Worker } from "./workers.js";

const own = ownIdentity();

/** One home with everything that a trip through it leaves behind. */
export interface Scene {
  readonly home: Home;
  readonly effects: string;
}

/** A home that does not exist yet. */
export function scene(): Scene {
  const directory = tempDirectory();
  return { home: homeAt(join(directory, "home"), false), effects: join(directory, "effects") };
}

/** Starts a server that asks; `environment` is what its worker reads. */
export function startAsker(
  { home, effects }: Scene,
  faultAt: FaultAt | null,
  environment: Readonly<Record<string, string>> = {},
): Worker {
  return startWorker("asker", home.path, { WISP_TEST_EFFECTS: effects, ...environment }, faultAt);
}

/** The ids of requests whose effect ran, once for each run. */
export function effectsOf({ effects }: Scene): readonly string[] {
  return existsSync(effects) ? readFileSync(effects, "utf8").trimEnd().split("\n") : [];
}

/** Answers as a face whose own disk and life are sound. */
export function approve(home: Home, request: Request, overrides: Partial<Answer> = {}): void {
  try {
    openFace(home).answer(answerTo(request, overrides));
  } catch {
    // The server died or its fault came before there was anything to answer; the checks after it tell.
  }
}

/** Sweeps as any process does, `aheadMs` from now. */
export function sweepNow(home: Home, aheadMs = 0): void {
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const liveness = (one: Parameters<typeof livenessOf>[0]) => livenessOf(one, own);
  sweep(
    { home, clock, instance: null, liveness, onDecidedFact: () => {} },
    openFace(home, { clock }).pending(),
  );
}

interface AuditRecord {
  readonly kind: string;
  readonly call: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The records of `kind` that the audit log holds about request `id`, oldest first. */
export function recordsOf(home: Home, kind: string, id: string): readonly AuditRecord[] {
  const path = join(home.path, "audit", "log.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines
    .map((line) => JSON.parse(line) as AuditRecord)
    .filter((record) => record.kind === kind && record.call === id);
}

function stateOf(home: Home, request: Request): { request: boolean; slot: boolean; receipt: Receipt | null } {
  const has = (name: string): boolean => existsSync(join(home.pending, name));
  return {
    request: has(requestFileName(request)),
    slot: has(`${request.id}.answer.json`),
    receipt: openFace(home).receipt(request.id),
  };
}

/** What must hold when a server has ended in any way: nothing torn, nothing twice, no state outside the table. */
export function expectSound(trip: Scene, request: Request): void {
  const { home } = trip;
  expect(openFace(home).pending().unreadable).toEqual([]);
  const ran = effectsOf(trip).filter((id) => id === request.id).length;
  expect(ran).toBeLessThanOrEqual(1);
  const state = stateOf(home, request);
  // A slot outlives its request only beside a receipt.
  if (!state.request && state.receipt === null) expect(state.slot).toBe(false);
  if (ran === 1) {
    expect(state.receipt).toMatchObject({ outcome: "answered", decision: "approve" });
    // Calls that joined have a record each; one of them was approved.
    const outcomes = recordsOf(home, "approval.decided", request.id).map(({ details }) => details.outcome);
    expect(outcomes.filter((outcome) => outcome === "approved")).toHaveLength(1);
  }
}

/** After a sweep every face can say how it ended, and it never says "not run" about what ran. */
export function expectSwept(trip: Scene, request: Request): void {
  sweepNow(trip.home);
  const { receipt } = stateOf(trip.home, request);
  const hasRun = effectsOf(trip).includes(request.id);
  expect(receipt?.outcome).toBe(hasRun ? "answered" : (receipt?.outcome ?? "none"));
  expect(["answered", "stale", "failed"]).toContain(receipt?.outcome);
  sweepNow(trip.home, 61_000);
  expect(stateOf(trip.home, request)).toMatchObject({ request: false, slot: false });
}

/** A whole trip on the same home, without a fault: a good answer still works. */
export async function expectGoodTrip(trip: Scene): Promise<void> {
  const asker = startAsker(trip, null);
  const request = await filedBy(asker);
  if (request === null) throw new Error("the sound server filed nothing");
  approve(trip.home, request);
  expect((await asker.told<Outcome>("outcome"))?.name).toBe("approved");
  expect(await asker.ended).toBe(0);
  expect(effectsOf(trip).filter((id) => id === request.id)).toHaveLength(1);
}
