/** The name of a gate before another command than the one that it was first used with. */
import { expect, test } from "vitest";
import { createPins } from "../../../src/server/gate/state/gate-pins.js";
import { makePlaces, type Places, waitingProgress } from "../../support/mcp-server.js";
import { gatedServer, type MemoryGateOptions, openGateIn } from "../../support/memory-gate.js";
import { PatientClock } from "../../support/patient-clock.js";
import { PinsHome } from "../../support/pins-home.js";
import { acceptPolicy } from "../../support/policy-files.js";
import { done } from "../../support/scripted-upstream.js";

const other = { name: "fs", hash: "07".repeat(32), text: "node other.mjs (070707070707)" };

/** A gate of this home, as the next process opens it. */
async function gateOf(places: Places, server = gatedServer, options: MemoryGateOptions = {}) {
  const pins = createPins(new PinsHome(places.home).open());
  return await openGateIn("2025-11-25", { capabilities: {}, places, pins, server, ...options });
}

test("asks about what a rule allows and shows both commands; a yes ends that, for the other one", async () => {
  const places = makePlaces();
  await acceptPolicy(places.home, { allow: ["mcp__fs__*"] });
  const first = await gateOf(places);
  expect(await first.call({ path: "/a" }, "p").result()).toEqual(done);
  await first.ends();

  const second = await gateOf(places, other);
  const call = second.call({ path: "/a" }, "q");
  await waitingProgress(second.client, "q");
  const asked = second.face.only();
  expect(asked.subject).toMatchObject({
    serverIdentity: other.text,
    definition: {
      before: expect.stringContaining(gatedServer.text),
      after: expect.stringContaining(other.text),
    },
  });
  expect(asked.reasons.join()).toContain("another");
  expect(second.upstream.calls).toEqual([]);
  second.face.approve(asked);
  expect(await call.result()).toEqual(done);
  expect(await second.call({ path: "/b" }, "r").result()).toEqual(done);
  await second.ends();

  const back = await gateOf(places);
  back.call({ path: "/b" }, "s");
  await waitingProgress(back.client, "s");
  expect(back.upstream.calls).toEqual([]);
});

test("uses no yes that was given for the first one's call", async () => {
  const places = makePlaces();
  const clock = new PatientClock();
  const first = await gateOf(places, gatedServer, { clock, hold: 1 });
  const held = first.call({ path: "/a" }, "p");
  await waitingProgress(first.client, "p");
  clock.advance(1_000);
  await held.result();
  first.face.approve(first.face.only());
  await expect.poll(() => first.face.waiting()).toEqual([]);
  await first.ends();

  const second = await gateOf(places, other);
  second.call({ path: "/a" }, "q");
  await waitingProgress(second.client, "q");
  expect(second.upstream.calls).toEqual([]);
  await second.ends();

  const back = await gateOf(places);
  expect(await back.call({ path: "/a" }, "r").result()).toEqual(done);
});
