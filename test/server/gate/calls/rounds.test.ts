/** Calls of the 2026 era in which the server behind the gate asks for more before it answers. */
import { describe, expect, test } from "vitest";
import { waitingProgress } from "../../../support/mcp-server.js";
import {
  gatedServer,
  type MemoryGate,
  type MemoryGateOptions,
  openGateIn,
} from "../../../support/memory-gate.js";
import { envelope, sendLeg } from "../../../support/modern-client.js";
import { acceptPolicy, writePolicy } from "../../../support/policy-files.js";
import { done } from "../../../support/scripted-upstream.js";

const args = { path: "/work/a" };
const tool = "write_file";
const inputRequests = { r1: { method: "elicitation/create", params: { message: "which?" } } };
const responses = { r1: { action: "accept", content: {} } };
const invalidState = { code: -32_602, data: { reason: "invalid_request_state" } };

/** A call that was approved, and whose server asks for more, with the state that the client got. */
async function begun(own: string | null = "upstream-state", limits: MemoryGateOptions["limits"] = {}) {
  const memory = await openGateIn("2026-07-28", { capabilities: {}, limits });
  memory.upstream.onCall = () => ({
    resultType: "input_required",
    inputRequests,
    ...(own !== null && { requestState: own }),
  });
  const id = sendLeg(memory.client, { args, tool, progressToken: "p" });
  await waitingProgress(memory.client);
  memory.face.approve(memory.face.only());
  const result = await memory.client.resultOf(id);
  expect(result).toMatchObject({ resultType: "input_required", inputRequests });
  memory.upstream.onCall = () => done;
  return { ...memory, memory, state: String(result.requestState) };
}

function lastSent({ upstream }: Pick<MemoryGate, "upstream">) {
  return upstream.calls.at(-1)?.params;
}

describe("the next round of an approved call", () => {
  test.each([
    ["a state", "upstream-state"],
    ["a state that is empty", ""],
    ["a state like one of ours", "wisp:000000000000:v1.x.y"],
    ["no state", null],
  ])("goes on without asking, with what the server gave: %s", async (_what, own) => {
    const { client, face, memory, state } = await begun(own);
    if (own) expect(state).not.toBe(own);
    expect(await client.resultOf(sendLeg(client, { args, tool, state, responses }))).toEqual(done);
    expect(face.waiting()).toEqual([]);
    const sent = lastSent(memory);
    expect(sent).toMatchObject({ name: tool, arguments: args, inputResponses: responses });
    expect(sent?.requestState).toBe(own ?? undefined);
  });

  test("may ask for more again", async () => {
    const { client, upstream, state } = await begun();
    upstream.onCall = () => ({ resultType: "input_required", inputRequests, requestState: "second" });
    const again = await client.resultOf(sendLeg(client, { args, tool, state, responses }));
    upstream.onCall = () => done;
    const next = String(again.requestState);
    expect(await client.resultOf(sendLeg(client, { args, tool, state: next, responses }))).toEqual(done);
    expect(upstream.calls.at(-1)?.params?.requestState).toBe("second");
    expect(upstream.calls).toHaveLength(3);
  });

  test.each<[what: string, change: (state: string) => unknown, leg: object]>([
    ["with other arguments", (state) => state, { args: { path: "/work/b" } }],
    ["of another tool", (state) => state, { tool: "read_file" }],
    ["by another client", (state) => state, { name: "another" }],
    ["with a state that was changed", (state) => `${state.slice(0, -4)}AAAA`, {}],
    ["with a state without its proof", (state) => state.slice(0, state.lastIndexOf(".")), {}],
  ])("%s is refused before anything is sent, and the right one still goes on", async (_what, change, leg) => {
    const { client, upstream, state } = await begun();
    const wrong = sendLeg(client, { args, tool, state: change(state), responses, ...leg });
    expect((await client.responseTo(wrong)).error).toMatchObject(invalidState);
    expect(upstream.calls).toHaveLength(1);
    expect(await client.resultOf(sendLeg(client, { args, tool, state, responses }))).toEqual(done);
    expect(upstream.calls).toHaveLength(2);
  });

  test("goes on once by one state", async () => {
    const { client, upstream, state } = await begun();
    expect(await client.resultOf(sendLeg(client, { args, tool, state, responses }))).toEqual(done);
    const second = sendLeg(client, { args, tool, state, responses });
    expect((await client.responseTo(second)).error).toMatchObject(invalidState);
    expect(upstream.calls).toHaveLength(2);
  });
});

