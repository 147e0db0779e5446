import { expect, test } from "vitest";
import { type AnswerEnding, answerAndWait, waitForEnd } from "../../../src/broker/channel/answering.js";
import { unprovedReceipt } from "../../../src/broker/channel/receipts.js";
import type { Answer } from "../../../src/broker/request/answer.js";
import { shortfalls } from "../../../src/broker/request/assurance.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import type { Request } from "../../../src/broker/request/request.js";
import { answerTo, approvalDraft, denialOf } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import {
  type MemoryPlace,
  memoryChannel,
  memoryPlace,
  plant,
  removeRequest,
} from "../../support/memory-channel.js";
import { watchedWitness } from "../../support/witness-contract.js";
import { finds, takesAll } from "../../support/witnesses.js";

/** One server and one face over one place; the server acts only when the test says so. */
function scene() {
  const clock = new FakeClock();
  const place = memoryPlace();
  const watched = watchedWitness();
  const server = memoryChannel(place, { clock, witness: watched.witness });
  const face = memoryChannel(place, { clock });
  const request = server.file(approvalDraft(), []);
  const abort = new AbortController();
  const said: string[] = [];
  const options = {
    channel: face,
    clock,
    signal: abort.signal,
    onSilent: () => said.push("silent"),
    sweep: () => said.push("sweep"),
  };
  const answer = (decision: Answer): Promise<AnswerEnding> => answerAndWait(request, decision, options);
  /** Time enough for every look before the face watches. */
  const pass = (): void => clock.advance(256);
  const serve = (): void => {
    const news = server.take(request.id);
    if (news?.kind === "answer")
      server.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
    pass();
  };
  return { clock, place, server, watched, face, request, abort, said, options, answer, serve, pass };
}

function slotName(request: Request): string {
  return `${request.id}.answer.json`;
}

function plantText(place: MemoryPlace, name: string, text: string): void {
  plant(place, name, Buffer.from(text));
}

test("an answer that is taken has won, and the receipt is verified", async () => {
  const { request, answer, serve } = scene();
  const ending = answer(answerTo(request));
  serve();
  expect(await ending).toMatchObject({ kind: "won", isVerified: true, receipt: { decision: "approve" } });
});

test("of two faces one has won and the other learns how it ended", async () => {
  const { request, answer, serve } = scene();
  const first = answer(denialOf(request, "no"));
  const second = answer(answerTo(request));
  expect(await second).toMatchObject({ kind: "first", winner: { decision: "deny", note: "no" } });
  serve();
  expect(await first).toMatchObject({ kind: "won", receipt: { decision: "deny" } });
});

test("a request that is settled already is not answered", async () => {
  const { server, request, answer, face } = scene();
  let links = 0;
  const link = face.answer.bind(face);
  face.answer = (own) => {
    links += 1;
    return link(own);
  };
  const taken = server.withdraw(request.id, "timed_out", null);
  server.settle(request.id, { outcome: "timed_out", taken, ran: false });
  expect(await answer(answerTo(request))).toMatchObject({
    kind: "settled",
    receipt: { outcome: "timed_out" },
  });
  expect([links, face.slot(request.id)]).toEqual([0, { kind: "free" }]);
});

test("a receipt that its server did not prove ends nothing while the request lies there", async () => {
  const { place, request, answer, serve } = scene();
  const ending = { outcome: "timed_out", taken: null, ran: false } as const;
  place.receipts.set(request.id, unprovedReceipt(request, ending, 0));
  const given = answer(answerTo(request));
  place.receipts.delete(request.id);
  serve();
  expect(await given).toMatchObject({ kind: "won", isVerified: true });
});

test("a well-formed answer to something else is junk, not somebody who was first", async () => {
  const { clock, place, server, request, answer, serve, pass } = scene();
  const forged = denialOf({ id: request.id, binding: "0".repeat(64) });
  plantText(place, slotName(request), JSON.stringify(forged));
  const ending = answer(answerTo(request));
  server.take(request.id);
  pass();
  await new Promise((resolve) => setImmediate(resolve));
  serve();
  expect(await ending).toMatchObject({ kind: "won" });
  expect(clock.timers).toBe(0);
});

test("an answer linked into a name that was just cleared is taken back and has not won", async () => {
  const { server, request, answer, face } = scene();
  const channel = face.answer.bind(face);
  // The server settles between this face's look for a receipt and its link.
  face.answer = (own) => {
    const taken = server.withdraw(request.id, "withdrawn", null);
    server.settle(request.id, { outcome: "withdrawn", taken, ran: false });
    return channel(own);
  };
  expect(await answer(answerTo(request))).toMatchObject({
    kind: "settled",
    receipt: { outcome: "withdrawn" },
  });
  expect(face.slot(request.id)).toEqual({ kind: "free" });
});

