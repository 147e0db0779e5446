import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { AnswerEnding } from "../../src/broker/channel/answering.js";
import type { Home } from "../../src/broker/channel/home.js";
import { isServerGone, readServerRecord } from "../../src/broker/channel/server-record.js";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import type { FactRequest } from "../../src/broker/request/request.js";
import { answerTo } from "../support/builders.js";
import {
  copyOf,
  decisionOn,
  expectSoundFact,
  factHome,
  factOf,
  factState,
  factsIn,
  type LeftFact,
  leftFact,
  startKeeper,
  sweepFacts,
} from "../support/fact-trip.js";
import { openFace } from "../support/temp-home.js";
import { recordsOf } from "../support/trip.js";
import { atEachStep, type FaultAt, startWorker } from "../support/workers.js";

const decisions = ["keep", "drop"] as const;
type Decision = (typeof decisions)[number];

const done = { keep: "kept", drop: "dropped" } as const;
/** After a whole trip. */
const over = { isWaiting: false, hasSlot: false };

/** Until there is an answer both decisions take the same steps: of the second only those after it are tried. */
const stepsOf = { keep: {}, drop: { WISP_TEST_AFTER: ".answer.json" } };

/** A server with a fault whose fact is decided as soon as it is filed, by a face that is this process and sweeps not. */
async function decidedAtServer(decision: Decision, faultAt: FaultAt) {
  const home = factHome();
  const server = startKeeper(home, faultAt, stepsOf[decision]);
  const request = await factOf(server);
  if (request !== null) openFace(home).answer(decisionOn(request, decision));
  return { home, server, request, ended: await server.ended };
}

test.each(decisions)(
  "SIGKILL before each step of a server that is to %s loses and undoes nothing, and a sweep goes on",
  async (decision) => {
    const { server } = await decidedAtServer(decision, { step: 0, fault: "SIGKILL" });
    const steps = server.steps();
    expect(steps.length).toBeGreaterThan(10);
    await atEachStep(steps, async (_, where, step) => {
      const { home, request, ended } = await decidedAtServer(decision, { step, fault: "SIGKILL" });
      expect(ended, where).toBe("SIGKILL");
      if (request === null) {
        // Whatever it had done: every name holds a whole file, and what it filed waits for a person.
        if (!existsSync(home.pending)) return;
        const { requests, unreadable, newer } = openFace(home).pending();
        expect([unreadable, newer]).toEqual([[], []]);
        await sweepFacts(home);
        expect(openFace(home).pending().requests).toEqual(requests);
        return;
      }
      expectSoundFact(home, request, decision);
      await sweepFacts(home);
      const state = expectSoundFact(home, request, decision);
      expect(state.standing, where).toBe(done[decision]);
      await sweepFacts(home, 61_000);
      expect(factState(home, request)).toMatchObject(over);
    });
  },
  300_000,
);

/** A face with a fault that decides a fact whose server is gone, in a copy of `left`. */
async function decidedAtFace(
  decision: Decision,
  left: LeftFact,
  faultAt: FaultAt,
  scope: "always" | null = null,
) {
  const { home, request } = copyOf(left);
  const face = startWorker("fact-face", home.path, stepsOf[decision], faultAt);
  await face.told("ready");
  face.child.send({ request, answer: answerTo(request, { decision, scope }) });
  return { home, request, face, ended: await face.ended };
}

test.each(decisions)(
  "SIGKILL before each step of a face that is to %s a fact without a server leaves it decided so, or waiting",
  async (decision) => {
    const left = await leftFact();
    const counting = await decidedAtFace(decision, left, { step: 0, fault: "SIGKILL" });
    const steps = counting.face.steps();
    expect(await counting.face.told<AnswerEnding>("ending")).toMatchObject({
      kind: "won",
      receipt: { outcome: "answered", decision },
    });
    expect(factState(counting.home, counting.request)).toEqual({
      ...over,
      standing: done[decision],
      told: decision,
    });
    const found = new Set<string>();
    await atEachStep(steps, async (_, where, step) => {
      const { home, request, ended } = await decidedAtFace(decision, left, { step, fault: "SIGKILL" });
      expect(ended, where).toBe("SIGKILL");
      expectSoundFact(home, request, decision);
      await sweepFacts(home);
      const { standing, hasSlot } = expectSoundFact(home, request, decision);
      found.add(standing);
      if (standing === "undecided") {
        // The person says it once more, or changes their mind.
        expect(hasSlot).toBe(false);
        openFace(home).answer(decisionOn(request, "drop"));
        await sweepFacts(home);
        expect(factState(home, request)).toEqual({ ...over, standing: "dropped", told: "drop" });
      }
      await sweepFacts(home, 61_000);
      expect(factState(home, request)).toMatchObject(over);
    });
    // A no that stands in the slot is one, whoever gave it.
    expect([...found].sort()).toEqual(decision === "keep" ? ["kept", "undecided"] : ["dropped"]);
  },
  300_000,
);