test("a later round waits while as many calls are with the server as may be, and is refused by what was denied meanwhile", async () => {
  const { client, face, home, upstream, state } = await begun("own", { maxConcurrentWrites: 1 });
  const allow = ["mcp__fs__read_file"];
  await acceptPolicy(home, { allow });
  upstream.onCall = ({ params }) => (params?.name === "read_file" ? done : null);
  const other = sendLeg(client, { args: { path: "/work/b" }, tool, progressToken: "q", capabilities: {} });
  await waitingProgress(client, "q");
  face.approve(face.only());
  await expect.poll(() => upstream.calls.length).toBe(2);
  const round = sendLeg(client, { args, tool, state, responses });
  // It is judged behind the round, and so is all that is sent after it.
  for (let count = 0; count < 5; count += 1)
    expect(await client.resultOf(sendLeg(client, { args, tool: "read_file" }))).toEqual(done);
  const writes = () => upstream.calls.filter(({ params }) => params?.name === tool);
  expect(writes()).toHaveLength(2);
  writePolicy(home, { allow, deny: [{ rule: "mcp__fs__write_file", reason: "not today" }] });
  upstream.says(JSON.stringify({ jsonrpc: "2.0", id: writes()[1]?.id, result: done }));
  expect(await client.resultOf(other)).toEqual(done);
  expect(await client.resultOf(round)).toMatchObject({
    content: [{ text: expect.stringContaining("not today") }],
    _meta: { "wisp/refusal": { code: "policy_refused" } },
  });
  expect(writes()).toHaveLength(2);
  expect(await client.resultOf(sendLeg(client, { args, tool: "read_file" }))).toEqual(done);
});

test("a later round waits for the answer to a call that rests on a look", async () => {
  const { client, home, upstream, state } = await begun();
  const looking = { rule: "mcp__fs__read_file", state: { paths: ["$.path"] } };
  await acceptPolicy(home, { allow: [looking] });
  upstream.onCall = null;
  const alone = sendLeg(client, { args: { path: "/work/b" }, tool: "read_file" });
  await expect.poll(() => upstream.calls.length).toBe(2);
  const round = sendLeg(client, { args, tool, state, responses });
  // Each is answered after the round has used its state, and then stands in the log, behind it if that went on.
  expect((await client.responseTo(sendLeg(client, { args, tool, state }))).error).toMatchObject(invalidState);
  for (let count = 0; count < 25; count += 1) {
    const task = { name: tool, arguments: args, task: { ttl: count }, _meta: envelope() };
    expect(await client.resultOf(client.request("tools/call", task))).toMatchObject({ isError: true });
  }
  expect(upstream.calls).toHaveLength(2);
  const answer = (index: number): void =>
    upstream.says(JSON.stringify({ jsonrpc: "2.0", id: upstream.calls[index]?.id, result: done }));
  answer(1);
  expect(await client.resultOf(alone)).toEqual(done);
  await expect.poll(() => upstream.calls.length).toBe(3);
  answer(2);
  expect(await client.resultOf(round)).toEqual(done);
});

