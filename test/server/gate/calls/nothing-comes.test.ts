/** Calls of which nothing comes though nobody said no: the server is gone, is silent, or has no such tool. */
import { expect, test } from "vitest";
import { createPins } from "../../../../src/server/gate/state/gate-pins.js";
import { revisions } from "../../../support/era-call.js";
import { makePlaces } from "../../../support/mcp-server.js";
import { type MemoryGate, type MemoryGateOptions, openGateIn } from "../../../support/memory-gate.js";
import { memoryPins } from "../../../support/memory-pins.js";
import { PatientClock } from "../../../support/patient-clock.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import type { Message } from "../../../support/raw-client.js";
import { done, readFile, writeFile } from "../../../support/scripted-upstream.js";
import { upstreamLine } from "../../../support/upstream-line.js";

/** A gate that lets every tool through. */
async function openGate(
  revision: (typeof revisions)[number] = "2025-11-25",
  options: MemoryGateOptions = {},
) {
  const places = makePlaces();
  await acceptPolicy(places.home, { allow: ["mcp__fs__*"] });
  return await openGateIn(revision, { places, ...options });
}

/** The error that ends a call, which stands in the message and not in a result. */
async function errorOf({ client }: MemoryGate): Promise<Message["error"]> {
  return (await client.first(({ error }) => error !== undefined)).error;
}

test.each(revisions)("a call that runs when the server ends is answered -32000 (%s)", async (revision) => {
  const memory = await openGate(revision);
  memory.upstream.onCall = null;
  memory.call({ path: "/a" }, "p");
  await memory.upstream.wire.firstOf("tools/call");
  await memory.ends();
  expect(await errorOf(memory)).toEqual({ code: -32_000, message: "The server ended before it answered." });
  expect(memory.client.received.filter(({ error }) => error !== undefined)).toHaveLength(1);
});

test("a call that could not be handed over any more says that nothing ran", async () => {
  const memory = await openGate();
  expect(await memory.call({}, "p").result()).toEqual(done);
  memory.upstream.isGone = true;
  memory.call({}, "q");
  expect(await errorOf(memory)).toEqual({
    code: -32_000,
    message: "The server could not be reached; nothing ran.",
  });
});

test.each([
  ["no such tool", [readFile]],
  ["two of that name", [writeFile, readFile, { ...writeFile, description: "Deletes a file." }]],
])("a tool of which the server lists %s is not called", async (_, tools) => {
  const memory = await openGate();
  memory.upstream.tools = tools;
  memory.call({}, "p");
  expect(await errorOf(memory)).toEqual({
    code: -32_602,
    message: "The server lists no tool write_file, or several of that name; nothing was forwarded.",
  });
  expect(memory.upstream.calls).toEqual([]);
  expect(await memory.call({}, "q", "read_file").result()).toEqual(done);
});

test("a server that never lists its tools is waited for 30 s, and asked again by the next call", async () => {
  const clock = new PatientClock();
  const memory = await openGate("2025-11-25", { clock });
  memory.upstream.isSilent = true;
  const call = memory.call({}, "p");
  await memory.upstream.wire.firstOf("tools/list");
  clock.advance(29_999);
  expect(call.hasEnded()).toBe(false);
  clock.advance(1);
  expect(await call.result()).toMatchObject({
    isError: true,
    _meta: { "wisp/refusal": { code: "upstream_unavailable", retryable: true } },
  });
  memory.upstream.isSilent = false;
  expect(await memory.call({}, "q").result()).toEqual(done);
});

test("a server that lists page after page without an end is waited for 30 s in all", async () => {
  const clock = new PatientClock();
  const memory = await openGate("2025-11-25", { clock });
  memory.upstream.isSilent = true;
  const call = memory.call({}, "p");
  const asked = () =>
    memory.upstream.lines.map((line) => JSON.parse(line)).filter(({ method }) => method === "tools/list");
  for (let page = 1; page <= 3; page += 1) {
    await expect.poll(() => asked().length).toBe(page);
    clock.advance(9_000);
    const result = { tools: [], nextCursor: `${page}` };
    memory.gate.fromUpstream(
      ...upstreamLine(JSON.stringify({ jsonrpc: "2.0", id: asked().at(-1).id, result })),
    );
  }
  await expect.poll(() => asked().length).toBe(4);
  clock.advance(2_999);
  expect(call.hasEnded()).toBe(false);
  clock.advance(1);
  expect(await call.result()).toMatchObject({ _meta: { "wisp/refusal": { code: "upstream_unavailable" } } });
  memory.upstream.isSilent = false;
  expect(await memory.call({}, "q").result()).toEqual(done);
});

test("a fault of the gate's own forwards nothing, says so, and the next call works", async () => {
  const pins = createPins(memoryPins());
  const faults = [new RangeError("out of \u001b[2Jbounds")];
  const memory = await openGate("2025-11-25", {
    pins: {
      ...pins,
      async pin(...about) {
        const [fault] = faults.splice(0);
        if (fault !== undefined) throw fault;
        await pins.pin(...about);
      },
    },
  });
  memory.call({}, "p");
  expect(await errorOf(memory)).toEqual({
    code: -32_603,
    message: "A fault of the gate's own: out of \\u{1b}[2Jbounds",
  });
  expect(memory.upstream.calls).toEqual([]);
  expect(await memory.call({}, "q").result()).toEqual(done);
});

test("a message that is refused is written down with the reason, and never with what was in it", async () => {
  const memory = await openGate();
  memory.gate.fromClient(Buffer.from('[{"method":"tools/call","secret":1}]\n'));
  memory.gate.refuseLine("a message has at most 10 bytes, not 11");
  expect(await memory.call({}, "p").result()).toEqual(done);
  await memory.gate.close("the test looks at the log");
  const refused = memory.face.audit().filter(({ kind }) => kind === "frame.refused");
  expect(refused).toMatchObject([
    {
      verified: { server: "fs" },
      details: { why: "a batch of messages is not taken; send them one by one" },
    },
    { verified: { server: "fs" }, details: { why: "a message has at most 10 bytes, not 11" } },
  ]);
  expect(JSON.stringify(memory.face.audit())).not.toContain("secret");
});
