/** How a gated call ends that no answer of the server's ends: whoever goes first, and what was written down before. */
import { describe, expect, test } from "vitest";
import { revisions } from "../../../support/era-call.js";
import { waitingProgress } from "../../../support/mcp-server.js";
import { type MemoryGate, openGateIn } from "../../../support/memory-gate.js";
import { PatientClock } from "../../../support/patient-clock.js";
import type { ToolResult } from "../../../support/raw-client.js";
import { done } from "../../../support/scripted-upstream.js";

const args = { path: "/work/a" };
const noDialog = { capabilities: {} };

function refusalIn({ _meta }: ToolResult): unknown {
  return (_meta as Readonly<Record<string, unknown>> | undefined)?.["wisp/refusal"];
}

/** Calls, and approves as soon as somebody is asked. */
async function approved(memory: MemoryGate, token = "p") {
  const call = memory.call(args, token);
  await waitingProgress(memory.client, token);
  memory.face.approve(memory.face.only());
  return call;
}

function effects({ face }: MemoryGate): readonly unknown[] {
  return face
    .audit()
    .filter(({ kind }) => kind.startsWith("effect."))
    .map(({ kind, details }) => (kind === "effect.started" ? "started" : details.ending));
}

describe.each(revisions)("in %s", (revision) => {
  test("that a call is sent stands in the log before it is, and what came of it after", async () => {
    const memory = await openGateIn(revision, noDialog);
    memory.upstream.onCall = () => {
      expect(effects(memory)).toEqual(["started"]);
      return done;
    };
    expect(await (await approved(memory)).result()).toEqual(done);
    expect(effects(memory)).toEqual(["started", "answered"]);
    const [started] = memory.face.audit().filter(({ kind }) => kind === "effect.started");
    expect(started).toMatchObject({ verified: { server: "fs", tool: "write_file" } });
  });

  test("a log that cannot be written lets nothing be sent, and the yes of nobody is used up", async () => {
    const memory = await openGateIn(revision, noDialog);
    memory.failing = "durable";
    const call = await approved(memory);
    expect(refusalIn(await call.result())).toMatchObject({ code: "audit_unavailable", retryable: true });
    memory.failing = "none";
    expect(memory.upstream.calls).toEqual([]);
    expect(await (await approved(memory, "q")).result()).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
  });

  test("an answer that cannot be written down still is the caller's", async () => {
    const memory = await openGateIn(revision, noDialog);
    memory.failing = "plain";
    expect(await (await approved(memory)).result()).toEqual(done);
    expect(effects(memory)).toEqual(["started"]);
  });

  test("a server that ends while a call waits for a person: the call is withdrawn and answered -32000", async () => {
    const memory = await openGateIn(revision, noDialog);
    const id = memory.client.received.length;
    memory.call(args, "p");
    await waitingProgress(memory.client);
    const request = memory.face.only();
    await memory.ends();
    const answer = await memory.client.first(({ error }) => error !== undefined);
    expect(answer.error).toEqual({ code: -32_000, message: "the upstream server ended with 1" });
    expect(memory.client.received.slice(id).filter(({ result }) => result !== undefined)).toEqual([]);
    expect(memory.face.receiptOf(request.id)).toMatchObject({ outcome: "withdrawn" });
    expect(memory.face.waiting()).toEqual([]);
  });

  test("a server that ends while an approved call runs: it may have run, and nobody is told that it did not", async () => {
    const memory = await openGateIn(revision, noDialog);
    memory.upstream.onCall = null;
    const call = await approved(memory);
    await memory.upstream.wire.firstOf("tools/call");
    await memory.ends();
    const result = await call.result();
    expect(refusalIn(result)).toMatchObject({ code: "indeterminate_outcome", retryable: false });
    expect(result.content?.[0]?.text).toMatch(/^Failed, it may have run: /);
    expect(effects(memory)).toEqual(["started", "unknown"]);
  });

  test("a client that leaves while its call waits has it withdrawn, and nothing is sent", async () => {
    const memory = await openGateIn(revision, noDialog);
    memory.call(args, "p");
    await waitingProgress(memory.client);
    const request = memory.face.only();
    await memory.gate.close("the client left");
    expect(memory.face.receiptOf(request.id)).toMatchObject({ outcome: "withdrawn" });
    expect(memory.upstream.calls).toEqual([]);
  });
});