/** What a face decided before it died, in front of which step that was, and how often the log has the answer. */
interface LeftBehind {
  readonly decision: Decision;
  readonly scope: "always" | null;
  readonly diedBefore: string;
  readonly recorded: number;
}

const leftBehind: readonly (readonly [string, LeftBehind])[] = [
  ["keep", { decision: "keep", scope: null, diedBefore: "mkdirSync facts", recorded: 1 }],
  ["drop", { decision: "drop", scope: null, diedBefore: "openSync log.jsonl", recorded: 0 }],
  ["drop for good", { decision: "drop", scope: "always", diedBefore: "mkdirSync facts", recorded: 1 }],
];

/** A fact whose server is gone, and so is the face that decided it. */
async function leftDecision({ decision, scope, diedBefore, recorded }: LeftBehind): Promise<LeftFact> {
  const left = await leftFact();
  const counting = await decidedAtFace(decision, left, { step: 0, fault: "SIGKILL" }, scope);
  expect(counting.face.steps()).toContain(diedBefore);
  const died = { step: diedBefore, fault: "SIGKILL" };
  const { home, request, ended } = await decidedAtFace(decision, left, died, scope);
  expect(ended).toBe("SIGKILL");
  const decided = { standing: "undecided", isWaiting: true, hasSlot: true, told: null };
  expect(factState(home, request)).toEqual(decided);
  expect(recordsOf(home, "fact.answered", request.id)).toHaveLength(recorded);
  return { home, request };
}

/** A sweep with a fault, by a process that has decided nothing, in a copy of `left`. */
async function sweptWith(left: LeftFact, faultAt: FaultAt) {
  const { home, request } = copyOf(left);
  const sweeper = startWorker("fact-sweeper", home.path, {}, faultAt);
  return { home, request, sweeper, ended: await sweeper.ended };
}

/** What was said of `request` for good: to whoever answered, to whoever reads facts, and in the log. */
function saidOf(home: Home, { id }: FactRequest) {
  const { kept, dropped } = factsIn(home).list();
  const answers = recordsOf(home, "fact.answered", id).map(({ details }) => details.answer);
  return { receipt: openFace(home).receipt(id), facts: [...kept, ...dropped], answers };
}

test.each(leftBehind)(
  "SIGKILL before each step of a sweep that carries out another's %s undoes nothing, and the next sweep ends it so",
  async (_, one) => {
    const { decision } = one;
    const left = await leftDecision(one);
    const ended = { ...over, standing: done[decision], told: decision };
    const counting = await sweptWith(left, { step: 0, fault: "SIGKILL" });
    expect(counting.ended).toBe(0);
    expect(factState(counting.home, counting.request)).toEqual(ended);
    const found = new Set<string>();
    const steps = counting.sweeper.steps();
    await atEachStep(steps, async (_, where, step) => {
      const { home, request, ended: signal } = await sweptWith(left, { step, fault: "SIGKILL" });
      expect(signal, where).toBe("SIGKILL");
      const first = expectSoundFact(home, request, decision);
      found.add(`${first.standing}, told ${first.told}`);
      const before = saidOf(home, request);
      // The log has the answer before the store does.
      if (before.facts.length > 0) expect(before.answers, where).not.toEqual([]);
      await sweepFacts(home);
      const { standing, told } = expectSoundFact(home, request, decision);
      expect({ standing, told }, where).toEqual({ standing: done[decision], told: decision });
      const after = saidOf(home, request);
      if (before.receipt !== null) expect(after.receipt).toEqual(before.receipt);
      if (before.facts.length > 0) expect(after.facts).toEqual(before.facts);
      expect(new Set(after.answers)).toEqual(new Set([after.receipt?.answer]));
      await sweepFacts(home, 61_000);
      expect(factState(home, request)).toEqual(ended);
      expect(saidOf(home, request)).toEqual(after);
      expect([readdirSync(home.pending), readdirSync(home.settled)]).toEqual([[], [`${request.id}.json`]]);
      expect(existsSync(home.rejected)).toBe(false);
    });
    // It died before the store had it, between store and receipt, and after both.
    expect(found).toEqual(
      new Set([
        "undecided, told null",
        `${done[decision]}, told null`,
        `${done[decision]}, told ${decision}`,
      ]),
    );
  },
  300_000,
);

