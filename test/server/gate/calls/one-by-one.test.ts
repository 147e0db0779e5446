/** Calls whose ruling rests on what files are: each waits until what was sent before it is answered. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeClock } from "../../../support/fake-clock.js";
import { gateBeforeFiles, refusalCode } from "../../../support/gate-before-files.js";
import { waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import { done } from "../../../support/scripted-upstream.js";

const both = { allow: ["mcp__fs__move_file", "mcp__fs__write_file"] };

/** A gate whose server answers when the test says so; both tools are allowed unless it says otherwise. */
async function slowly(rules: object = both, clock?: FakeClock) {
  const memory = await gateBeforeFiles(clock === undefined ? {} : { clock });
  await acceptPolicy(memory.home, rules);
  const { upstream, client, directory } = memory;
  upstream.tools = ["write_file", "move_file", "read_text_file"].map((name) => ({ name }));
  upstream.onCall = null;
  const at = (name: string): string => join(directory, name);
  const call = (tool: string, args: object, progressToken: string) => {
    const id = client.call(tool, { ...args }, { progressToken });
    return { id, result: () => client.resultOf(id) };
  };
  const move = (from: string, to: string) =>
    call("move_file", { source: at(from), destination: at(to) }, `to ${to}`);
  const write = (name: string) => call("write_file", { path: at(name), content: "gone" }, name);
  const sent = (): readonly unknown[] => upstream.calls.map(({ params }) => params?.name);
  const reached = (count: number) => expect.poll(() => upstream.calls.length).toBe(count);
  const answer = (index: number): void =>
    upstream.says(JSON.stringify({ jsonrpc: "2.0", id: upstream.calls[index]?.id, result: done }));
  return { ...memory, call, at, move, write, sent, reached, answer, settled: () => client.roundTrip() };
}

test("a write to where a move leads is judged when the move is answered, and asks then", async () => {
  const { move, write, sent, reached, answer, settled, at, face, client } = await slowly();
  writeFileSync(at("w.md"), "months of work");
  const moved = move("w.md", "n.md");
  const written = write("n.md");
  await reached(1);
  await settled();
  expect(sent()).toEqual(["move_file"]);
  writeFileSync(at("n.md"), "months of work");
  answer(0);
  expect(await moved.result()).toEqual(done);
  await waitingProgress(client, "n.md");
  expect(face.only()).toMatchObject({ subject: { preview: [{ kind: "replace" }] } });
  expect(sent()).toEqual(["move_file"]);
  face.approve(face.only());
  await reached(2);
  answer(1);
  expect(await written.result()).toEqual(done);
});

test("of two writes to one new name the second asks once the first is answered", async () => {
  const { write, reached, answer, at, face, client } = await slowly();
  const [first, second] = [write("new.md"), write("new.md")];
  await reached(1);
  writeFileSync(at("new.md"), "first");
  answer(0);
  expect(await first.result()).toEqual(done);
  await waitingProgress(client, "new.md");
  face.deny(face.only());
  expect(refusalCode(await second.result())).toBe("approval_denied");
});

test("a move waits for a write before it, and goes on when that is answered; what reads waits for neither", async () => {
  const { call, move, write, sent, reached, answer, settled, at } = await slowly();
  const written = write("n.md");
  const moved = move("w.md", "m.md");
  const read = call("read_text_file", { path: at("w.md") }, "r");
  await reached(2);
  await settled();
  expect(sent()).toEqual(["write_file", "read_text_file"]);
  answer(1);
  expect(await read.result()).toEqual(done);
  answer(0);
  expect(await written.result()).toEqual(done);
  await reached(3);
  answer(2);
  expect(await moved.result()).toEqual(done);
});

test("a yes is looked at again when a move that was sent before is answered", async () => {
  const { move, write, sent, reached, answer, settled, at, face, client } = await slowly({
    allow: ["mcp__fs__move_file"],
  });
  writeFileSync(at("w.md"), "months of work");
  const written = write("n.md");
  await waitingProgress(client, "n.md");
  const moved = move("w.md", "n.md");
  await reached(1);
  face.approve(face.only());
  await expect.poll(() => face.waiting()).toEqual([]);
  await settled();
  expect(sent()).toEqual(["move_file"]);
  writeFileSync(at("n.md"), "months of work");
  answer(0);
  expect(await moved.result()).toEqual(done);
  expect(refusalCode(await written.result())).toBe("replay_drift");
  expect(sent()).toEqual(["move_file"]);
  const again = write("other.md");
  await waitingProgress(client, "other.md");
  face.approve(face.only());
  await reached(2);
  answer(1);
  expect(await again.result()).toEqual(done);
});

test("nothing that may change files is sent while what a person approved is under way", async () => {
  const { move, write, sent, reached, answer, settled, face, client } = await slowly({
    allow: ["mcp__fs__move_file"],
  });
  const written = write("n.md");
  await waitingProgress(client, "n.md");
  face.approve(face.only());
  await reached(1);
  const moved = move("w.md", "n.md");
  await settled();
  expect(sent()).toEqual(["write_file"]);
  answer(0);
  expect(await written.result()).toEqual(done);
  await reached(2);
  answer(1);
  expect(await moved.result()).toEqual(done);
});

