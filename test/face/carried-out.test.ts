import { expect, test } from "vitest";
import type { AnswerEnding } from "../../src/broker/channel/answering.js";
import { ensureHome } from "../../src/broker/channel/home.js";
import { unprovedReceipt } from "../../src/broker/channel/receipts.js";
import type { Answer } from "../../src/broker/request/answer.js";
import { answerHash } from "../../src/broker/request/binding.js";
import { asCarriedOut } from "../../src/face/carried-out.js";
import { factsIn } from "../../src/face/kept-facts.js";
import { answerTo } from "../support/builders.js";
import { decidedBy, keptFact } from "../support/facts.js";
import { FakeClock } from "../support/fake-clock.js";
import { LeftScene } from "../support/left-scene.js";

function won({ request, clock }: LeftScene, answer: Answer): Extract<AnswerEnding, { kind: "won" }> {
  const taken = { answer, hash: answerHash(answer), testimony: null };
  const receipt = unprovedReceipt(request, { outcome: "answered", taken, ran: false }, clock.now());
  return { kind: "won", receipt, isVerified: false };
}

test("a fact is told as kept or dropped only where the store says so, or its server proved it", async () => {
  const scene = new LeftScene();
  const { home, request } = scene;
  const seat = { clock: new FakeClock() };
  ensureHome(home, seat.clock);
  const told = (ending: AnswerEnding, answer: Answer, one: Pick<typeof request, "id"> = request) =>
    asCarriedOut(ending, { kind: "fact", id: one.id }, answer, home, seat, "cli");
  for (const decision of ["keep", "drop"] as const) {
    const answer = answerTo(request, { decision, scope: null });
    const ending = won(scene, answer);
    expect(await told(ending, answer)).toEqual({ kind: "gone" });
    const proved = { ...ending, isVerified: true };
    expect(await told(proved, answer)).toBe(proved);
  }
  const answer = answerTo(request, { decision: "keep", scope: "project" });
  const { facts } = factsIn(home, seat, "cli");
  const keptBy = decidedBy({ via: answer.via, answer: answerHash(answer) });
  await facts.keep(keptFact({ id: request.id, keptBy }));
  const ending = won(scene, answer);
  expect(await told(ending, answer)).toBe(ending);
  // Another answer than the one that decided is not told as what became of it.
  const other = answerTo(request, { decision: "drop", scope: null });
  expect(await told(won(scene, other), other)).toEqual({ kind: "gone" });
});

test("what is no fact, or was not taken, is told as it ended", async () => {
  const scene = new LeftScene();
  const answer = answerTo(scene.request, { decision: "keep", scope: null });
  const seat = { clock: scene.clock };
  const ending = won(scene, answer);
  const approval = { kind: "approval", id: scene.request.id } as const;
  expect(await asCarriedOut(ending, approval, answer, scene.home, seat, "cli")).toBe(ending);
  const gone = { kind: "gone" } as const;
  expect(await asCarriedOut(gone, scene.request, answer, scene.home, seat, "cli")).toBe(gone);
});
