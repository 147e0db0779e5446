import { expect, test } from "vitest";
import { ownIdentity } from "../../src/broker/identity/process.js";
import { answerHash } from "../../src/broker/request/binding.js";
import { carrierIn } from "../../src/face/left-facts.js";
import { LeftScene } from "../support/left-scene.js";

test("an answer that somebody wrote in the name of this process is not kept, and its own is", async () => {
  const scene = new LeftScene();
  const { home, clock, request, channel } = scene;
  const given = new Set<string>();
  const looks: string[] = [];
  const deviceName = (): null => {
    looks.push("looked");
    return null;
  };
  const carryOut = carrierIn(home, { clock, deviceName }, "tui", given);
  const { pid, startedAt } = ownIdentity();
  const answer = scene.answer({ by: { pid, startedAt, tty: null, version: "0.1.0" } });
  await scene.sweep(carryOut);
  expect([looks, channel.slot(request.id).kind, channel.receipt(request.id)]).toEqual([[], "answer", null]);
  given.add(answerHash(answer));
  await scene.sweep(carryOut);
  // What it sees of itself decides: a process of a test has no terminal, or has one.
  expect(looks).toEqual(["looked"]);
  expect(channel.slot(request.id).kind).toBe("free");
});