test("a later round goes on however much waits for a person meanwhile: it waits for nobody", async () => {
  const { client, face, memory, state } = await begun();
  const params = {
    name: tool,
    arguments: { path: "/work/b" },
    _meta: { ...envelope({ capabilities: {} }), progressToken: "q" },
  };
  const call = JSON.stringify({ jsonrpc: "2.0", id: 901, method: "tools/call", params });
  memory.gate.fromClient(Buffer.from(`${call}${" ".repeat(33 * 1_024 * 1_024)}\n`));
  await waitingProgress(client, "q");
  expect(await client.resultOf(sendLeg(client, { args, tool, state, responses }))).toEqual(done);
  face.approve(face.only());
  expect(await client.resultOf(901)).toEqual(done);
});

test("a state is one of every process of its gate, and for another server's gate it is the server's own", async () => {
  const { memory, state } = await begun();
  await memory.gate.close("its process ends");
  await acceptPolicy(memory.home, { allow: ["mcp__fs__write_file"] });
  const places = { ...memory, remove: () => undefined };
  const other = { ...gatedServer, hash: "07".repeat(32) };
  const behind = await openGateIn("2026-07-28", { places, server: other });
  expect(await behind.client.resultOf(sendLeg(behind.client, { args, tool, state, responses }))).toEqual(
    done,
  );
  expect(lastSent(behind)).toMatchObject({ requestState: state, inputResponses: responses });
  const next = await openGateIn("2026-07-28", { places });
  expect(await next.client.resultOf(sendLeg(next.client, { args, tool, state, responses }))).toEqual(done);
  expect(lastSent(next)).toMatchObject({ requestState: "upstream-state" });
});

describe("a call that nobody is asked about", () => {
  test("has its state passed both ways as it is", async () => {
    const memory = await openGateIn("2026-07-28");
    await acceptPolicy(memory.home, { allow: ["mcp__fs__write_file"] });
    const { client, upstream } = memory;
    upstream.onCall = () => ({ resultType: "input_required", inputRequests, requestState: "own" });
    const first = await client.resultOf(sendLeg(client, { args, tool }));
    expect(first.requestState).toBe("own");
    upstream.onCall = () => done;
    expect(await client.resultOf(sendLeg(client, { args, tool, state: "own", responses }))).toEqual(done);
    expect(lastSent(memory)).toMatchObject({ requestState: "own", inputResponses: responses });
  });
});

describe("a call that asks", () => {
  const own = { action: "accept", content: { all: true } };

  test.each<[what: string, more: Readonly<Record<string, unknown>>]>([
    ["answers to what the server may ask", { inputResponses: { r1: own } }],
    ["a state of the server's own", { requestState: "own" }],
    ["a task", { task: { ttl: 1 } }],
    ["what nobody knows", { options: { all: true } }],
  ])("is refused with %s, also by a yes for the session; without it passes", async (_what, more) => {
    const { client, upstream, face } = await openGateIn("2026-07-28", { capabilities: {} });
    const send = (extra: object, progressToken = "q"): number =>
      client.request("tools/call", {
        ...{ name: tool, arguments: args, ...extra },
        _meta: { ...envelope({ capabilities: {} }), progressToken },
      });
    const first = send({}, "p");
    await waitingProgress(client, "p");
    face.approve(face.only(), { scope: "session" });
    expect(await client.resultOf(first)).toEqual(done);
    const refused = await client.resultOf(send(more));
    expect(refused).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "invalid_input" } } });
    expect(upstream.calls).toHaveLength(1);
    expect(await client.resultOf(send({}))).toEqual(done);
    expect(face.waiting()).toEqual([]);
  });

  test("is refused where a round of it brings what its beginning did not; without it goes on", async () => {
    const { client, upstream, state } = await begun();
    const send = (more: object): number =>
      client.request("tools/call", {
        ...{ name: tool, arguments: args, requestState: state, inputResponses: responses, ...more },
        _meta: envelope(),
      });
    expect(await client.resultOf(send({ task: { ttl: 1 } }))).toMatchObject({ isError: true });
    expect(upstream.calls).toHaveLength(1);
    expect(await client.resultOf(send({}))).toEqual(done);
  });
});
