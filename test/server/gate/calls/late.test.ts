/** A yes that comes when the request of a call through a gate is over: the next identical call has it, once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveLate } from "../../../../src/broker/approval/answer-late.js";
import { homeAt } from "../../../../src/broker/channel/home.js";
import { WispError } from "../../../../src/broker/request/errors.js";
import { systemClock } from "../../../../src/broker/system/clock.js";
import { createPins } from "../../../../src/server/gate/state/gate-pins.js";
import { createStateBinding } from "../../../../src/server/gate/state/state-binding.js";
import { auditLogAt } from "../../../support/audit-logs.js";
import { answerTo } from "../../../support/builders.js";
import { revisions } from "../../../support/era-call.js";
import { keptHome } from "../../../support/kept-home.js";
import { makePlaces, waitingProgress } from "../../../support/mcp-server.js";
import { type MemoryGate, type MemoryGateOptions, openGateIn } from "../../../support/memory-gate.js";
import { memoryPins, PinShelf } from "../../../support/memory-pins.js";
import { PatientClock } from "../../../support/patient-clock.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import type { ToolResult } from "../../../support/raw-client.js";
import { done, writeFile } from "../../../support/scripted-upstream.js";
import { atTerminal } from "../../../support/witnesses.js";

type How = "timed_out" | "abandoned" | "withdrawn";

/** A gate whose call about a file has ended in this way, and was approved after that. */
async function approvedLate(revision: (typeof revisions)[number], how: How, more: MemoryGateOptions = {}) {
  const places = makePlaces();
  const file = join(places.work, "a");
  writeFileSync(file, "one\n");
  await acceptPolicy(places.home, { ask: [{ rule: "mcp__fs__write_file", state: { paths: ["$.path"] } }] });
  const clock = new PatientClock();
  const options = { capabilities: {}, places, clock, hold: 1_000, ...more };
  let memory = await openGateIn(revision, options);
  const given = { path: file, content: "two\n" };
  const call = memory.call(given, "p");
  await waitingProgress(memory.client);
  const { id } = memory.face.only();
  if (how === "timed_out") clock.advance(600_000);
  if (how === "abandoned") call.cancel();
  if (how === "withdrawn") await memory.ends();
  await expect.poll(() => memory.face.receiptOf(id)?.outcome).toBe(how);
  if (how === "withdrawn") memory = await openGateIn(revision, options);
  const kept = keptHome(homeAt(places.home, false));
  await expect.poll(() => kept.late.read(id)).not.toBeNull();
  const late = kept.late.read(id) ?? expect.fail("It is not kept.");
  const audit = auditLogAt(places.home, { session: "face" });
  const parts = { audit, grants: kept.grants, late: kept.late, clock: systemClock };
  const yes = await approveLate(late, answerTo(late.request), atTerminal, parts);
  expect(yes).toMatchObject({ kind: "kept" });
  return { memory, given, file, again: (token: string) => memory.call(given, token) };
}

function codeOf({ _meta }: ToolResult): unknown {
  return (_meta as { readonly "wisp/refusal"?: { readonly code?: unknown } } | undefined)?.["wisp/refusal"]
    ?.code;
}

/** Nobody's yes is left: a person is asked anew. */
async function expectAsked({ client, face, upstream }: MemoryGate, token: string, reached: number) {
  await waitingProgress(client, token);
  expect(upstream.calls).toHaveLength(reached);
  face.approve(face.only());
}

describe.each(revisions)("in %s", (revision) => {
  test("the same call again runs by it and asks nobody, and the one after that asks", async () => {
    const { memory, again } = await approvedLate(revision, "timed_out");
    expect(await again("q").result()).toEqual(done);
    expect(memory.face.waiting()).toEqual([]);
    const third = again("r");
    await expectAsked(memory, "r", 1);
    expect(await third.result()).toEqual(done);
  });
});

test.each(["abandoned", "withdrawn"] as const)("it counts for a call that was %s, too", async (how) => {
  const { memory, again } = await approvedLate("2025-11-25", how);
  expect(await again("q").result()).toEqual(done);
  expect(memory.upstream.calls).toHaveLength(1);
});

test("another call does not have it, and the same one about another state spends it", async () => {
  const { memory, given, file, again } = await approvedLate("2025-11-25", "timed_out");
  const other = memory.call({ ...given, content: "three\n" }, "other");
  await expectAsked(memory, "other", 0);
  expect(await other.result()).toEqual(done);
  writeFileSync(file, "changed\n");
  expect(codeOf(await again("changed").result())).toBe("replay_drift");
  expect(memory.upstream.calls).toHaveLength(1);
  writeFileSync(file, "one\n");
  const anew = again("anew");
  await expectAsked(memory, "anew", 1);
  expect(await anew.result()).toEqual(done);
});

test("a tool that says something else of itself by now does not have it", async () => {
  const { memory, again } = await approvedLate("2025-11-25", "timed_out");
  memory.upstream.tools = [{ ...writeFile, description: "Deletes a file." }];
  memory.upstream.wire.notify("notifications/tools/list_changed");
  await memory.client.firstOf("notifications/tools/list_changed");
  const call = again("q");
  await expectAsked(memory, "q", 0);
  expect(await call.result()).toEqual(done);
});

test("a tool that turns out to say something else while it is redeemed spends it", async () => {
  const { memory, again } = await approvedLate("2025-11-25", "timed_out");
  memory.upstream.tools = [{ ...writeFile, description: "Deletes a file." }];
  expect(codeOf(await again("q").result())).toBe("replay_drift");
  expect(memory.upstream.calls).toEqual([]);
  const call = again("r");
  await expectAsked(memory, "r", 0);
  expect(await call.result()).toEqual(done);
});

test("one whose pins cannot be written is there for the next call", async () => {
  const shelf = new PinShelf();
  const pins = createPins(memoryPins(shelf));
  const { memory, again } = await approvedLate("2025-11-25", "timed_out", { pins });
  shelf.isBroken = true;
  expect(codeOf(await again("q").result())).toBe("channel_unavailable");
  expect(memory.upstream.calls).toEqual([]);
  shelf.isBroken = false;
  expect(await again("r").result()).toEqual(done);
  expect(memory.face.waiting()).toEqual([]);
});

test.each<[how: string, end: (reason: unknown) => unknown]>([
  ["says so", (reason) => reason],
  ["fails by it", () => new WispError("upstream_unavailable", "The server did not answer.")],
])(
  "one whose call is cancelled during the last look, which %s, is there for the next call",
  async (_how, end) => {
    let looks = 0;
    let onLook: (() => void) | null = null;
    const { memory, again } = await approvedLate("2025-11-25", "timed_out", {
      states(probe) {
        const binding = createStateBinding({ directory: null, previewOf: () => null, probe });
        return {
          ...binding,
          async look(spec, call, signal) {
            looks += 1;
            onLook?.();
            if (onLook === null || looks < 2) return await binding.look(spec, call, signal);
            return await new Promise((_, reject) => {
              signal.addEventListener("abort", () => reject(end(signal.reason)), { once: true });
            });
          },
        };
      },
    });
    looks = 0;
    const hasLooked = new Promise<void>((resolve) => {
      onLook = () => looks === 2 && resolve();
    });
    const given = again("q");
    await hasLooked;
    given.cancel();
    onLook = null;
    expect(await again("r").result()).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
    expect(memory.face.waiting()).toEqual([]);
  },
);
