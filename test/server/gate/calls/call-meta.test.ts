/** What a client puts beside the arguments of a call: shown, bound and sent as one, where it is not the protocol's own. */
import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../../../src/broker/request/request.js";
import { metaShown } from "../../../../src/server/gate/calls/call-meta.js";
import { approval, readAtOnce } from "../../../support/mcp-server.js";
import { type MemoryGate, openGateIn } from "../../../support/memory-gate.js";
import { PatientClock } from "../../../support/patient-clock.js";
import { done } from "../../../support/scripted-upstream.js";

const given = { path: "/work/a", content: "new" };
const wanted = { "vendor/confirm": { deleteEverything: true } };

/** A client of the 2025 era calls with this beside the arguments; no dialog unless `has` says so. */
function callWith(memory: MemoryGate, meta: Readonly<Record<string, unknown>>): number {
  return memory.client.call("write_file", given, meta);
}

/** Answers what waits for this call with a yes of `scope`, and waits until it was sent. */
async function approve(memory: MemoryGate, call: number, scope: "once" | "session"): Promise<void> {
  await expect.poll(() => memory.face.waiting().length).toBe(1);
  memory.face.approve(memory.face.only(), { scope });
  expect(await memory.client.resultOf(call)).toEqual(done);
}

function metaOf({ subject }: ApprovalRequest): unknown {
  return subject.type === "tool" ? subject.meta : null;
}

describe("a yes", () => {
  test("for the session lets no call through that carries something else beside its arguments", async () => {
    const memory = await openGateIn("2025-11-25", { capabilities: {} });
    await approve(memory, callWith(memory, {}), "session");
    const other = callWith(memory, wanted);
    await expect.poll(() => memory.face.waiting().length).toBe(1);
    expect(metaOf(memory.face.only())).toEqual(wanted);
    memory.face.approve(memory.face.only());
    expect(await memory.client.resultOf(other)).toEqual(done);
    expect(memory.upstream.calls.at(-1)?.params).toMatchObject({ _meta: wanted });
    expect(await memory.client.resultOf(callWith(memory, {}))).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(3);
  });

  test("for the session to a call that carries something counts for the same again", async () => {
    const memory = await openGateIn("2025-11-25", { capabilities: {} });
    await approve(memory, callWith(memory, wanted), "session");
    const again = callWith(memory, { progressToken: 7, ...wanted });
    expect(await memory.client.resultOf(again)).toEqual(done);
    await approve(memory, callWith(memory, { "vendor/confirm": { deleteEverything: false } }), "once");
    expect(memory.upstream.calls).toHaveLength(3);
  });

  test("joins no calls that differ in it: each is a question of its own", async () => {
    const memory = await openGateIn("2025-11-25", { capabilities: {} });
    const [plain, other] = [callWith(memory, {}), callWith(memory, wanted)];
    await expect.poll(() => memory.face.waiting().length).toBe(2);
    for (const request of memory.face.waiting()) memory.face.approve(request);
    expect([await memory.client.resultOf(plain), await memory.client.resultOf(other)]).toEqual([done, done]);
  });

  test("that was kept for a call goes to none that carries something else", async () => {
    const clock = new PatientClock();
    const memory = await openGateIn("2025-11-25", { capabilities: {}, clock });
    const held = callWith(memory, {});
    await expect.poll(() => memory.face.waiting().length).toBe(1);
    clock.advance(45_000);
    expect(await memory.client.resultOf(held)).toMatchObject({ isError: true });
    memory.face.approve(memory.face.only());
    await expect.poll(() => memory.face.waiting()).toEqual([]);
    const other = callWith(memory, wanted);
    await expect.poll(() => memory.face.waiting().length).toBe(1);
    expect(memory.upstream.calls).toEqual([]);
    memory.face.deny(memory.face.only());
    expect(await memory.client.resultOf(other)).toMatchObject({ isError: true });
    expect(await memory.client.resultOf(callWith(memory, { progressToken: "t" }))).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
  });

  test("in the client's dialog was shown it", async () => {
    const memory = await openGateIn("2025-11-25", { config: readAtOnce });
    const call = callWith(memory, wanted);
    const dialog = await memory.client.firstOf("elicitation/create");
    expect(dialog.params?.message).toContain('_meta {"vendor/confirm":{"deleteEverything":true}}');
    memory.client.answer(dialog, approval);
    expect(await memory.client.resultOf(call)).toEqual(done);
  });
});

