/** A question that outlives its call: for how long the call is held, and how its answer is collected, once. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Answer } from "../../../src/broker/request/answer.js";
import { type Revision, revisions, serverOf } from "../../support/era-call.js";
import {
  connectInMemory,
  type MemoryServerOptions,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { envelope } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";
import { showsForms } from "../../support/raw-client.js";

const asked = { question: "Which name?" };
const askAgain =
  "Call ask_person again if you still need the answer; what became of a fact, read_facts tells.";
const twenty = [...Array(20).keys()].map((index) => ({ question: `Which name, ${index}?` }));

async function start(revision: Revision, config: object = {}, options: MemoryServerOptions = {}) {
  const clock = new PatientClock();
  const server = await serverOf(revision, {}, { clock, config, ...options });
  let calls = 0;
  const call = (args: Readonly<Record<string, unknown>>, tool = "ask_person") => {
    calls += 1;
    const token = `call-${calls}`;
    const it = server.call(args, token, tool);
    return { ...it, waits: async () => void (await waitingProgress(server.client, token)) };
  };
  /** A call that came back while its question waits. */
  async function pending(args: Readonly<Record<string, unknown>> = asked) {
    const first = call(args);
    await first.waits();
    clock.advance(45_000);
    const { structuredContent } = await first.result();
    expect(structuredContent).toMatchObject({ outcome: "pending", code: "approval_pending" });
    return String(structuredContent?.request);
  }
  const look = (request: string) => call({ request }, "read_answer").result();
  async function answered(words: Partial<Answer>): Promise<void> {
    const request = server.face.question();
    server.face.reply(request, words);
    await expect.poll(() => server.face.receiptOf(request.id)?.outcome).toBe("answered");
  }
  return { ...server, clock, call, pending, look, answered };
}

describe.each(revisions)("in revision %s", (revision) => {
  test("a call that comes back says how the answer is collected, and nobody said no", async () => {
    const { call, clock } = await start(revision);
    const first = call(asked);
    await first.waits();
    clock.advance(45_000);
    const result = await first.result();
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent?.expiresAt).toEqual(expect.any(Number));
    expect(textOf(result)).toContain(`read_answer with {"request": "${result.structuredContent?.request}"}`);
  });

  test("read_answer tells an answer that came late once", async () => {
    const { pending, look, answered } = await start(revision);
    const id = await pending();
    expect((await look(id)).structuredContent).toMatchObject({ outcome: "pending", request: id });
    await answered({ text: "Ann" });
    expect((await look(id)).structuredContent).toMatchObject({
      outcome: "answered",
      answer: { text: "Ann" },
    });
    const again = await look(id);
    expect(again).toMatchObject({ isError: true, structuredContent: { outcome: "already_decided" } });
    expect(JSON.stringify(again)).not.toContain("Ann");
  });

  test("the identical call collects an answer that came late once, and then asks anew", async () => {
    const { pending, look, answered, call, face } = await start(revision);
    const id = await pending();
    await answered({ text: "Ann" });
    const collected = await call(asked).result();
    expect(collected.structuredContent).toMatchObject({
      outcome: "answered",
      answer: { text: "Ann" },
      request: id,
    });
    expect((await look(id)).structuredContent).toMatchObject({ outcome: "already_decided" });
    await call(asked).waits();
    expect(face.question().id).not.toBe(id);
  });

  test("an answer is kept for ten minutes after it came, and no longer", async () => {
    const { pending, look, answered, clock } = await start(revision);
    const id = await pending();
    await answered({ text: "Ann" });
    clock.advance(599_000);
    const other = await pending({ question: "Which other?" });
    clock.advance(2_000);
    expect(JSON.stringify(await look(id))).not.toContain("Ann");
    await answered({ text: "Bob" });
    clock.advance(599_000);
    expect((await look(other)).structuredContent).toMatchObject({ answer: { text: "Bob" } });
  });

  test("an answer is kept as long as is configured, and its caller is told for how long", async () => {
    const config = { questions: { keepSeconds: 5 } };
    const { pending, look, answered, clock } = await start(revision, config);
    const id = await pending();
    const waiting = await look(id);
    expect(textOf(waiting)).toContain("kept for 5 s");
    await answered({ text: "Ann" });
    clock.advance(6_000);
    const late = await look(id);
    expect(textOf(late)).toContain("the answer was kept for 5 s, and nobody asked for it");
    expect(JSON.stringify(late)).not.toContain("Ann");
    const next = await pending();
    await answered({ text: "Bob" });
    clock.advance(4_000);
    expect((await look(next)).structuredContent).toMatchObject({ answer: { text: "Bob" } });
  });

  test("a question that nobody answers in its time is told as that, once it is looked at", async () => {
    const { pending, look, clock, face } = await start(revision, { approval: { timeoutSeconds: 60 } });
    const id = await pending();
    clock.advance(60_000);
    await expect.poll(() => face.receiptOf(id)?.outcome).toBe("timed_out");
    expect((await look(id)).structuredContent).toMatchObject({
      outcome: "timed_out",
      code: "approval_timed_out",
    });
  });

  test("nothing is told of what is no question of this client, whatever it is", async () => {
    const { pending, look, call, face, client } = await start(revision);
    const id = await pending();
    const command = call({ argv: ["touch", "ran"] }, "run_command");
    await command.waits();
    const approvalId = face.only().id;
    const texts: string[] = [];
    for (const request of [approvalId, "zzzzzzzz", "", "../../etc", id.slice(0, 4), id.toUpperCase()]) {
      const result = await look(request);
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { outcome: "refused", code: "invalid_input", recovery: askAgain },
      });
      expect(textOf(result)).toContain(askAgain);
      texts.push(JSON.stringify(result));
    }
    if (revision === "2026-07-28") {
      const params = { name: "read_answer", arguments: { request: id }, _meta: envelope({ name: "other" }) };
      texts.push(JSON.stringify(await client.resultOf(client.request("tools/call", params))));
    }
    expect(new Set(texts).size).toBe(1);
    expect((await look(id)).structuredContent).toMatchObject({ outcome: "pending" });
  });

  test("one question more than twenty is not asked, and the others wait on", async () => {
    const { call, client, face } = await start(revision);
    for (const one of twenty) await call(one).waits();
    const result = await call(asked).result();
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "refused", code: "rate_limited", retryable: false, request: null },
    });
    expect(textOf(result)).toMatch(
      /^Refused, nobody was asked: 20 questions of this connection wait already\. /,
    );
    expect(textOf(result)).not.toContain("doctor");
    expect(client.received.filter(({ result: one }) => one?.structuredContent !== undefined)).toHaveLength(1);
    expect(() => face.question()).toThrow("19 others wait");
  });
});