test("a call that waits for a person holds nobody up", async () => {
  const { move, write, reached, answer, face, client } = await slowly({ allow: ["mcp__fs__move_file"] });
  const written = write("n.md");
  await waitingProgress(client, "n.md");
  for (const index of [0, 1]) {
    const moved = move(`w${index}.md`, `m${index}.md`);
    await reached(index + 1);
    answer(index);
    expect(await moved.result()).toEqual(done);
  }
  face.approve(face.only());
  await reached(3);
  answer(2);
  expect(await written.result()).toEqual(done);
});

test("what was cancelled counts until its answer comes; one that waits is cancelled without a word", async () => {
  const { move, write, sent, reached, answer, settled, client } = await slowly();
  const moved = move("w.md", "n.md");
  await reached(1);
  client.notify("notifications/cancelled", { requestId: moved.id });
  const waits = write("a.md");
  const written = write("b.md");
  await settled();
  client.notify("notifications/cancelled", { requestId: waits.id });
  await settled();
  expect(sent()).toEqual(["move_file"]);
  answer(0);
  await reached(2);
  answer(1);
  expect(await written.result()).toEqual(done);
});

test("a server that answers nothing for 30 s has what waits refused, and what comes after its answer goes on", async () => {
  const clock = new FakeClock();
  const { move, write, sent, reached, answer, settled } = await slowly(both, clock);
  const moved = move("w.md", "n.md");
  await reached(1);
  const written = write("n.md");
  await settled();
  clock.advance(29_999);
  await settled();
  clock.advance(1);
  expect(refusalCode(await written.result())).toBe("upstream_unavailable");
  expect(sent()).toEqual(["move_file"]);
  answer(0);
  expect(await moved.result()).toEqual(done);
  const again = write("n.md");
  await reached(2);
  answer(1);
  expect(await again.result()).toEqual(done);
});

test("when the server ends, what waits is answered, and nothing of it is sent", async () => {
  const { move, write, sent, reached, settled, ends, client } = await slowly();
  const moved = move("w.md", "n.md");
  await reached(1);
  const written = write("n.md");
  await settled();
  await ends();
  for (const { id } of [moved, written]) expect((await client.responseTo(id)).error?.code).toBe(-32_000);
  expect(sent()).toEqual(["move_file"]);
});

test("while a write is under way the server asks the client, and is answered before it ends", async () => {
  const { write, reached, answer, upstream, client } = await slowly();
  const [first, second] = [write("a.md"), write("b.md")];
  await reached(1);
  const asked = upstream.wire.request("elicitation/create", { message: "sure?" });
  const question = await client.firstOf("elicitation/create");
  client.answer(question, { action: "accept" });
  expect((await upstream.wire.responseTo(asked)).result).toEqual({ action: "accept" });
  answer(0);
  expect(await first.result()).toEqual(done);
  await reached(2);
  answer(1);
  expect(await second.result()).toEqual(done);
});

test("where a yes is bound to something, nothing that may change it is sent meanwhile; calls that bind nothing stay concurrent", async () => {
  const ask = { rule: "mcp__fs__write_file", state: { paths: ["$.path"] } };
  const memory = await openGateIn("2025-06-18", { capabilities: {} });
  await acceptPolicy(memory.home, {
    ask: [ask],
    allow: ["mcp__fs__act", { rule: "mcp__fs__look", readOnly: true }],
  });
  const { upstream, client, face, work } = memory;
  upstream.tools = ["write_file", "act", "look"].map((name) => ({ name }));
  upstream.onCall = null;
  const begin = (name: string): number =>
    client.call(name, { path: join(work, "f") }, { progressToken: name });
  const sent = (): readonly unknown[] => upstream.calls.map(({ params }) => params?.name);
  const answer = (index: number): void =>
    upstream.says(JSON.stringify({ jsonrpc: "2.0", id: upstream.calls[index]?.id, result: done }));
  const concurrent = [begin("act"), begin("act")];
  await expect.poll(sent).toEqual(["act", "act"]);
  const asks = begin("write_file");
  await client.roundTrip();
  expect(face.waiting()).toEqual([]);
  answer(0);
  answer(1);
  for (const id of concurrent) expect(await client.resultOf(id)).toEqual(done);
  await waitingProgress(client, "write_file");
  face.approve(face.only());
  await expect.poll(() => upstream.calls.length).toBe(3);
  const [act, look] = [begin("act"), begin("look")];
  await expect.poll(() => upstream.calls.length).toBe(4);
  await client.roundTrip();
  expect(sent()).toEqual(["act", "act", "write_file", "look"]);
  answer(3);
  answer(2);
  for (const id of [look, asks]) expect(await client.resultOf(id)).toEqual(done);
  await expect.poll(() => upstream.calls.length).toBe(5);
  answer(4);
  expect(await client.resultOf(act)).toEqual(done);
});
