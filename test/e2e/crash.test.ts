import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Outcome } from "../../src/broker/request/outcome.js";
import { type Request, requestFileName } from "../../src/broker/request/request.js";
import { answerTo } from "../support/builders.js";
import { openFace } from "../support/temp-home.js";
import {
  approve,
  effectsOf,
  expectGoodTrip,
  expectSound,
  expectSwept,
  recordsOf,
  type Scene,
  scene,
  startAsker,
  sweepNow,
} from "../support/trip.js";
import { atEachStep, type FaultAt, filedBy, startWorker } from "../support/workers.js";

/** Identical calls that join: whatever happens to their server, what they ask for runs at most once. */
const joined = { WISP_TEST_CALLS: "4" };

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

/** The steps of a server from its first ask to its end, counted in a sound run. */
async function serverSteps(fault: string, environment = {}): Promise<readonly string[]> {
  const trip = scene();
  // Which steps count depends on the fault: a close that fails has closed all the same.
  const asker = startAsker(trip, { step: 0, fault }, environment);
  const request = await filedBy(asker);
  if (request !== null) approve(trip.home, request);
  await asker.ended;
  return asker.steps();
}

test("SIGKILL before each step of filing, deciding and settling loses, tears and repeats nothing", async () => {
  const steps = await serverSteps("SIGKILL", joined);
  expect(steps.length).toBeGreaterThan(20);
  await atEachStep(steps, async (step, where) => {
    const trip = scene();
    const asker = startAsker(trip, { step, fault: "SIGKILL" }, joined);
    const request = await filedBy(asker);
    if (request !== null) approve(trip.home, request);
    expect(await asker.ended, where).toBe("SIGKILL");
    if (request === null) expectNothingTorn(trip);
    else {
      expectSound(trip, request);
      expectSwept(trip, request);
    }
    await expectGoodTrip(trip);
  });
}, 300_000);

test("the decision is on disk before the effect, the new log's name too, and the request goes before its slot", async () => {
  const steps = await serverSteps("SIGKILL");
  const synced = steps.findLastIndex((step) => step.startsWith("fdatasync log.jsonl"));
  expect(steps.filter((step) => step.startsWith("fdatasync")).length).toBeGreaterThanOrEqual(2);
  expect(steps.some((step) => step.startsWith("fsync"))).toBe(true);
  const isUnlinked = (suffix: string) =>
    steps.findIndex((step) => step.startsWith("unlinkSync") && step.endsWith(suffix));
  expect(isUnlinked(".request.json")).toBeGreaterThan(-1);
  expect(isUnlinked(".request.json")).toBeLessThan(isUnlinked(".answer.json"));
  // The effect's own record is the last one: its call was told, and what it had waited in is cleared away.
  expect(synced).toBeGreaterThan(isUnlinked(".answer.json"));
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
    await atEachStep(steps, async (step, where) => {
      const trip = scene();
      const asker = startAsker(trip, { step, fault });
      const request = await filedBy(asker);
      if (request !== null) approve(trip.home, request);
      const outcome = await asker.told<Outcome>("outcome");
      await asker.ended;
      names.add(outcome?.name ?? "ended without one");
      const ran = effectsOf(trip).length;
      const isAllowed = outcome?.name === "approved" && isEffectRecorded(trip, request);
      expect(ran, `${fault} at ${where}`).toBe(isAllowed ? 1 : 0);
      if (request !== null) expectSound(trip, request);
      if (step % 8 === 0) await expectGoodTrip(trip);
    });
    // Some steps matter to a yes and some do not: a fault that never refused anything was never injected.
    expect([...names]).toEqual(expect.arrayContaining(["failed", "approved"]));
  },
  300_000,
);

function isEffectRecorded({ home }: Scene, request: Request | null): boolean {
  return request !== null && recordsOf(home, "effect.started", request.id).length === 1;
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
