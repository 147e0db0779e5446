import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Testimony } from "../../../src/broker/request/assurance.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { answerTo } from "../../support/builders.js";
import { idsIn } from "../../support/fact-scene.js";
import { LeftScene } from "../../support/left-scene.js";
import { sketched } from "../../support/sketched.js";
import { atTerminal, finds } from "../../support/witnesses.js";

let scene: LeftScene;
beforeEach(() => {
  scene = new LeftScene();
});

const none = { whoIs: () => "gone" as const };

const withinClient = (): Testimony => finds("within_client")(answerTo(scene.request), scene.request);

/** The id is kept, dropped, or neither. */
function standing(): string {
  const { id } = scene.request;
  return scene.shelf.kept.has(id) ? "kept" : scene.shelf.dropped.has(id) ? "dropped" : "undecided";
}

function isWaiting(): boolean {
  return scene.channel.pending().requests.some(({ id }) => id === scene.request.id);
}

/** A yes of this very process is carried out. */
async function stillWorks(): Promise<void> {
  expect(isWaiting()).toBe(true);
  scene.answer();
  await scene.sweep();
  expect([standing(), isWaiting()]).toEqual(["kept", false]);
}

describe("what this process itself decided", () => {
  it("is carried out after it looked at itself: log, store, receipt, and all is cleared away", async () => {
    const answer = scene.answer();
    await scene.sweep();
    expect(scene.channel.receipt(scene.request.id)).toMatchObject({
      outcome: "answered",
      decision: "keep",
      answer: answerHash(answer),
      verified: atTerminal.verified,
      reveal: null,
      mac: null,
    });
    expect(idsIn(scene.shelf.kept)).toEqual([scene.request.id]);
    expect([...scene.shelf.kept.values()]).toMatchObject([
      { keptBy: { assurance: "terminal", session: "test", at: scene.clock.now() } },
    ]);
    expect(readdirSync(scene.home.pending)).toEqual([]);
    expect(scene.audit.appended.map(({ durability, events }) => [durability, events[0]?.kind])).toEqual([
      ["durable", "fact.answered"],
      ["plain", "fact.settled"],
    ]);
    expect(scene.audit.events[0]).toMatchObject({
      verified: atTerminal.seen,
      details: { assurance: "terminal" },
    });
  });

  it("is dropped, whatever was seen", async () => {
    scene.answer({ decision: "drop", scope: null });
    await scene.sweep(scene.carrier({ lookAtSelf: withinClient }));
    expect([standing(), isWaiting()]).toEqual(["dropped", false]);
  });

  it("is not kept where it comes from within a client: it is told why, and the request waits on", async () => {
    const answer = scene.answer();
    await scene.sweep(scene.carrier({ lookAtSelf: withinClient }));
    expect([standing(), isWaiting(), scene.channel.slot(answer.id).kind]).toEqual([
      "undecided",
      true,
      "free",
    ]);
    expect(scene.channel.refusal(answer)).toBe("within_client");
    expect(scene.audit.events).toMatchObject([
      { kind: "answer.refused", details: { reason: "assurance_insufficient: within_client" } },
    ]);
    await stillWorks();
  });

  it("fails where log or store cannot be written, and nothing is kept", async () => {
    scene.audit.failing = "durable";
    scene.answer();
    await scene.sweep();
    expect(scene.channel.receipt(scene.request.id)).toMatchObject({ outcome: "failed", decision: "keep" });
    expect(standing()).toBe("undecided");

    scene = new LeftScene();
    scene.shelf.isBroken = true;
    scene.answer();
    await scene.sweep();
    expect(scene.channel.receipt(scene.request.id)).toMatchObject({ outcome: "failed", decision: "keep" });
    expect(scene.audit.only("fact.settled")).toMatchObject([
      { details: { why: "channel_unsafe: It is open to others" } },
    ]);
    scene = new LeftScene();
    await stillWorks();
  });

  it("is carried out once, however often it is swept meanwhile", async () => {
    scene.answer();
    scene.audit.holding = "durable";
    const carryOut = scene.carrier();
    const first = scene.sweep(carryOut);
    await scene.sweep(carryOut);
    scene.audit.release();
    await first;
    expect(scene.audit.kinds).toEqual(["fact.answered", "fact.settled"]);
    expect(standing()).toBe("kept");
  });
});