test("junk in the slot is waited for up to 500 ms, and the answer is tried once more", async () => {
  const { clock, place, server, request, answer, serve, pass } = scene();
  plantText(place, slotName(request), "junk");
  const ending = answer(answerTo(request));
  server.take(request.id);
  pass();
  await new Promise((resolve) => setImmediate(resolve));
  serve();
  expect(await ending).toMatchObject({ kind: "won" });
  expect(clock.timers).toBe(0);
});

test("junk that nobody clears is told as an answer that came first", async () => {
  const { clock, place, request, answer } = scene();
  plantText(place, slotName(request), "junk");
  const ending = answer(answerTo(request));
  clock.advance(500);
  expect(await ending).toEqual({ kind: "first", winner: null });
});

test("an answer that the server moves away is refused, and the request still waits", async () => {
  const { server, request, answer, serve, pass } = scene();
  const ending = answer(answerTo({ ...request, binding: "0".repeat(64) }));
  server.take(request.id);
  await new Promise((resolve) => setImmediate(resolve));
  pass();
  expect(await ending).toEqual({ kind: "refused", shortfall: null });
  const good = answer(answerTo(request));
  serve();
  expect(await good).toMatchObject({ kind: "won" });
});

test.each(shortfalls)(
  "an answer that falls short (%s) is refused saying so, and a better one wins",
  async (what) => {
    const { server, watched, request, answer, serve, pass } = scene();
    watched.finds = finds(what);
    const ending = answer(answerTo(request));
    server.take(request.id);
    await new Promise((resolve) => setImmediate(resolve));
    pass();
    expect(await ending).toEqual({ kind: "refused", shortfall: what });
    watched.finds = takesAll;
    const good = answer(answerTo(request, { note: "from a terminal" }));
    serve();
    expect(await good).toMatchObject({ kind: "won", receipt: { verified: { terminal: true } } });
  },
);

test("another's refusal beside an answer that was taken says nothing to its face", async () => {
  const { place, request, answer, serve } = scene();
  const own = answerTo(request);
  place.refusals.set(answerHash(own), "within_client");
  const ending = answer(own);
  serve();
  expect(await ending).toMatchObject({ kind: "won" });
});

test("a silent server is said once after three seconds, swept for every second, and waited for", async () => {
  const { clock, request, answer, said, serve } = scene();
  const ending = answer(answerTo(request));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(2_999);
  expect(said).toEqual(["sweep", "sweep"]);
  clock.advance(7_001);
  expect(said.filter((what) => what === "silent")).toHaveLength(1);
  serve();
  expect(await ending).toMatchObject({ kind: "won" });
  expect(clock.timers).toBe(0);
});

test("interrupted before the server read it, the answer is unread and stays", async () => {
  const { request, answer, abort, face, clock } = scene();
  const ending = answer(answerTo(request));
  abort.abort();
  expect(await ending).toEqual({ kind: "unread" });
  expect(face.slot(request.id)).toMatchObject({ kind: "answer" });
  expect(clock.timers).toBe(0);
});

test("a request that vanishes together with its answer is gone", async () => {
  const { place, request, answer, pass } = scene();
  const ending = answer(answerTo(request));
  place.files.delete(slotName(request));
  removeRequest(place, request.id);
  await new Promise((resolve) => setImmediate(resolve));
  pass();
  expect(await ending).toEqual({ kind: "gone" });
});

test("a sweep that fails ends no wait, and news of other requests costs no look", async () => {
  const { clock, server, face, request, options, serve } = scene();
  let looks = 0;
  const receipt = face.receipt.bind(face);
  face.receipt = (id) => {
    looks += 1;
    return receipt(id);
  };
  const sweep = (): void => {
    throw new Error("the disk is gone");
  };
  const ending = answerAndWait(request, answerTo(request), { ...options, sweep });
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1_000);
  const before = looks;
  server.file(approvalDraft(), []);
  expect(looks).toBe(before);
  serve();
  expect(await ending).toMatchObject({ kind: "won" });
});

test("waiting for the end answers nothing and returns the receipt", async () => {
  const { server, request, options, face, pass } = scene();
  const ending = waitForEnd(request, options);
  expect(face.slot(request.id)).toEqual({ kind: "free" });
  const taken = server.withdraw(request.id, "abandoned", null);
  server.settle(request.id, { outcome: "abandoned", taken, ran: false });
  pass();
  expect(await ending).toMatchObject({ outcome: "abandoned" });
});

test("waiting for a request that is not there, or until interrupted, returns nothing", async () => {
  const { request, options, abort } = scene();
  expect(await waitForEnd({ ...request, id: "zzzzzzzz" }, options)).toBeNull();
  const ending = waitForEnd(request, options);
  abort.abort();
  expect(await ending).toBeNull();
});