test("a call whose `_meta` is no object is refused where it asks, and a good one is asked about", async () => {
  const memory = await openGateIn("2025-11-25", { capabilities: {} });
  const params = { name: "write_file", arguments: given, _meta: ["delete everything"] };
  const refused = await memory.client.resultOf(memory.client.request("tools/call", params));
  expect(refused).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "invalid_input" } } });
  expect(memory.upstream.calls).toEqual([]);
  await approve(memory, callWith(memory, {}), "once");
});

describe("what is shown of `_meta`", () => {
  const shownOf = (_meta: unknown) => metaShown({ name: "t", _meta });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["no keys", {}],
    ["a token for progress", { progressToken: "a token of any form" }],
    ["a token that is a number", { progressToken: 7 }],
    [
      "a trace",
      { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "a=1" },
    ],
    ["the protocol's own", { "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" } }],
    [
      "baggage",
      {
        baggage: "userId=alice, serverNode=DF%2028;a=1;b,k=",
        tracestate: "rojo=00f067aa0ba902b7, t@v=a:b/c",
      },
    ],
    [
      "the envelope of the 2026 era",
      {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      },
    ],
    ["the ids of Claude Code", { "claudecode/toolUseId": "toolu_01Abc" }],
    ["the ids of VS Code", { "vscode.conversationId": "4bba-a913", "vscode.requestId": "4578b866-66a0" }],
    [
      "what Codex says of its turn",
      { "x-codex-turn-metadata": { turn_id: "t1" }, threadId: "t", callId: "c" },
    ],
    ["the ids of OpenCode", { "ai.opencode/sessionID": "ses_1" }],
    ["the ids of Antigravity", { "antigravity.google/conversation_id": "c1" }],
  ])("is nothing where it is %s", (_what, meta) => {
    expect(shownOf(meta)).toBe(null);
  });

  test.each([
    ["a key that nobody knows", { "vendor/confirm": true }],
    ["a known key in another case", { ProgressToken: 1 }],
    ["a known key with a blank", { "progressToken ": 1 }],
    ["a token that is no token", { progressToken: { deleteEverything: true } }],
    ["a token of any length", { progressToken: "t".repeat(513) }],
    ["a trace of words", { traceparent: "do it in /etc" }],
    ["the state of a trace in words", { tracestate: "delete it all" }],
    ["a state with an end that is none", { tracestate: "a=1," }],
    ["a state of any length", { tracestate: `a=${"1".repeat(511)}` }],
    ["baggage in words", { baggage: "delete=everything in /etc" }],
    ["baggage of any length", { baggage: `a=${"1".repeat(511)}` }],
    [
      "a key of the protocol's that it does not define",
      { "io.modelcontextprotocol/vendor": { deleteAll: 1 } },
    ],
    ["a version in words", { "io.modelcontextprotocol/protocolVersion": "delete" }],
    ["a client of any length", { "io.modelcontextprotocol/clientInfo": { name: "a".repeat(8_192) } }],
    ["a key that begins as ours do", { "wisp/x": "delete everything" }],
    ["a trace that is no text", { traceparent: ["x"] }],
    ["an id with words in it", { "claudecode/toolUseId": "delete it all" }],
    ["an id of any length", { threadId: "a".repeat(129) }],
    ["an id that is no text", { "vscode.requestId": { confirm: true } }],
    ["a turn of any length", { "x-codex-turn-metadata": { text: "a".repeat(8_192) } }],
    ["a turn that is a text", { "x-codex-turn-metadata": "confirm" }],
    ["a prefix that only looks like the protocol's", { "io.modelcontextprotocolx/a": 1 }],
  ])("is %s", (_what, meta) => {
    expect(shownOf({ ...meta, "io.modelcontextprotocol/logLevel": "info" })).toEqual(meta);
  });
});