describe("a yes that came while no call was there", () => {
  test("is given back where nothing reached the server, and lets the next call run, once", async () => {
    const memory = await openGateIn("2025-11-25", { ...noDialog, hold: 1 });
    const held = memory.call(args, "p");
    expect(refusalIn(await held.result())).toMatchObject({ code: "approval_pending" });
    memory.face.approve(memory.face.only());
    await expect.poll(() => memory.face.waiting()).toEqual([]);
    memory.failing = "durable";
    const failed = memory.call(args, "q");
    expect(refusalIn(await failed.result())).toMatchObject({ code: "audit_unavailable" });
    memory.failing = "none";
    expect(await memory.call(args, "r").result()).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
    memory.call(args, "s");
    await waitingProgress(memory.client, "s");
  });

  test("is given back where the call is cancelled before it is sent, and lets the next one run, once", async () => {
    const memory = await openGateIn("2025-11-25", { ...noDialog, hold: 1 });
    await memory.call(args, "p").result();
    memory.face.approve(memory.face.only());
    await expect.poll(() => memory.face.waiting()).toEqual([]);
    let release: () => void = () => undefined;
    const writes = new Promise<void>((resolve) => {
      memory.beforeDurable = () => {
        resolve();
        return new Promise((go) => {
          release = go;
        });
      };
    });
    const cancelled = memory.call(args, "q");
    await writes;
    memory.beforeDurable = null;
    cancelled.cancel();
    await memory.client.roundTrip();
    release();
    await expect.poll(() => effects(memory)).toEqual(["started", "abandoned"]);
    expect(memory.upstream.calls).toEqual([]);
    expect(await memory.call(args, "r").result()).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
    memory.call(args, "s");
    await waitingProgress(memory.client, "s");
  });

  test.each([
    ["is given back where no connection came about", true, "upstream_unavailable"],
    [
      "is spent where the connection broke, which may have come after the call",
      false,
      "indeterminate_outcome",
    ],
  ])("%s", async (_what, isUnsent, code) => {
    const memory = await openGateIn("2025-11-25", { ...noDialog, hold: 1, isHandedLater: true });
    await memory.call(args, "p").result();
    memory.face.approve(memory.face.only());
    await expect.poll(() => memory.face.waiting()).toEqual([]);
    const { onCall } = memory.upstream;
    memory.upstream.onCall = null;
    const call = memory.call(args, "q");
    const { id } = await memory.upstream.wire.firstOf("tools/call");
    memory.gate.lostOne(id as string | number, "It could not be reached.", isUnsent);
    expect(refusalIn(await call.result())).toMatchObject({ code });
    expect(effects(memory).at(-1)).toBe(isUnsent ? "not_started" : "unknown");
    memory.upstream.onCall = onCall;
    const next = memory.call(args, "r");
    if (!isUnsent)
      await waitingProgress(memory.client, "r").then(() => memory.face.approve(memory.face.only()));
    expect(await next.result()).toEqual(done);
  });

  test("is spent where the server ended while the call ran", async () => {
    const memory = await openGateIn("2025-11-25", { ...noDialog, hold: 1 });
    const held = memory.call(args, "p");
    await held.result();
    memory.face.approve(memory.face.only());
    await expect.poll(() => memory.face.waiting()).toEqual([]);
    memory.upstream.onCall = null;
    const call = memory.call(args, "q");
    await memory.upstream.wire.firstOf("tools/call");
    await memory.ends();
    expect(refusalIn(await call.result())).toMatchObject({ code: "indeterminate_outcome" });
    const next = await openGateIn("2025-11-25", { ...noDialog, places: memory });
    next.call(args, "r");
    await waitingProgress(next.client, "r");
    expect(next.upstream.calls).toEqual([]);
  });
});

test("a call that asks too often says what to do, and one that joins what waits is none", async () => {
  // On a busy machine so much passes on a clock that runs that there is room again.
  const memory = await openGateIn("2025-11-25", { ...noDialog, clock: new PatientClock() });
  const numbers = Array.from({ length: 30 }, (_, number) => number);
  for (const number of numbers) memory.call({ number }, `p${number}`);
  await Promise.all(numbers.map((number) => waitingProgress(memory.client, `p${number}`)));
  const refused = refusalIn(await memory.call(args, "q").result());
  expect(refused).toMatchObject({ code: "rate_limited", retryable: true });
  expect(refused).toMatchObject({
    recovery: expect.stringMatching(/and this one again in 1 s/),
  });
  // What waits already may be asked again.
  memory.call({ number: 0 }, "r");
  await waitingProgress(memory.client, "r");
});
