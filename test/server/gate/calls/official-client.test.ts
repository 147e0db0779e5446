/**
 * Clients of both versions of the SDK, which throw for a result that does not fit the output schema of its tool; the second also
 * speaks the 2026 era, and throws there for a result that does not say what it is.
 */
import { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { openGate } from "../../../../src/server/gate/gate.js";
import { openFace } from "../../../support/face.js";
import { makePlaces } from "../../../support/mcp-server.js";
import { memoryGateParts } from "../../../support/memory-gate.js";
import { PatientClock } from "../../../support/patient-clock.js";
import { writePolicy } from "../../../support/policy-files.js";
import { ScriptedUpstream } from "../../../support/scripted-upstream.js";
import { upstreamLine } from "../../../support/upstream-line.js";

const outputSchema = { type: "object", properties: { count: { type: "number" } }, required: ["count"] };
const counted = { content: [{ type: "text", text: "3" }], structuredContent: { count: 3 } };

interface Caller {
  /** Connects, and lists the tools: from then on it checks every result against the schema of its tool. */
  readonly connect: (transport: Transport) => Promise<unknown>;
  readonly call: (name: string, count: number, onTold?: (message: unknown) => void) => Promise<object>;
}

function v1(): Caller {
  const client = new ClientV1({ name: "v1", version: "1" });
  return {
    connect: async (transport) => {
      await client.connect(transport);
      await client.listTools();
    },
    call: (name, count, onTold = () => undefined) =>
      client.callTool({ name, arguments: { count } }, undefined, {
        onprogress: ({ message }) => onTold(message),
      }),
  };
}

const v2 = (mode: "legacy" | { readonly pin: string }) => (): Caller => {
  const client = new Client({ name: "v2", version: "2" }, { versionNegotiation: { mode } });
  return {
    connect: async (transport) => {
      await client.connect(transport as Parameters<Client["connect"]>[0]);
      await client.listTools();
    },
    call: (name, count, onTold = () => undefined) =>
      client.callTool({ name, arguments: { count } }, { onprogress: ({ message }) => onTold(message) }),
  };
};

/** Such a client in front of a gate, whose tools promise a count. */
async function connected(caller: Caller) {
  const places = makePlaces();
  const clock = new PatientClock();
  const upstream = new ScriptedUpstream((line) =>
    setImmediate(() => gate.fromUpstream(...upstreamLine(line))),
  );
  upstream.tools = ["count", "wipe"].map((name) => ({ name, inputSchema: { type: "object" }, outputSchema }));
  upstream.onCall = () => ({ ...counted, resultType: "complete" });
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    async send(message) {
      setImmediate(() => gate.fromClient(Buffer.from(`${JSON.stringify(message)}\n`)));
    },
  };
  const gate = openGate({
    ...memoryGateParts(places, { clock, hold: 15, config: { approval: { timeoutSeconds: 20 } } }, []),
    toClient: (line) => setImmediate(() => transport.onmessage?.(JSON.parse(line.toString()))),
    toUpstream: (line) => upstream.take(line),
  });
  writePolicy(places.home, { deny: ["mcp__fs__wipe"] });
  onTestFinished(async () => {
    await gate.close("the test is over");
    places.remove();
  });
  await caller.connect(transport);
  const face = openFace(places.home);
  const call = (name: string, count = 1) => caller.call(name, count);
  /** Calls, does `then` once somebody is asked, and gives the code of the refusal. */
  async function refusal(then: () => unknown, count = 1): Promise<unknown> {
    const told: unknown[] = [];
    const called = caller.call("count", count, (message) => told.push(message));
    await expect.poll(() => told.join()).toContain("wisp approvals approve");
    await then();
    return codeOf(await called);
  }
  return { upstream, clock, face, call, refusal };
}

function codeOf(result: object): unknown {
  expect(result).toMatchObject({ isError: true });
  expect(result).not.toHaveProperty("structuredContent");
  const { _meta: { "wisp/refusal": refusal } = {} } = result as {
    readonly _meta?: { readonly "wisp/refusal"?: { readonly code?: unknown } };
  };
  return refusal?.code;
}

describe.each([
  ["v1", v1],
  ["v2 in the 2025 era", v2("legacy")],
  ["v2 in the 2026 era", v2({ pin: "2026-07-28" })],
] as const)("%s", (_name, caller) => {
  test("gets every refusal as a tool error that says what it is, and throws for none", async () => {
    const { call, refusal, face, clock, upstream } = await connected(caller());
    expect(codeOf(await call("wipe"))).toBe("policy_refused");
    expect(await refusal(() => face.deny(face.only()))).toBe("approval_denied");
    expect(await refusal(() => clock.advance(15_000), 2)).toBe("approval_pending");
    // The same call again, until its time is over.
    expect(await refusal(() => clock.advance(5_000), 2)).toBe("approval_timed_out");
    const drifts = (): void => {
      upstream.tools = upstream.tools.map((tool) => ({ ...tool, description: "Counts, and forgets." }));
      face.approve(face.only());
    };
    expect(await refusal(drifts, 3)).toBe("replay_drift");
    expect(upstream.calls).toEqual([]);
    const good = call("count", 4);
    await expect.poll(() => face.waiting().length).toBe(1);
    face.approve(face.only());
    expect(await good).toMatchObject(counted);
  });

  test("gets the server's own error of a tool as it is", async () => {
    const { upstream, face, call } = await connected(caller());
    const failed = { isError: true, content: [{ type: "text", text: "no such file" }] };
    upstream.onCall = () => ({ ...failed, resultType: "complete" });
    const called = call("count");
    await expect.poll(() => face.waiting().length).toBe(1);
    face.approve(face.only());
    expect(await called).toMatchObject(failed);
  });
});
