/** What other processes of the account lay beside a fact whose server is gone. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { answerAndWait } from "../../../src/broker/channel/answering.js";
import { unprovedReceipt } from "../../../src/broker/channel/receipts.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import type { Receipt } from "../../../src/broker/request/receipt.js";
import { type FactRequest, requestFileName } from "../../../src/broker/request/request.js";
import { answerTo } from "../../support/builders.js";
import { idsIn } from "../../support/fact-scene.js";
import { LeftScene } from "../../support/left-scene.js";

let scene: LeftScene;
beforeEach(() => {
  scene = new LeftScene();
});

const none = { whoIs: () => "gone" as const };

/** Writes a receipt by hand that says that the fact was dropped. */
function forge(overrides: Partial<Receipt> = {}): void {
  const taken = {
    answer: answerTo(scene.request, { decision: "drop", scope: null }),
    hash: "0".repeat(64),
    testimony: null,
  };
  const receipt = unprovedReceipt(
    scene.request,
    { outcome: "answered", taken, ran: false },
    scene.clock.now(),
  );
  const text = JSON.stringify({ ...receipt, ...overrides });
  writeFileSync(join(scene.home.settled, `${scene.request.id}.json`), text, { mode: 0o600 });
}

function isWaiting(): boolean {
  return scene.channel.pending().requests.some(({ id }) => id === scene.request.id);
}

it.each([
  ["of now", 0],
  ["of an hour ago", -3_600_000],
  ["of the future", 1e12],
])("a receipt that nobody proved, %s, loses no answer and ends nothing", async (_, at) => {
  forge({ at: scene.clock.now() + at });
  for (const ms of [0, 61_000]) {
    scene.clock.advance(ms);
    await scene.sweep();
    expect([isWaiting(), scene.shelf.isDecided(scene.request.id)]).toEqual([true, false]);
  }
  const answer = scene.answer();
  await scene.sweep();
  expect(idsIn(scene.shelf.kept)).toEqual([scene.request.id]);
  expect([isWaiting(), scene.channel.slot(answer.id).kind]).toEqual([false, "free"]);
  // What its face reads is what became of it.
  expect(scene.channel.receipt(answer.id)).toMatchObject({ decision: "keep", answer: answerHash(answer) });
});

it("a receipt that nobody proved keeps no fact waiting for longer than it waits", async () => {
  forge({ at: scene.clock.now() + 1e12 });
  scene.clock.advance(7 * 86_400_000);
  await scene.sweep();
  expect([isWaiting(), scene.shelf.isDecided(scene.request.id)]).toEqual([false, false]);
});

it("a request that is removed after it was answered is gone, and its answer is taken back", async () => {
  const { channel, clock, request } = scene;
  const given = new Set<string>();
  const answer = answerTo(request, { decision: "keep", scope: "project" });
  const options = { channel, clock, signal: new AbortController().signal, onSilent: () => {}, given };
  const ending = answerAndWait(request, answer, { ...options, sweep: () => {} });
  expect([...given]).toEqual([answerHash(answer)]);
  await new Promise((resolve) => setImmediate(resolve));
  rmSync(join(scene.home.pending, requestFileName(request)));
  clock.advance(4_000);
  expect(await ending).toEqual({ kind: "gone" });
  expect([channel.slot(request.id).kind, [...given]]).toEqual(["free", []]);
  scene.write(request);
  scene.answer();
  await scene.sweep();
  expect(idsIn(scene.shelf.kept)).toEqual([request.id]);
});

it("answers of processes that live are not looked up in the log, and those of one sweep are together", async () => {
  const others = new LeftScene();
  const asked: number[] = [];
  const recorded = (ids: ReadonlySet<string>) => {
    asked.push(ids.size);
    return new Map();
  };
  const found = Array.from({ length: 60 }, (_, index): [FactRequest, ReturnType<typeof answerTo>] => {
    const request = { ...others.request, id: `k7q2m${22 + index}a` };
    return [request, answerTo(request, { decision: "keep", scope: "project" })];
  });
  const leaving = scene.carrier({ whoIs: () => "alive", recorded });
  await Promise.all(found.map(([request, answer]) => leaving(request, answer)));
  expect(asked).toEqual([]);
  const carrying = scene.carrier({ ...none, recorded });
  await Promise.all(found.map(([request, answer]) => carrying(request, answer)));
  expect(asked).toEqual([50]);
  // The person's own is not kept waiting by any number of others.
  const own = scene.answer();
  const whoIs = (_: unknown, hash: string) => (hash === answerHash(own) ? "this process" : "gone");
  const mixed = scene.carrier({ whoIs, recorded });
  await Promise.all(
    [...found, [scene.request, own] as const].map(([request, answer]) => mixed(request, answer)),
  );
  expect(idsIn(scene.shelf.kept)).toEqual([scene.request.id]);
});
