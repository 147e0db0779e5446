import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { sweep } from "../../src/broker/channel/sweep.js";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import type { Outcome } from "../../src/broker/request/outcome.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import { type Request, requestFileName } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { answerTo } from "../support/builders.js";
import { openFace, tempDirectory } from "../support/temp-home.js";
import { type FaultAt, filedBy, startWorker, type Worker } from "../support/workers.js";

const own = ownIdentity();

/** One home with everything that a trip through it leaves behind. */
interface Scene {
  readonly home: Home;
  readonly effects: string;
}

function scene(): Scene {
  const directory = tempDirectory();
  return { home: homeAt(join(directory, "home"), false), effects: join(directory, "effects") };
}

function startAsker({ home, effects }: Scene, faultAt: FaultAt | null): Worker {
  return startWorker("asker", home.path, { WISP_TEST_EFFECTS: effects }, faultAt);
}

function effectsOf({ effects }: Scene): readonly string[] {
  return existsSync(effects) ? readFileSync(effects, "utf8").trimEnd().split("\n") : [];
}

/** Answers as a face whose own disk and life are sound. */
function approve(home: Home, request: Request): void {
  try {
    openFace(home).answer(answerTo(request));
  } catch {
    // The server died or its fault came before there was anything to answer; the checks after it tell.
  }
}

function sweepNow(home: Home, aheadMs = 0): void {
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const liveness = (one: Parameters<typeof livenessOf>[0]) => livenessOf(one, own);
  sweep({ home, clock, instance: null, liveness }, openFace(home, { clock }).pending());
}

