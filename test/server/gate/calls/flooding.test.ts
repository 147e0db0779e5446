/** A caller that asks too often: a person who is flooded says yes in the end. */
import { expect, test } from "vitest";
import { revisions } from "../../../support/era-call.js";
import { waitingProgress } from "../../../support/mcp-server.js";
import { type MemoryGate, openGateIn } from "../../../support/memory-gate.js";
import { PatientClock } from "../../../support/patient-clock.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import type { ToolResult } from "../../../support/raw-client.js";
import { done } from "../../../support/scripted-upstream.js";

/** Asks about 30 calls, which wait. */
async function flooded(revision: (typeof revisions)[number] = "2025-11-25") {
  const clock = new PatientClock();
  const memory = await openGateIn(revision, { capabilities: {}, clock, hold: 1 });
  const calls = Array.from({ length: 30 }, (_, at) => memory.call({ path: `/${at}` }, `p${at}`));
  await Promise.all(calls.map((_, at) => waitingProgress(memory.client, `p${at}`)));
  return { memory, clock, calls };
}

function refusalIn({ _meta }: ToolResult): unknown {
  return (_meta as Readonly<Record<string, unknown>> | undefined)?.["wisp/refusal"];
}

function approve({ face }: MemoryGate, path: string): void {
  const request = face
    .waiting()
    .find(({ subject }) => subject.type === "tool" && subject.arguments.path === path);
  if (request === undefined) throw new Error(`Nobody is asked about ${path}.`);
  face.approve(request);
}

test.each(revisions)(
  "one ask more than 30 is refused, says when there is one again, and is taken then (%s)",
  async (revision) => {
    const { memory, clock } = await flooded(revision);
    const refused = await memory.call({ path: "/more" }, "more").result();
    expect(refused).toMatchObject({
      isError: true,
      content: [
        {
          text: "Refused: a person was asked too often; nobody was asked about this and nothing ran. Make fewer calls that need approval, and this one again in 1 s.",
        },
      ],
    });
    expect(refused).not.toHaveProperty("structuredContent");
    expect(refusalIn(refused)).toEqual({
      code: "rate_limited",
      retryable: true,
      recovery: "Make fewer calls that need approval, and this one again in 1 s.",
      retry_after_ms: 1_000,
    });
    expect(memory.face.waiting()).toHaveLength(30);
    // What nobody is asked about goes on, and so does what is refused.
    await acceptPolicy(memory.home, { allow: ["mcp__fs__read_file"] });
    expect(await memory.call({}, "read", "read_file").result()).toEqual(done);
    clock.advance(1_000);
    const call = memory.call({ path: "/more" }, "again");
    await waitingProgress(memory.client, "again");
    approve(memory, "/more");
    expect(await call.result()).toEqual(done);
  },
);

test("a call that joins one that waits costs nothing, and neither does one that redeems a yes", async () => {
  const { memory, clock, calls } = await flooded();
  const joined = memory.call({ path: "/0" }, "joined");
  await waitingProgress(memory.client, "joined");
  clock.advance(1_000);
  for (const call of [...calls, joined]) {
    expect(refusalIn(await call.result())).toMatchObject({ code: "approval_pending" });
  }
  const taken = memory.call({ path: "/taken" }, "taken");
  await waitingProgress(memory.client, "taken");
  // The bucket is empty again.
  expect(refusalIn(await memory.call({ path: "/no" }, "no").result())).toMatchObject({
    code: "rate_limited",
  });
  approve(memory, "/0");
  approve(memory, "/1");
  await expect.poll(() => memory.face.waiting().length).toBe(29);
  for (const path of ["/0", "/1"])
    expect(await memory.call({ path }, `redeems ${path}`).result()).toEqual(done);
  expect(refusalIn(await memory.call({ path: "/no" }, "still no").result())).toMatchObject({
    code: "rate_limited",
  });
  expect(memory.upstream.calls).toHaveLength(2);
  expect(taken.hasEnded()).toBe(false);
});