test.each(["ENOSPC", "EIO"])(
  "%s at each step of a server keeps nothing of which it does not say so, and says nothing that is not kept",
  async (fault) => {
    const counting = await decidedAtServer("keep", { step: 0, fault });
    const steps = counting.server.steps();
    const told = new Set<string>();
    await atEachStep(steps, async (_, where, step) => {
      const { home, server, request } = await decidedAtServer("keep", { step, fault });
      const asked = await server.told<{ kind: string }>("asked");
      told.add(asked?.kind ?? "nothing");
      if (request === null) return;
      const standing = (await server.told<{ standing: string }>("standing"))?.standing ?? "nothing";
      told.add(standing);
      const state = factState(home, request);
      if (standing === "kept") expect(state.standing).toBe("kept");
      if (state.told !== null) expect(state.standing, where).toBe("kept");
    });
    expect([...told]).toEqual(expect.arrayContaining(["failed", "waits", "kept", "ended"]));
  },
  300_000,
);

/** Two faces that decide at one instant; resolves with how it ended for each. */
async function bothDecide(home: string, request: FactRequest, given: readonly Decision[]) {
  const faces = given.map((decision) => ({ decision, face: startWorker("fact-face", home, {}, null) }));
  await Promise.all(faces.map(({ face }) => face.told("ready")));
  const at = Date.now() + 50;
  for (const { decision, face } of faces) {
    face.child.send({ request, at, answer: answerTo(request, { decision, scope: null }) });
  }
  return await Promise.all(faces.map(({ face }) => face.told<AnswerEnding>("ending")));
}

test("of two faces that decide at once without a server one wins, and that is what becomes of it", async () => {
  const pairs: readonly (readonly Decision[])[] = [
    ["keep", "keep"],
    ["keep", "drop"],
    ["drop", "keep"],
  ];
  const left = await leftFact();
  for (const given of [...pairs, ...pairs, ...pairs]) {
    const { home, request } = copyOf(left);
    const endings = await bothDecide(home.path, request, given);
    await sweepFacts(home);
    const state = factState(home, request);
    const winners = given.filter((_, index) => endings[index]?.kind === "won");
    expect(winners.map((decision) => done[decision])).toEqual([state.standing]);
    expect(state).toMatchObject({ ...over, told: winners[0] });
    expect(existsSync(home.rejected)).toBe(false);
  }
}, 120_000);

test("of two faces that keep at once while the server is stopped one wins, when it goes on", async () => {
  const home = factHome();
  const server = startKeeper(home, null);
  const request = await factOf(server);
  if (request === null) throw new Error("The server filed nothing.");
  server.child.kill("SIGSTOP");
  const decided = bothDecide(home.path, request, ["keep", "keep"]);
  await expect.poll(() => openFace(home).slot(request.id).kind, { timeout: 15_000 }).toBe("answer");
  expect(factState(home, request)).toMatchObject({ standing: "undecided", told: null });
  server.child.kill("SIGCONT");
  const endings = await decided;
  expect(endings.filter((ending) => ending?.kind === "won")).toMatchObject([{ isVerified: true }]);
  expect(await server.ended).toBe(0);
  expect(factState(home, request)).toEqual({ ...over, standing: "kept", told: "keep" });
}, 60_000);

test("a server that asks and ends leaves its record, by which every sweep knows at once that it is gone", async () => {
  const { home, request } = await leftFact();
  const own = ownIdentity();
  const found = readServerRecord(home, request.server.instance);
  expect(found?.record.instance).toBe(request.server.instance);
  expect(isServerGone(request, found, Date.now(), (one) => livenessOf(one, own))).toBe(true);
  openFace(home).answer(decisionOn(request, "keep"));
  await sweepFacts(home);
  expect(factState(home, request)).toEqual({ ...over, standing: "kept", told: "keep" });
});
