/** A call that a person is asked about: every way in which that ends, in every revision. */
import { beforeEach, describe, expect, test } from "vitest";
import { revisions } from "../../../support/era-call.js";
import { approval, readAtOnce, waitingProgress } from "../../../support/mcp-server.js";
import { type MemoryGate, type MemoryGateOptions, openGateIn } from "../../../support/memory-gate.js";
import { PatientClock } from "../../../support/patient-clock.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import type { ToolResult } from "../../../support/raw-client.js";
import { done } from "../../../support/scripted-upstream.js";

const args = { path: "/work/a", content: "new" };
const denial = { action: "accept", content: { decision: "deny" } };

let clock: PatientClock;
beforeEach(() => {
  clock = new PatientClock();
});

/** What a refusal says to programs. */
function refusalIn(result: ToolResult): unknown {
  const { isError, _meta, structuredContent } = result as ToolResult & {
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  expect([isError, structuredContent]).toEqual([true, undefined]);
  return _meta?.["wisp/refusal"];
}

function textOf({ content = [] }: ToolResult): string {
  return content.map(({ text }) => text).join("\n");
}

/** That a call which is approved still works, and how many reached the server with it. */
async function expectGood(memory: MemoryGate, reached: number): Promise<void> {
  const call = memory.call({ path: "/good" }, "good");
  await waitingProgress(memory.client, "good");
  memory.face.approve(memory.face.only());
  expect(await call.result()).toEqual(done);
  expect(memory.upstream.calls).toHaveLength(reached);
}

const dialogs: MemoryGateOptions = { config: readAtOnce };
const noDialog: MemoryGateOptions = { capabilities: {} };

describe.each(revisions)("in %s", (revision) => {
  test("a yes in the client's dialog sends the call as it was shown, once", async () => {
    const memory = await openGateIn(revision, dialogs);
    const call = memory.call(args, "p");
    expect(await call.dialog()).toContain('write_file {"path":"/work/a","content":"new"}');
    const { subject } = memory.face.only();
    expect(subject).toMatchObject({ type: "tool", server: "fs", tool: "write_file", arguments: args });
    expect(memory.upstream.calls).toEqual([]);
    call.reply(approval);
    expect(await call.result()).toEqual(done);
    const [sent, ...others] = memory.upstream.calls;
    expect(others).toEqual([]);
    expect(sent?.params).toMatchObject({ name: "write_file", arguments: args });
    expect(sent?.params).not.toHaveProperty("requestState");
    expect(sent?.params).not.toHaveProperty("inputResponses");
  });

  test("a no in the client's dialog sends nothing", async () => {
    const memory = await openGateIn(revision, dialogs);
    const call = memory.call(args, "p");
    await call.dialog();
    call.reply(denial);
    const result = await call.result();
    expect(refusalIn(result)).toMatchObject({ code: "approval_declined", retryable: false });
    expect(textOf(result)).toContain("Do not retry this call");
    await acceptPolicy(memory.home, { allow: ["mcp__fs__read_file"] });
    expect(await memory.call({}, "q", "read_file").result()).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
  });

  test("a yes at a face sends it", async () => {
    const memory = await openGateIn(revision, noDialog);
    await expectGood(memory, 1);
  });

  test("a no at a face sends nothing, and its note is told", async () => {
    const memory = await openGateIn(revision, noDialog);
    const call = memory.call(args, "p");
    await waitingProgress(memory.client);
    memory.face.deny(memory.face.only(), "append instead");
    const result = await call.result();
    expect(refusalIn(result)).toMatchObject({ code: "approval_denied" });
    expect(textOf(result)).toContain("append instead");
    await expectGood(memory, 1);
  });

  test("whoever says yes second changes nothing: the call is sent once", async () => {
    const memory = await openGateIn(revision, dialogs);
    const call = memory.call(args, "p");
    await call.dialog();
    const request = memory.face.only();
    memory.face.approve(request);
    call.reply(approval);
    const result = await call.result();
    // In the 2026 era the form comes back with the call, which the yes at the face lets run.
    expect(result).toEqual(done);
    await memory.client.roundTrip();
    expect(memory.upstream.calls).toHaveLength(1);
    await memory.call({ path: "/b" }, "q").dialog();
  });

  test("a call that is held too long says that nothing failed, and the same call collects the yes", async () => {
    const memory = await openGateIn(revision, { ...noDialog, clock });
    const call = memory.call(args, "p");
    await waitingProgress(memory.client);
    clock.advance(45_000);
    const result = await call.result();
    expect(refusalIn(result)).toMatchObject({
      code: "approval_pending",
      retryable: true,
      request: memory.face.only().id,
      argsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(textOf(result)).toMatch(/^Nothing failed\.\nPending: /);
    memory.face.approve(memory.face.only());
    await expect.poll(() => memory.face.waiting()).toEqual([]);
    expect(await memory.call(args, "again").result()).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
  });

  test("a call that nobody answers in time sends nothing, and is no no", async () => {
    const config = { approval: { timeoutSeconds: 30 } };
    const memory = await openGateIn(revision, { ...noDialog, clock, config });
    const call = memory.call(args, "p");
    await waitingProgress(memory.client);
    clock.advance(30_000);
    expect(refusalIn(await call.result())).toMatchObject({ code: "approval_timed_out" });
    await expectGood(memory, 1);
  });

  test("identical calls join: one yes sends one, and the other is told so", async () => {
    const memory = await openGateIn(revision, noDialog);
    const calls = ["one", "two"].map((token) => memory.call(args, token));
    await waitingProgress(memory.client, "one");
    await waitingProgress(memory.client, "two");
    memory.face.approve(memory.face.only());
    const results = await Promise.all(calls.map((call) => call.result()));
    const [sent, joined] = results.toSorted(
      (one, other) => Number("isError" in one) - Number("isError" in other),
    );
    expect(sent).toEqual(done);
    expect(refusalIn(joined ?? {})).toMatchObject({ code: "already_decided" });
    expect(memory.upstream.calls).toHaveLength(1);
  });

  test("a call that is cancelled while it waits is answered nothing, and sends nothing", async () => {
    const memory = await openGateIn(revision, noDialog);
    const call = memory.call(args, "p");
    await waitingProgress(memory.client);
    call.cancel("not wanted");
    await expect.poll(() => memory.face.waiting()).toEqual([]);
    await memory.client.roundTrip();
    expect([call.hasEnded(), memory.upstream.lines.some((line) => line.includes("cancelled"))]).toEqual([
      false,
      false,
    ]);
    await expectGood(memory, 1);
  });

  test("a call that is cancelled in the same breath asks nobody and sends nothing", async () => {
    const memory = await openGateIn(revision, noDialog);
    memory.call(args, "p").cancel();
    await memory.client.roundTrip();
    expect(memory.face.waiting()).toEqual([]);
    await expectGood(memory, 1);
  });

  test("a cancellation after the call was sent reaches the server, whose answer then is nobody's", async () => {
    const memory = await openGateIn(revision, noDialog);
    memory.upstream.onCall = null;
    const call = memory.call(args, "p");
    await waitingProgress(memory.client);
    memory.face.approve(memory.face.only());
    const sent = await memory.upstream.wire.firstOf("tools/call");
    call.cancel("enough");
    const cancelled = await memory.upstream.wire.firstOf("notifications/cancelled");
    expect(cancelled.params).toEqual({ requestId: sent.id, reason: "enough" });
    memory.upstream.wire.answer(sent, done);
    await memory.client.roundTrip();
    expect(call.hasEnded()).toBe(false);
    memory.upstream.onCall = () => done;
    await expectGood(memory, 2);
  });

  test("the server's own dialog in the middle of a call passes, and so does the answer to it", async () => {
    const memory = await openGateIn(revision, noDialog);
    const { client, upstream } = memory;
    upstream.onCall = null;
    const call = memory.call(args, "p");
    await waitingProgress(client);
    memory.face.approve(memory.face.only());
    const sent = await upstream.wire.firstOf("tools/call");
    const asking = upstream.wire.request("elicitation/create", { message: "which?" });
    const asked = await client.firstOf("elicitation/create");
    expect(asked.params).toEqual({ message: "which?" });
    client.answer(asked, { action: "accept", content: { which: 1 } });
    expect((await upstream.wire.responseTo(asking)).result).toEqual({
      action: "accept",
      content: { which: 1 },
    });
    upstream.wire.answer(sent, done);
    expect(await call.result()).toEqual(done);
  });

  test("a definition that changes between the ask and the yes spends the yes and sends nothing", async () => {
    const memory = await openGateIn(revision, noDialog);
    const call = memory.call(args, "p");
    await waitingProgress(memory.client);
    memory.upstream.tools = [{ name: "write_file", description: "Deletes a file." }];
    memory.face.approve(memory.face.only());
    expect(refusalIn(await call.result())).toMatchObject({ code: "replay_drift", retryable: true });
    await expectGood(memory, 1);
  });
});
