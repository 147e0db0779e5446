/** Which ways a question has, by configuration, environment and home. */
import { existsSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  connectInMemory,
  type MemoryServer,
  type MemoryServerOptions,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { showsForms } from "../../support/raw-client.js";

const asked = { question: "Which name?" };
const ann = { action: "accept", content: { text: "Ann" } };

/** No dialog is raised, and a face answers. */
async function onlyAFace(options: MemoryServerOptions): Promise<void> {
  const server = await connectInMemory({ capabilities: showsForms }, options);
  const { client, face } = server;
  const call = client.call("ask_person", asked, withProgress);
  await waitingProgress(client);
  await client.roundTrip();
  expect(client.allOf("elicitation/create")).toEqual([]);
  face.reply(face.question(), { text: "Ann" });
  expect((await client.resultOf(call)).structuredContent).toMatchObject({
    answer: { text: "Ann" },
    via: "cli",
  });
}

/** The next call is asked in the dialog and answered there. */
async function dialogAnswers({ client }: MemoryServer): Promise<void> {
  const seen = client.allOf("elicitation/create").length;
  const call = client.call("ask_person", { ...asked, thread: `t${seen}` });
  await expect.poll(() => client.allOf("elicitation/create").length).toBe(seen + 1);
  const dialog = client.allOf("elicitation/create")[seen];
  if (dialog === undefined) throw new Error("No dialog came.");
  client.answer(dialog, ann);
  expect((await client.resultOf(call)).structuredContent).toMatchObject({
    answer: { text: "Ann" },
    via: "elicitation",
  });
}

const terminal = { low: "terminal", moderate: "terminal", high: "terminal", dangerous: "terminal" };

describe("only a face answers", () => {
  test.each<readonly [string, MemoryServerOptions]>([
    ["where the environment switches dialogs off", { environment: { WISP_ELICITATION: "off" } }],
    ["where no dialog may approve anything", { config: { approval: { require: terminal } } }],
    [
      "where the client's dialog is switched off",
      { config: { approval: { clients: { raw: { dialog: false } } } } },
    ],
    ["where the configuration cannot be used", { config: { questions: { holdSeconds: "long" } } }],
  ])("%s", (_where, options) => onlyAFace(options));

  test("but a dialog that may approve something may answer, too", async () => {
    const require = { ...terminal, low: "dialog" };
    const config = { approval: { require, unseenAnswerMs: 0 } };
    await dialogAnswers(await connectInMemory({ capabilities: showsForms }, { config }));
  });
});

describe("where nothing is filed", () => {
  const config = { approval: { outOfBand: false, unseenAnswerMs: 0 } };

  test("the dialog alone asks, says why no terminal can answer, and names none", async () => {
    const server = await connectInMemory({ capabilities: showsForms }, { config });
    await dialogAnswers(server);
    const [dialog] = server.client.allOf("elicitation/create");
    expect(dialog?.params?.message).toContain("No terminal can answer this");
    expect(JSON.stringify(server.client.received)).not.toContain("wisp questions");
    expect(existsSync(join(server.home, "pending"))).toBe(false);
  });

  test("a client without a dialog is told that nobody could be asked", async () => {
    const { client } = await connectInMemory({}, { config });
    const result = await client.resultOf(client.call("ask_person", asked));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "approval_unavailable", request: null },
    });
    expect(textOf(result)).toMatch(/^Failed, no person could be asked: .*switched off/);
  });

  test("a question that the dialog cannot show whole is asked of nobody", async () => {
    const server = await connectInMemory({ capabilities: showsForms }, { config });
    const long = { question: "x\n".repeat(30) };
    const result = await server.client.resultOf(server.client.call("ask_person", long));
    expect(result.structuredContent).toMatchObject({ outcome: "failed" });
    expect(textOf(result)).toContain("cannot show all of the question");
    expect(server.client.allOf("elicitation/create")).toEqual([]);
    await dialogAnswers(server);
  });

  test("because the configuration is broken, that is what has to be repaired", async () => {
    const server = await connectInMemory({ capabilities: showsForms }, { config: { questions: 5 } });
    symlinkSync(server.work, join(server.home, "pending"));
    const result = await server.client.resultOf(server.client.call("ask_person", asked));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "config_invalid" },
    });
    expect(textOf(result)).toContain("config.json cannot be used");
  });
});

test("a home that cannot be used leaves the dialog, which says why; repaired, a face answers again", async () => {
  const config = { approval: { unseenAnswerMs: 0 } };
  const server = await connectInMemory({ capabilities: showsForms }, { config });
  const pending = join(server.home, "pending");
  symlinkSync(server.work, pending);
  await dialogAnswers(server);
  expect(server.client.allOf("elicitation/create")[0]?.params?.message).toContain("channel_unsafe");
  expect(readdirSync(server.work)).toEqual([]);
  unlinkSync(pending);
  const { client, face } = server;
  const call = client.call("ask_person", { question: "Which other?" }, withProgress);
  await waitingProgress(client);
  face.reply(face.question(), { text: "Bob" });
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ answer: { text: "Bob" } });
});

test("what is filed says in which directory the server was started", async () => {
  const { client, face, work } = await connectInMemory();
  const call = client.call("ask_person", asked, withProgress);
  await waitingProgress(client);
  expect(face.question().question.directory).toBe(work);
  face.reply(face.question(), { text: "Ann" });
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ answer: { text: "Ann" } });
});

test("an answer that cannot be written down is not told", async () => {
  const server = await connectInMemory({}, { config: {} });
  const { client, face, home } = server;
  const call = client.call("ask_person", asked, withProgress);
  await waitingProgress(client);
  const request = face.question();
  const log = join(home, "audit", "log.jsonl");
  const lines = face.audit().map((line) => JSON.stringify(line));
  unlinkSync(log);
  symlinkSync(join(server.root, "elsewhere"), log);
  face.reply(request, { text: "Ann" });
  const result = await client.resultOf(call);
  expect(result).toMatchObject({ isError: true, structuredContent: { outcome: "failed" } });
  expect(JSON.stringify(result)).not.toContain("Ann");
  unlinkSync(log);
  writeFileSync(log, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  const next = client.call("ask_person", { question: "Which other?" }, { progressToken: "q" });
  await waitingProgress(client, "q");
  face.reply(face.question(), { text: "Bob" });
  expect((await client.resultOf(next)).structuredContent).toMatchObject({ answer: { text: "Bob" } });
});