describe("what another process decided", () => {
  it("is left to it while it lives", async () => {
    const answer = scene.answer();
    await scene.sweep(scene.carrier({ whoIs: () => "alive" }));
    expect([standing(), isWaiting()]).toEqual(["undecided", true]);
    expect(scene.channel.slot(answer.id)).toEqual({ kind: "answer", answer });
    await scene.sweep();
    expect(standing()).toBe("kept");
  });

  it("is carried out once that is gone where the log says that it was seen", async () => {
    const answer = scene.answer();
    const details = { decision: "keep", answer: answerHash(answer) };
    await scene.audit.append([sketched({ kind: "fact.answered", call: answer.id, details })], "durable");
    await scene.sweep(scene.carrier({ whoIs: () => "alive" }));
    expect([standing(), isWaiting()]).toEqual(["undecided", true]);
    await scene.sweep(scene.carrier(none));
    expect([standing(), isWaiting()]).toEqual(["kept", false]);
    expect(scene.audit.only("fact.answered")).toHaveLength(1);
  });

  it("is moved away where nobody saw who gave it, and the request waits on", async () => {
    const answer = scene.answer();
    await scene.sweep(scene.carrier(none));
    expect([standing(), isWaiting(), scene.channel.slot(answer.id).kind]).toEqual([
      "undecided",
      true,
      "free",
    ]);
    expect(readdirSync(scene.home.rejected)).toEqual([`${answer.id}.1.json`]);
    await stillWorks();
  });

  it("is dropped whoever said so, but not for good", async () => {
    scene.answer({ decision: "drop", scope: "always" });
    await scene.sweep(scene.carrier(none));
    expect([standing(), isWaiting()]).toEqual(["undecided", true]);
    scene.answer({ decision: "drop", scope: null });
    await scene.sweep(scene.carrier(none));
    expect([standing(), isWaiting()]).toEqual(["dropped", false]);
    expect([...scene.shelf.dropped.values()]).toMatchObject([{ isForGood: false }]);
  });

  it("stays where it is when log or store cannot be written, until they can", async () => {
    scene.answer({ decision: "drop", scope: null });
    scene.audit.failing = "all";
    await scene.sweep(scene.carrier(none));
    expect([standing(), isWaiting()]).toEqual(["undecided", true]);
    scene.audit.failing = "none";
    scene.shelf.isBroken = true;
    await scene.sweep(scene.carrier(none));
    expect([standing(), isWaiting()]).toEqual(["undecided", true]);
    scene.shelf.isBroken = false;
    await scene.sweep(scene.carrier(none));
    expect([standing(), isWaiting()]).toEqual(["dropped", false]);
  });

  it("is kept once where two carry it out at the same time", async () => {
    scene.answer();
    scene.audit.holding = "durable";
    const [mine, theirs] = [scene.sweep(), scene.sweep()];
    scene.audit.release();
    await Promise.all([mine, theirs]);
    expect([idsIn(scene.shelf.kept), isWaiting()]).toEqual([[scene.request.id], false]);
    expect(scene.channel.receipt(scene.request.id)).toMatchObject({ outcome: "answered" });
  });

  it("is not carried out after it was taken out of its slot", async () => {
    const answer = scene.answer();
    scene.audit.holding = "durable";
    const carrying = scene.sweep(scene.carrier({ lookAtSelf: () => takenAway() }));
    scene.audit.release();
    await carrying;
    expect([standing(), isWaiting(), scene.audit.events]).toEqual(["undecided", true, []]);
    await stillWorks();

    function takenAway() {
      rmSync(join(scene.home.pending, `${answer.id}.answer.json`));
      return atTerminal;
    }
  });

  it("does not undo what was decided before", async () => {
    scene.answer({ decision: "drop", scope: null });
    await scene.sweep(scene.carrier(none));
    scene.write(scene.request);
    rmSync(join(scene.home.settled, `${scene.request.id}.json`));
    scene.answer();
    await scene.sweep();
    expect([standing(), isWaiting()]).toEqual(["dropped", false]);
    expect(scene.channel.receipt(scene.request.id)).toMatchObject({ outcome: "failed" });
  });
});

