/** Calls that wait for a person: how many bytes of them a gate holds. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Subject } from "../../../../src/broker/request/request.js";
import { createActs } from "../../../../src/server/gate/calls/acts.js";
import { createHeld } from "../../../../src/server/gate/calls/held.js";
import type { Revision } from "../../../support/era-call.js";
import { FakeClock } from "../../../support/fake-clock.js";
import { gateBeforeFiles } from "../../../support/gate-before-files.js";
import { waitingProgress } from "../../../support/mcp-server.js";
import { type MemoryGateOptions, openGateIn } from "../../../support/memory-gate.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import { done } from "../../../support/scripted-upstream.js";

const mebibyte = 1_024 * 1_024;

test("there is room for 32 MiB, for one alone that is larger, and again for what was over once", () => {
  const held = createHeld();
  const over = held.take(31 * mebibyte);
  const last = held.take(mebibyte / 2);
  expect(held.take(mebibyte / 2)).toBeNull();
  over?.();
  over?.();
  expect(held.take(32 * mebibyte)).toBeNull();
  last?.();
  const large = held.take(100 * mebibyte);
  expect(large).not.toBeNull();
  expect(held.take(1)).toBeNull();
  large?.();
  expect(held.take(1)).not.toBeNull();
});

test("many that are short are not without end, either", () => {
  const held = createHeld();
  const taken = Array.from({ length: 2_047 }, () => held.take(1));
  expect(taken).not.toContain(null);
  expect(held.take(1)).toBeNull();
  taken[0]?.();
  expect(held.take(1)).not.toBeNull();
});

test("what waits for others to be answered is crowded by thirty, and by 32 MiB, and not by one alone", () => {
  const crowding = (sizes: readonly number[]) => {
    const acts = createActs(new FakeClock());
    acts.begin("beside");
    for (const bytes of sizes) void acts.wait("alone", new AbortController().signal, bytes);
    return acts;
  };
  expect(crowding([]).isCrowded(100 * mebibyte)).toBe(false);
  expect(crowding([20 * mebibyte]).isCrowded(12 * mebibyte)).toBe(false);
  expect(crowding([20 * mebibyte]).isCrowded(12 * mebibyte + 1)).toBe(true);
  expect(crowding(new Array<number>(29).fill(1)).isCrowded(1)).toBe(false);
  expect(crowding(new Array<number>(30).fill(1)).isCrowded(1)).toBe(true);
});

test("a call that there is no room for is refused, says what to do, and is asked about once there is", async () => {
  const { memory, look } = await lookingGate("2025-11-25");
  const { client, face, gate, upstream } = memory;
  /** Long as it was written: what is long in its arguments fits into no request. */
  const longCall = (id: number): number => {
    const params = { name: "write_file", arguments: { path: `/${id}` }, _meta: { progressToken: `${id}` } };
    const call = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
    gate.fromClient(Buffer.from(`${call}${" ".repeat(11 * mebibyte)}\n`));
    return id;
  };
  const first = longCall(101);
  const second = longCall(102);
  await client.roundTrip();
  expect(await client.resultOf(longCall(103))).toMatchObject({
    isError: true,
    content: [
      {
        text: "Refused: the calls that wait for a person are as large as the gate holds; nobody was asked about this and nothing ran. Make it again once some of them are answered, or make it smaller.",
      },
    ],
    _meta: { "wisp/refusal": { code: "rate_limited", retryable: true } },
  });
  look();
  const approved = async (id: number): Promise<void> => {
    await waitingProgress(client, `${id}`);
    face.approve(face.waiting().find(({ subject }) => isOf(subject, `/${id}`)) ?? face.only());
    expect(await client.resultOf(id)).toEqual(done);
  };
  await approved(first);
  await approved(longCall(104));
  await approved(second);
  expect(upstream.calls).toHaveLength(3);
});

test("what is refused is told why, however much waits, and is written down", async () => {
  const { memory, look } = await lookingGate("2025-11-25");
  const { client, face, gate, home } = memory;
  await acceptPolicy(home, { deny: [{ rule: "mcp__fs__read_file", reason: "not today" }] });
  const send = (id: number, name: string, more: object, blanks: number): number => {
    const params = { name, arguments: { path: `/${id}` }, _meta: { progressToken: `${id}` }, ...more };
    const call = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
    gate.fromClient(Buffer.from(`${call}${" ".repeat(blanks)}\n`));
    return id;
  };
  const waiting = send(101, "write_file", {}, 33 * mebibyte);
  await client.roundTrip();
  look();
  await waitingProgress(client, "101");
  const codeOf = async (id: number): Promise<unknown> => (await client.resultOf(id))._meta;
  expect(await codeOf(send(102, "read_file", {}, 0))).toMatchObject({
    "wisp/refusal": { code: "policy_refused" },
  });
  expect(await codeOf(send(103, "write_file", { task: { ttl: 1 } }, 0))).toMatchObject({
    "wisp/refusal": { code: "invalid_input" },
  });
  expect(await codeOf(send(104, "write_file", {}, 0))).toMatchObject({
    "wisp/refusal": { code: "rate_limited" },
  });
  expect(
    face.audit().filter(({ kind, details }) => kind === "policy.judged" && details.verdict === "deny"),
  ).toHaveLength(2);
  face.approve(face.only());
  expect(await client.resultOf(waiting)).toEqual(done);
});

test("what is written behind more than 32 MiB that waits for others to be answered waits, too", async () => {
  const { client, directory, gate, home, upstream } = await gateBeforeFiles();
  await acceptPolicy(home, { allow: ["mcp__fs__write_file"] });
  upstream.tools = [{ name: "write_file" }];
  upstream.onCall = null;
  for (const id of [101, 102, 103, 104]) {
    const params = { name: "write_file", arguments: { path: join(directory, `${id}`), content: "" } };
    const call = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
    gate.fromClient(Buffer.from(`${call}${" ".repeat(11 * mebibyte)}\n`));
  }
  const ping = client.request("ping", {});
  for (const [index, id] of [101, 102, 103, 104].entries()) {
    await expect.poll(() => upstream.calls.length).toBe(index + 1);
    upstream.says(JSON.stringify({ jsonrpc: "2.0", id, result: done }));
  }
  await client.resultOf(ping);
  const arrived = upstream.lines.map((line) => JSON.parse(line).id);
  expect(arrived.slice(-5)).toEqual([101, 102, 103, 104, ping]);
});

/** A gate whose first look at what is to be shown waits for `look`. */
async function lookingGate(revision: Revision, options: MemoryGateOptions = {}) {
  let look: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  const memory = await openGateIn(revision, {
    ...{ capabilities: {}, ...options },
    states: () => ({
      async look() {
        await looked;
        return null;
      },
      preview: async () => ({ files: [], notes: [] }),
    }),
  });
  return { memory, look };
}

function isOf(subject: Subject, path: string): boolean {
  return subject.type === "tool" && subject.arguments.path === path;
}
