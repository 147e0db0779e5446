import { describe, expect, it } from "vitest";
import { answerWriter, ChannelSlot, MemorySlot } from "../../../src/broker/approval/decision-slot.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { answerTo, approvalDraft, approvalRequest, denialOf, testServer } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { memoryChannel, memoryPlace } from "../../support/memory-channel.js";
import { atTerminal } from "../../support/witnesses.js";

const clock = new FakeClock();
const writeAnswer = answerWriter(clock, testServer, "0.1.0");

function filed() {
  const channel = memoryChannel(memoryPlace(), { clock });
  const request = channel.file(approvalDraft(), []);
  return { request, slot: new ChannelSlot(channel, request.id) };
}

function inMemory() {
  const request = approvalRequest();
  return { request, slot: new MemorySlot(request, writeAnswer) };
}

describe.each([
  { where: "in the channel", make: filed, testimony: atTerminal },
  { where: "in memory", make: inMemory, testimony: null },
])("a slot $where", ({ make, testimony }) => {
  it("keeps the first answer with what was seen of who gave it, and refuses the second", () => {
    const { request, slot } = make();
    const first = answerTo(request);
    expect(slot.take()).toBeNull();
    expect(slot.answer(first)).toBe(true);
    expect(slot.answer(denialOf(request))).toBe(false);
    const taken = { answer: first, hash: answerHash(first), testimony };
    expect(slot.take()).toEqual({ kind: "answer", taken });
    expect(slot.withdraw("timed_out", null)).toEqual(taken);
  });

  it("keeps the server's first decision and refuses answers after it", () => {
    const { request, slot } = make();
    const taken = slot.withdraw("timed_out", "nobody answered");
    expect(taken.answer).toMatchObject({
      id: request.id,
      binding: request.binding,
      decision: "timed_out",
      via: "server",
      note: "nobody answered",
      by: { pid: testServer.pid, startedAt: testServer.startedAt, tty: null },
    });
    expect(slot.withdraw("abandoned", null)).toEqual(taken);
    expect(slot.answer(answerTo(request))).toBe(false);
    expect(slot.take()).toEqual({ kind: "answer", taken });
  });
});

it("only a filed request can be answered elsewhere", () => {
  expect([filed().slot.isFiled, inMemory().slot.isFiled]).toEqual([true, false]);
});