describe("a call is held", () => {
  test.each([
    ["as long as the client waits, where that is shorter", {}, 45],
    ["as long as is configured for questions, where that is shorter", { questions: { holdSeconds: 20 } }, 20],
    ["as long as is configured for all calls", { approval: { holdSeconds: 10 } }, 10],
    [
      "no longer for questions than for its client",
      { approval: { clients: { raw: { holdSeconds: 7 } } } },
      7,
    ],
    ["for no longer than 60 s, whatever its client waits", { approval: { holdSeconds: 300 } }, 60],
  ])("%s", async (_what, config, seconds) => {
    const { call, clock } = await start("2025-11-25", config);
    const first = call(asked);
    await first.waits();
    clock.advance(seconds * 1_000 - 1);
    expect(first.hasEnded()).toBe(false);
    clock.advance(1);
    expect((await first.result()).structuredContent).toMatchObject({ outcome: "pending" });
  });

  test("not at all where that is configured, and its question waits all the same", async () => {
    const { call, clock, face, look } = await start("2025-11-25", { questions: { holdSeconds: 0 } });
    const first = call(asked);
    await first.waits();
    clock.advance(0);
    const { structuredContent } = await first.result();
    expect(structuredContent).toMatchObject({ outcome: "pending" });
    face.reply(face.question(), { text: "Ann" });
    const id = String(structuredContent?.request);
    await expect.poll(async () => (await look(id)).structuredContent?.outcome).toBe("answered");
  });

  test("until the end of its question, where that comes first", async () => {
    const { call, clock } = await start("2025-11-25", { approval: { timeoutSeconds: 30 } });
    const first = call(asked);
    await first.waits();
    clock.advance(30_000);
    expect((await first.result()).structuredContent).toMatchObject({ outcome: "timed_out" });
  });

  test("with signs of life for a client that wants progress", async () => {
    const { call, clock, client } = await start("2025-11-25");
    await call(asked).waits();
    const before = client.allOf("notifications/progress").length;
    clock.advance(20_000);
    await client.roundTrip();
    expect(client.allOf("notifications/progress").length).toBe(before + 2);
  });
});

test("read_answer before anything was asked tells nothing and makes nothing", async () => {
  const { client, home } = await connectInMemory();
  const result = await client.resultOf(client.call("read_answer", { request: "k7q2mx9d" }));
  expect(result.structuredContent).toMatchObject({ outcome: "refused", code: "invalid_input" });
  expect(existsSync(home)).toBe(false);
});

test("a connection that ends withdraws its questions and forgets what was kept", async () => {
  const { client, face, served, settled } = await connectInMemory({ capabilities: showsForms });
  client.call("ask_person", asked, withProgress);
  const dialog = await client.firstOf("elicitation/create");
  const { id } = face.question();
  served.stop("the client left");
  await settled();
  expect(dialog.id).toBeDefined();
  expect(face.receiptOf(id)).toMatchObject({ outcome: "withdrawn" });
});
