/** What a client's dialog can say to a question, on the wire of each revision: what answers, what declines, and the rest. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { longestAnswerBytes } from "../../../src/broker/request/answer.js";
import { type Revision, revisions, serverOf } from "../../support/era-call.js";
import { type MemoryServerOptions, readAtOnce } from "../../support/mcp-server.js";
import { showsForms } from "../../support/raw-client.js";

const options = [
  { value: "pg", label: "PostgreSQL", description: "as in production" },
  { value: "lite", label: "SQLite" },
];
const single = { question: "Which database?", options };
const either = { ...single, allowText: true };
const several = { ...single, multiple: true };
const free = { question: "Which name?" };
const accept = (content: object) => ({ action: "accept", content });

/** Asks, and waits for the dialog. */
async function asks(
  revision: Revision,
  args: Readonly<Record<string, unknown>>,
  server: MemoryServerOptions = { config: readAtOnce },
) {
  const it = await serverOf(revision, showsForms, server);
  const call = it.call(args, "p", "ask_person");
  return { ...it, ...call, message: await call.dialog() };
}

const newer = revisions.filter((revision) => revision >= "2025-11-25");

describe.each(revisions)("in revision %s", (revision) => {
  test.each([
    ["a choice", single, { choice: "1" }, { values: ["pg"] }],
    ["a choice where a text was possible", either, { choice: "2" }, { values: ["lite"] }],
    ["a text where a choice was possible", either, { text: "MySQL" }, { text: "MySQL" }],
    ["a text", free, { text: "Ann\nor Bob" }, { text: "Ann\nor Bob" }],
    [
      "the longest text",
      free,
      { text: "x".repeat(longestAnswerBytes) },
      { text: "x".repeat(longestAnswerBytes) },
    ],
  ])("%s is told as it is, and is not in the log", async (_what, args, content, answer) => {
    const { reply, result, face } = await asks(revision, args);
    reply(accept(content));
    const { structuredContent, isError = false } = await result();
    expect({ isError, answer: structuredContent?.answer }).toEqual({ isError: false, answer });
    expect(JSON.stringify(face.audit())).not.toMatch(/MySQL|Ann|xxx|"pg"/);
  });

  test.each([
    ["the protocol's no", { action: "decline" }],
    ["our option for it, as a client sends it that preselects the first one", accept({ choice: "decline" })],
  ])("%s declines, is no error, and the same is not asked again", async (_what, no) => {
    const { reply, result, call, face } = await asks(revision, single);
    reply(no);
    const first = await result();
    expect(first.structuredContent).toMatchObject({ outcome: "declined" });
    expect(first.isError ?? false).toBe(false);
    const second = await call(single, "q", "ask_person").result();
    expect(second.structuredContent).toMatchObject({ outcome: "declined" });
    expect(() => face.question()).toThrow();
  });

  test.each([
    ["an option that was not offered", single, { choice: "3" }],
    ["a value of the agent", single, { choice: "pg" }],
    ["both a choice and a text", either, { choice: "1", text: "MySQL" }],
    ["nothing", either, {}],
    ["an empty text", free, { text: "  " }],
    ["1 MB of text", free, { text: "x".repeat(1_000_000) }],
    ["more than was asked for", single, { choice: "1", more: "yes" }],
  ])("%s answers nothing, and a face can still answer", async (_what, args, content) => {
    const { reply, result, face, hasEnded } = await asks(revision, args);
    reply(accept(content));
    await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
    expect(revision === "2026-07-28" || !hasEnded()).toBe(true);
    const request = face.question();
    face.reply(request, request.question.options === null ? { text: "Ann" } : { values: ["lite"] });
    const { structuredContent } = await result();
    expect(structuredContent).toMatchObject({ outcome: "answered", via: "cli" });
  });

  test("an answer that nobody can have read the question for answers nothing", async () => {
    const { reply, result, face } = await asks(revision, single, {});
    reply(accept({ choice: "1" }));
    await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
    face.reply(face.question(), { values: ["lite"] });
    expect((await result()).structuredContent).toMatchObject({ answer: { values: ["lite"] }, via: "cli" });
  });

  test("escapes in an option are not shown, and only wisp can answer", async () => {
    const hostile = {
      question: "Which?",
      options: [
        { value: "a", label: "a\u001b[2J" },
        { value: "b", label: "b" },
      ],
    };
    const { reply, result, face, message } = await asks(revision, hostile);
    expect(message).not.toContain("\u001b");
    expect(message).toContain("\\u{1b}");
    expect(message).toContain("so it cannot answer it. Answer in wisp: ");
    reply(accept({ choice: "1" }));
    await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
    face.reply(face.question(), { values: ["a"] });
    expect((await result()).structuredContent).toMatchObject({ answer: { values: ["a"] }, via: "cli" });
  });

  test("the same label twice is refused, and nobody is asked", async () => {
    const { call, home } = await serverOf(revision, showsForms);
    const twice = {
      question: "Which?",
      options: [
        { value: "a", label: "Yes" },
        { value: "b", label: "yes " },
      ],
    };
    const { structuredContent } = await call(twice, "p", "ask_person").result();
    expect(structuredContent).toMatchObject({ outcome: "refused", code: "invalid_input" });
    expect(existsSync(home)).toBe(false);
  });
});

test.each(newer)("in revision %s several can be chosen", async (revision) => {
  const { reply, result } = await asks(revision, several);
  reply(accept({ choices: ["2", "1"] }));
  expect((await result()).structuredContent).toMatchObject({ answer: { values: ["lite", "pg"] } });
});

test("a client of 2025-06-18 gets no dialog for several choices, and a face answers", async () => {
  const { client, call, face } = await serverOf("2025-06-18", showsForms, { config: readAtOnce });
  const asked = call(several, "p", "ask_person");
  await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
  expect(client.allOf("elicitation/create")).toEqual([]);
  face.reply(face.question(), { values: ["lite", "pg"] });
  expect((await asked.result()).structuredContent).toMatchObject({ answer: { values: ["lite", "pg"] } });
});