function recordsOf(home: Home, kind: string, id: string): number {
  const path = join(home.path, "audit", "log.jsonl");
  if (!existsSync(path)) return 0;
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines
    .map((line) => JSON.parse(line) as { kind: string; call: string })
    .filter((record) => record.kind === kind && record.call === id).length;
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
function expectSound(trip: Scene, request: Request): void {
  const { home } = trip;
  expect(openFace(home).pending().unreadable).toEqual([]);
  const ran = effectsOf(trip).filter((id) => id === request.id).length;
  expect(ran).toBeLessThanOrEqual(1);
  const state = stateOf(home, request);
  // A slot outlives its request only beside a receipt.
  if (!state.request && state.receipt === null) expect(state.slot).toBe(false);
  if (ran === 1) {
    expect(state.receipt).toMatchObject({ outcome: "answered", decision: "approve" });
    expect(recordsOf(home, "approval.decided", request.id)).toBe(1);
  }
}

/** Whatever a server had done when it died before it could say what it filed: every name holds a whole file. */
function expectNothingTorn({ home, effects }: Scene): void {
  expect(existsSync(effects)).toBe(false);
  if (!existsSync(home.pending)) return;
  const listing = openFace(home).pending();
  expect([listing.unreadable, listing.newer]).toEqual([[], []]);
  const names = readdirSync(home.pending).filter((name) => !name.startsWith("."));
  expect(names).toEqual(listing.requests.map(requestFileName));
  sweepNow(home, 61_000);
  expect(readdirSync(home.pending)).toEqual([]);
}

/** After a sweep every face can say how it ended, and it never says "not run" about what ran. */
function expectSwept(trip: Scene, request: Request): void {
  sweepNow(trip.home);
  const { receipt } = stateOf(trip.home, request);
  const hasRun = effectsOf(trip).includes(request.id);
  expect(receipt?.outcome).toBe(hasRun ? "answered" : (receipt?.outcome ?? "none"));
  expect(["answered", "stale", "failed"]).toContain(receipt?.outcome);
  sweepNow(trip.home, 61_000);
  expect(stateOf(trip.home, request)).toMatchObject({ request: false, slot: false });
}

/** A whole trip on the same home, without a fault: a good answer still works. */
async function expectGoodTrip(trip: Scene): Promise<void> {
  const asker = startAsker(trip, null);
  const request = await filedBy(asker);
  if (request === null) throw new Error("the sound server filed nothing");
  approve(trip.home, request);
  expect((await asker.told<Outcome>("outcome"))?.name).toBe("approved");
  expect(await asker.ended).toBe(0);
  expect(effectsOf(trip).filter((id) => id === request.id)).toHaveLength(1);
}

/** The steps of a server from its first ask to its end, counted in a sound run. */
async function serverSteps(fault: string): Promise<readonly string[]> {
  const trip = scene();
  // Which steps count depends on the fault: a close that fails has closed all the same.
  const asker = startAsker(trip, { step: 0, fault });
  const request = await filedBy(asker);
  if (request !== null) approve(trip.home, request);
  await asker.ended;
  return asker.steps();
}

test("SIGKILL before each step of filing, deciding and settling loses, tears and repeats nothing", async () => {
  const steps = await serverSteps("SIGKILL");
  expect(steps.length).toBeGreaterThan(20);
  for (let step = 1; step <= steps.length; step += 1) {
    const trip = scene();
    const asker = startAsker(trip, { step, fault: "SIGKILL" });
    const request = await filedBy(asker);
    if (request !== null) approve(trip.home, request);
    expect(await asker.ended, `step ${step} ${steps[step - 1]}`).toBe("SIGKILL");
    if (request === null) expectNothingTorn(trip);
    else {
      expectSound(trip, request);
      expectSwept(trip, request);
    }
    await expectGoodTrip(trip);
  }
}, 300_000);

test("the decision is on disk before the effect, the new log's name too, and the request goes before its slot", async () => {
  const steps = await serverSteps("SIGKILL");
  const synced = steps.lastIndexOf("fdatasync");
  expect(steps.filter((step) => step.startsWith("fdatasync")).length).toBeGreaterThanOrEqual(2);
  expect(steps.some((step) => step.startsWith("fsync"))).toBe(true);
  const isUnlinked = (suffix: string) =>
    steps.findIndex((step) => step.startsWith("unlinkSync") && step.endsWith(suffix));
  expect(isUnlinked(".request.json")).toBeGreaterThan(-1);
  expect(isUnlinked(".request.json")).toBeLessThan(isUnlinked(".answer.json"));
  // The effect's own record is the last thing that is put on disk; nothing of the trip follows it but clearing.
  expect(synced).toBe(steps.findLastIndex((step) => step.startsWith("fdatasync")));
}, 60_000);

test("SIGKILL before each step of answering leaves a whole answer or none, and one run", async () => {
  const counting = await answerWith({ step: 0, fault: "SIGKILL" });
  expect(counting.steps.map((step) => step.split(" ")[0])).toEqual([
    "openSync",
    "writeSync",
    "closeSync",
    "linkSync",
    "unlinkSync",
  ]);
  for (let step = 1; step <= counting.steps.length; step += 1) {
    const { trip, request } = await answerWith({ step, fault: "SIGKILL" });
    expectSound(trip, request);
    expect(effectsOf(trip)).toEqual([request.id]);
  }
}, 300_000);

/** A sound server, a face with a fault, and after it a face without: the request is approved once. */
async function answerWith(
  faultAt: FaultAt,
): Promise<{ trip: Scene; request: Request; steps: readonly string[] }> {
  const trip = scene();
  const asker = startAsker(trip, null);
  const request = await filedBy(asker);
  if (request === null) throw new Error("the sound server filed nothing");
  const face = startWorker("answerer", trip.home.path, {}, faultAt);
  await face.told("ready");
  face.child.send({ request, answer: answerTo(request) });
  await face.told("ending");
  if (face.child.connected) face.child.disconnect();
  await face.ended;
  if (openFace(trip.home).receipt(request.id) === null) approve(trip.home, request);
  expect((await asker.told<Outcome>("outcome"))?.name).toBe("approved");
  return { trip, request, steps: face.steps() };
}

test.each(["ENOSPC", "EMFILE", "EROFS", "EIO"])(
  "%s at each step of the server runs the command only with an approval that was written down",
  async (fault) => {
    const steps = await serverSteps(fault);
    const names = new Set<string>();
    for (let step = 1; step <= steps.length; step += 1) {
      const trip = scene();
      const asker = startAsker(trip, { step, fault });
      const request = await filedBy(asker);
      if (request !== null) approve(trip.home, request);
      const outcome = await asker.told<Outcome>("outcome");
      await asker.ended;
      names.add(outcome?.name ?? "ended without one");
      const ran = effectsOf(trip).length;
      const isAllowed = outcome?.name === "approved" && isEffectRecorded(trip, request);
      expect(ran, `${fault} at step ${step} ${steps[step - 1]}`).toBe(isAllowed ? 1 : 0);
      if (request !== null) expectSound(trip, request);
      if (step % 8 === 0) await expectGoodTrip(trip);
    }
    // Some steps matter to a yes and some do not: a fault that never refused anything was never injected.
    expect([...names]).toEqual(expect.arrayContaining(["failed", "approved"]));
  },
  300_000,
);

function isEffectRecorded({ home }: Scene, request: Request | null): boolean {
  return request !== null && recordsOf(home, "effect.started", request.id) === 1;
}

test("a file system without hard links is refused before anything is asked, and named", async () => {
  const trip = scene();
  const environment = { WISP_TEST_EFFECTS: trip.effects, WISP_TEST_ALWAYS: "linkSync" };
  const asker = startWorker("asker", trip.home.path, environment, { step: -1, fault: "EPERM" });
  const outcome = await asker.told<Outcome>("outcome");
  expect(outcome).toMatchObject({ name: "failed", request: null });
  expect(effectsOf(trip)).toEqual([]);
  await expectGoodTrip(trip);
});

test("an answer that cannot be read for want of descriptors is read again and taken, not thrown away", async () => {
  const trip = scene();
  const environment = { WISP_TEST_EFFECTS: trip.effects, WISP_TEST_BLIND: "4" };
  const asker = startWorker("asker", trip.home.path, environment, { step: -1, fault: "" });
  const request = await filedBy(asker);
  if (request === null) throw new Error("the server filed nothing");
  approve(trip.home, request);
  expect((await asker.told<Outcome>("outcome"))?.name).toBe("approved");
  expect(effectsOf(trip)).toEqual([request.id]);
});