describe("a fact whose server is gone", () => {
  it("waits until its time is over by the clock on the wall, and is cleared with its receipt", async () => {
    expect(await scene.sweep()).toEqual([]);
    scene.clock.advance(7 * 86_400_000 - 1);
    expect(await scene.sweep()).toEqual([]);
    scene.clock.advance(1);
    expect(await scene.sweep()).toEqual([{ id: scene.request.id, what: "timed out" }]);
    expect(scene.channel.receipt(scene.request.id)).toMatchObject({ outcome: "timed_out", kind: "fact" });
    expect(readdirSync(scene.home.pending)).toEqual([]);
    expect(await scene.sweep()).toEqual([]);
  });

  it("is decided by what stood there in time, however late that is found", async () => {
    scene.answer();
    scene.clock.advance(8 * 86_400_000);
    await scene.sweep();
    expect(standing()).toBe("kept");
  });

  it("waits for ever where nobody said until when", async () => {
    scene = new LeftScene({ expiresAt: null });
    scene.clock.advance(3_650 * 86_400_000);
    expect(await scene.sweep()).toEqual([]);
    await stillWorks();
  });

  it("ends as failed when it was altered, answered or not", async () => {
    for (const isAnswered of [true, false]) {
      scene = new LeftScene();
      scene.write({ ...scene.request, fact: { ...scene.request.fact, value: "rm -rf" } });
      if (isAnswered) scene.answer();
      expect(await scene.sweep()).toEqual([{ id: scene.request.id, what: "altered" }]);
      expect(scene.channel.receipt(scene.request.id)).toMatchObject({ outcome: "failed", answer: null });
      expect(standing()).toBe("undecided");
    }
    scene = new LeftScene();
    await stillWorks();
  });

  it.each([
    ["what is no answer", "{"],
    ["an answer bound to something else", { binding: "0".repeat(64) }],
    ["an answer of another kind", { decision: "approve", scope: "once" }],
    ["a decision in the name of its server", { decision: "withdrawn", scope: null, via: "server" }],
    ["an answer of a dialog, which facts have none", { via: "elicitation" }],
  ] as const)("gets %s moved out of its slot, and waits on", async (_, given) => {
    if (typeof given === "string") scene.plant(`${scene.request.id}.answer.json`, given);
    else scene.answer(given);
    expect(await scene.sweep()).toEqual([{ id: scene.request.id, what: "answer not taken" }]);
    expect(standing()).toBe("undecided");
    await stillWorks();
  });

  it("is cleared where it is decided and a crash left it beside its receipt, and is not decided anew", async () => {
    const text = JSON.stringify(scene.request);
    scene.answer();
    await scene.sweep();
    scene.plant(requestFileName(scene.request), text);
    const before = scene.audit.events.length;
    expect(await scene.sweep()).toEqual([]);
    expect([standing(), isWaiting(), scene.audit.events.length]).toEqual(["kept", false, before]);
  });

  it("is its server's while that lives: no sweep decides, ends or clears anything", async () => {
    scene.liveness = "alive";
    scene.answer();
    scene.clock.advance(8 * 86_400_000);
    expect(await scene.sweep()).toEqual([]);
    expect([standing(), isWaiting()]).toEqual(["undecided", true]);
    scene.liveness = "gone";
    await scene.sweep();
    expect(standing()).toBe("kept");
  });
});
