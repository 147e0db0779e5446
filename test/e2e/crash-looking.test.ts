/** Deaths around the look at the process that answers: of the server that looks, and of the process looked at. */
import { describe, expect } from "vitest";
import type { Outcome } from "../../src/broker/request/outcome.js";
import type { ApprovalRequest, Request } from "../../src/broker/request/request.js";
import { answerTo } from "../support/builders.js";
import { test } from "../support/person.js";
import { openFace } from "../support/temp-home.js";
import {
  approve,
  effectsOf,
  expectGoodTrip,
  expectSound,
  expectSwept,
  type Scene,
  scene,
  startAsker,
} from "../support/trip.js";
import { type FaultAt, filedBy, startWorker, type Worker } from "../support/workers.js";

/** Its first answer is found wanting, whoever gives it. */
const wanting = { WISP_TEST_WITNESS: "wanting" };

async function requestOf(asker: Worker): Promise<Request> {
  const request = await filedBy(asker);
  if (request === null) throw new Error("The server filed nothing.");
  return request;
}

/** Resolves once the server has moved an answer away, or has died before it could. */
async function cleared({ home }: Scene, { id }: Request, asker: Worker): Promise<void> {
  let hasEnded = false;
  void asker.ended.then(() => {
    hasEnded = true;
  });
  const face = openFace(home);
  const isCleared = (): boolean => hasEnded || face.slot(id).kind !== "answer";
  await expect.poll(isCleared, { timeout: 30_000 }).toBe(true);
}

/** A trip whose first answer is refused and whose second is taken, if the server lives so long. */
async function refuseThenTake(
  faultAt: FaultAt,
): Promise<{ trip: Scene; asker: Worker; request: Request | null }> {
  const trip = scene();
  const asker = startAsker(trip, faultAt, wanting);
  const request = await filedBy(asker);
  if (request === null) return { trip, asker, request };
  approve(trip.home, request, { note: "from nobody" });
  await cleared(trip, request, asker);
  approve(trip.home, request);
  return { trip, asker, request };
}

describe("a server that dies", () => {
  test("while it looks runs nothing, and what it looked at decides nothing later", async () => {
    const trip = scene();
    const asker = startAsker(trip, null, { WISP_TEST_WITNESS: "dies" });
    const request = await requestOf(asker);
    approve(trip.home, request);
    expect(await asker.ended).toBe("SIGKILL");
    expectSound(trip, request);
    expectSwept(trip, request);
    expect(openFace(trip.home).receipt(request.id)).toMatchObject({ outcome: "failed", ran: false });
    await expectGoodTrip(trip);
    expect(effectsOf(trip)).not.toContain(request.id);
  });

  test("before any step of refusing an answer leaves a whole refusal or none, and the next one runs once", async () => {
    const sound = await refuseThenTake({ step: 0, fault: "SIGKILL" });
    expect(await sound.asker.ended).toBe(0);
    const steps = sound.asker.steps();
    // What comes before and after them is the same where nothing is refused.
    const first = steps.indexOf("mkdirSync rejected");
    const last = steps.findIndex((step) => /^renameSync .*\.answer\.json/.test(step)) + 1;
    const refusing = steps.slice(first, last + 1);
    // The log's lock is taken by a link, too; a refusal is published by one.
    expect(refusing.filter((step) => step.startsWith("linkSync .tmp."))).toHaveLength(1);
    for (const step of refusing) {
      const { trip, asker, request } = await refuseThenTake({ step, fault: "SIGKILL" });
      expect(await asker.ended, step).toBe("SIGKILL");
      if (request === null) throw new Error("It died before it filed.");
      const refusal = openFace(trip.home).refusal(answerTo(request, { note: "from nobody" }));
      expect([null, "no_terminal"], step).toContain(refusal);
      expectSound(trip, request);
      expectSwept(trip, request);
      await expectGoodTrip(trip);
    }
  }, 300_000);
});

describe("an answering process that dies", () => {
  test("between its answer and the look at it has decided nothing: the request waits on for a person", async ({
    person,
  }) => {
    const trip = scene();
    const asker = startAsker(trip, null, { WISP_TEST_WITNESS: "looks" });
    const request = await requestOf(asker);
    asker.child.kill("SIGSTOP");
    const face = startWorker("answerer", trip.home.path, {}, { step: 5, fault: "SIGKILL" });
    await face.told("ready");
    face.child.send({ request, answer: answerTo(request) });
    expect(await face.ended).toBe("SIGKILL");
    const slot = openFace(trip.home).slot(request.id);
    if (slot.kind !== "answer") throw new Error(`It died too early: the slot is ${slot.kind}.`);
    asker.child.kill("SIGCONT");
    await cleared(trip, request, asker);
    expect(openFace(trip.home).refusal(slot.answer)).toBe("process_gone");
    expect(effectsOf(trip)).toEqual([]);
    await person.approves(trip.home.path, request as ApprovalRequest);
    expect((await asker.told<Outcome>("outcome"))?.name).toBe("approved");
    expect(effectsOf(trip)).toEqual([request.id]);
    expect(openFace(trip.home).receipt(request.id)?.verified).toMatchObject({ terminal: true });
  });
});
