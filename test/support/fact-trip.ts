/** One trip of a fact through a home, with a server or a face that may die on the way, and what must hold after it. */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { createLeftFacts } from "../../src/broker/approval/left-facts.js";
import { factAnswersRecordedOf } from "../../src/broker/audit/decisions.js";
import { ensureHome, type Home, homeAt } from "../../src/broker/channel/home.js";
import { leftPlaceIn } from "../../src/broker/channel/left-fact.js";
import { sweep } from "../../src/broker/channel/sweep.js";
import type { FactStore } from "../../src/broker/facts/fact-store.js";
import { openFactStore } from "../../src/broker/facts/store.js";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import type { Answer } from "../../src/broker/request/answer.js";
import { type FactRequest, requestFileName } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { auditLogAt, keysOf } from "./audit-logs.js";
import { answerTo } from "./builders.js";
import { openFace, tempDirectory } from "./temp-home.js";
import { atTerminal } from "./witnesses.js";
import { type FaultAt, startWorker, type Worker } from "./workers.js";

const own = ownIdentity();

/** A home that does not exist yet. */
export function factHome(): Home {
  return homeAt(join(tempDirectory(), "home"), false);
}

/** Starts a server that asks for one fact and stays until that is decided, or leaves at once. */
export function startKeeper(home: Home, faultAt: FaultAt | null, environment = {}): Worker {
  return startWorker("keeper", home.path, environment, faultAt);
}

/** The fact that a server filed; null where it died before. */
export async function factOf(worker: Worker): Promise<FactRequest | null> {
  return await worker.told<FactRequest>("filed");
}

/** A fact that waits in a home of its own, and whose server has ended. */
export interface LeftFact {
  readonly home: Home;
  readonly request: FactRequest;
}

/** A fact in a home of its own whose server asked and has ended. */
export async function leftFact(): Promise<LeftFact> {
  const home = factHome();
  const server = startKeeper(home, null, { WISP_TEST_LEAVES: "1" });
  const request = await factOf(server);
  expect(await server.ended).toBe(0);
  if (request === null) throw new Error("The server filed nothing.");
  return { home, request };
}

/** The same in another home, which nobody has touched since: to start a server for each would take most of a test's time. */
export function copyOf({ home, request }: LeftFact): LeftFact {
  const copy = factHome();
  cpSync(home.path, copy.path, { recursive: true });
  return { home: copy, request };
}

/** A decision of this very process, as a face of it would give it. */
export function decisionOn(request: FactRequest, decision: "keep" | "drop"): Answer {
  const by = { pid: own.pid, startedAt: own.startedAt, tty: null, version: "0.1.0" };
  return answerTo(request, { decision, scope: null, by });
}

/** The facts of `home`, as a process that has just started sees them. */
export function factsIn(home: Home): FactStore {
  const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
  return openFactStore({ ...place, keys: rootSecretOf(place) });
}

/** Sweeps as a face of this process does, `aheadMs` from now; resolves when what was decided is carried out. */
export async function sweepFacts(home: Home, aheadMs = 0): Promise<void> {
  if (!existsSync(home.pending)) return;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const carryOut = createLeftFacts({
    place: leftPlaceIn(home, clock),
    facts: factsIn(home),
    audit: auditLogAt(home.path, { home: () => ensureHome(home, clock), clock }),
    clock,
    session: "test",
    recorded: (ids) => factAnswersRecordedOf(home.path, ids, keysOf(home.path)),
    whoIs({ pid, startedAt }) {
      if (pid === own.pid) return "this process";
      return livenessOf({ ...own, pid, startedAt }, own) === "alive" ? "alive" : "gone";
    },
    lookAtSelf: () => atTerminal,
  });
  const carried: Promise<void>[] = [];
  const options = {
    ...{ home, clock, instance: null },
    liveness: (one: Parameters<typeof livenessOf>[0]) => livenessOf(one, own),
    onDecidedFact: (request: FactRequest, answer: Answer | null) =>
      void carried.push(carryOut(request, answer)),
  };
  sweep(options, openFace(home, { clock }).pending());
  await Promise.all(carried);
}

/** What is known of `request` in `home`. */
export interface FactState {
  readonly standing: "kept" | "dropped" | "undecided";
  readonly isWaiting: boolean;
  readonly hasSlot: boolean;
  /** What the receipt says was decided; null without one that says so. */
  readonly told: string | null;
}

export function factState(home: Home, request: FactRequest): FactState {
  const { id } = request;
  const { kept, dropped, unreadable } = factsIn(home).list();
  expect([unreadable, openFace(home).pending().unreadable]).toEqual([0, []]);
  const isIn = (facts: readonly { readonly id: string }[]): boolean => facts.some((fact) => fact.id === id);
  // One file, whoever kept it.
  expect(
    kept.filter((fact) => fact.id === id).length + dropped.filter((fact) => fact.id === id).length,
  ).toBeLessThan(2);
  const receipt = openFace(home).receipt(id);
  return {
    standing: isIn(kept) ? "kept" : isIn(dropped) ? "dropped" : "undecided",
    isWaiting: existsSync(join(home.pending, requestFileName(request))),
    hasSlot: existsSync(join(home.pending, `${id}.answer.json`)),
    told: receipt?.outcome === "answered" ? receipt.decision : null,
  };
}

/**
 * What must hold after `decision` was given and whoever was at it has ended, in any way: what was told is so, what was not
 * decided is not there, and what is neither waits on.
 */
export function expectSoundFact(home: Home, request: FactRequest, decision: "keep" | "drop"): FactState {
  const state = factState(home, request);
  const done = decision === "keep" ? "kept" : "dropped";
  expect(["undecided", done]).toContain(state.standing);
  if (state.told !== null) expect([state.told, state.standing]).toEqual([decision, done]);
  if (state.standing === "undecided") expect(state.isWaiting).toBe(true);
  return state;
}
