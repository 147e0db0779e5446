/** The race of a question between the client's dialog and everybody else, in both orders and both eras. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  connectInMemory,
  readAtOnce,
  startInMemory,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { answerDialog, askedIn2026, dialogIn } from "../../support/modern-client.js";
import { showsForms } from "../../support/raw-client.js";

const options = [
  { value: "pg", label: "PostgreSQL" },
  { value: "lite", label: "SQLite" },
];
const asked = { question: "Which database?", options };
const accept = (content: object) => ({ action: "accept", content });
const config = readAtOnce;

async function asking2025(revision: string) {
  const server = await connectInMemory({ capabilities: showsForms, revision }, { config });
  const call = server.client.call("ask_person", asked, withProgress);
  const dialog = await server.client.firstOf("elicitation/create");
  return { ...server, call, dialog };
}

describe.each(["2025-06-18", "2025-11-25"])("in revision %s of the 2025 era", (revision) => {
  test("a face that answers first cancels the dialog by its id before the result, and a late answer changes nothing", async () => {
    const { client, face, call, dialog } = await asking2025(revision);
    const request = face.question();
    expect(dialog.params?.message).toContain(`wisp questions answer ${request.id}`);
    face.reply(request, { values: ["pg"] });
    const result = await client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ answer: { values: ["pg"] }, via: "cli" });
    const [cancelled] = client.allOf("notifications/cancelled");
    expect(cancelled?.params?.requestId).toBe(dialog.id);
    const order = client.received.map(({ method, id }) => method ?? `response ${id}`);
    expect(order.indexOf("notifications/cancelled")).toBeLessThan(order.indexOf(`response ${call}`));
    client.answer(dialog, accept({ choice: "2" }));
    await client.roundTrip();
    expect(face.receiptOf(request.id)).toMatchObject({ outcome: "answered", via: "cli" });
  });

  test("a dialog that answers first cancels nothing, and the face is told who was first", async () => {
    const { client, face, call, dialog } = await asking2025(revision);
    const request = face.question();
    client.answer(dialog, accept({ choice: "2" }));
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "answered",
      answer: { values: ["lite"] },
      via: "elicitation",
      assurance: "dialog",
    });
    expect(client.allOf("notifications/cancelled")).toEqual([]);
    expect(face.receiptOf(request.id)).toMatchObject({ decision: "answer", via: "elicitation" });
    expect(() => face.question()).toThrow();
  });

  test("a cancelled call takes its dialog and its question with it, and the next call asks anew", async () => {
    const { client, face, call, dialog } = await asking2025(revision);
    const { id } = face.question();
    client.notify("notifications/cancelled", { requestId: call, reason: "not wanted any more" });
    await client.firstOf("notifications/cancelled");
    await expect.poll(() => face.receiptOf(id)?.outcome).toBe("abandoned");
    const next = client.call("ask_person", asked);
    const isNext = ({ method, id: one }: { method?: string; id?: unknown }): boolean =>
      method === "elicitation/create" && one !== dialog.id;
    client.answer(await client.first(isNext), accept({ choice: "1" }));
    expect((await client.resultOf(next)).structuredContent).toMatchObject({ answer: { values: ["pg"] } });
  });

  test("a client that answers a dialog it does not have leaves the question to a face", async () => {
    const { client, face, call, dialog } = await asking2025(revision);
    client.refuse(dialog, -32601);
    await client.roundTrip();
    face.reply(face.question(), { values: ["pg"] });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "answered",
      via: "cli",
    });
  });
});

async function asking2026() {
  const server = await startInMemory({ config });
  const leg = { args: asked, tool: "ask_person" };
  const dialog = await askedIn2026(server.client, leg);
  const next = { ...leg, ...withProgress };
  return {
    ...server,
    dialog,
    replies: (reply: unknown) => answerDialog(server.client, next, dialog, reply),
  };
}

describe("in the 2026 era", () => {
  test("a face that answers first decides, and the dialog's answer is told not to count", async () => {
    const { client, face, dialog, replies } = await asking2026();
    const request = face.question();
    expect(dialog.id).toBe(request.id);
    face.reply(request, { values: ["pg"] });
    await expect.poll(() => face.receiptOf(request.id)?.via).toBe("cli");
    const result = await client.resultOf(replies(accept({ choice: "2" })));
    expect(result.structuredContent).toMatchObject({ answer: { values: ["pg"] }, via: "cli" });
    expect(textOf(result)).toContain("did not count: another came first, via cli.");
    expect(() => face.question()).toThrow();
  });

  test("a dialog that answers first decides, and the face is told who was first", async () => {
    const { client, face, replies } = await asking2026();
    const request = face.question();
    const result = await client.resultOf(replies(accept({ choice: "2" })));
    expect(result.structuredContent).toMatchObject({
      outcome: "answered",
      answer: { values: ["lite"] },
      via: "elicitation",
    });
    expect(textOf(result)).not.toContain("did not count");
    expect(face.receiptOf(request.id)).toMatchObject({ decision: "answer", via: "elicitation" });
  });

  test.each([
    ["dismissed", { action: "cancel" }],
    ["answered with something else", accept({ choice: "pg" })],
    ["left without an answer", undefined],
  ])("a dialog that is %s leaves the question to a face", async (_how, reply) => {
    const { client, face, replies } = await asking2026();
    const call = replies(reply);
    await waitingProgress(client);
    expect(client.hasResponseTo(call)).toBe(false);
    face.reply(face.question(), { values: ["pg"] });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "answered",
      via: "cli",
    });
  });

  test("an answer that comes a second time counts once", async () => {
    const { client, face, replies } = await asking2026();
    await client.resultOf(replies(accept({ choice: "2" })));
    const again = replies(accept({ choice: "1" }));
    const result = await client.resultOf(again);
    expect(result.resultType).toBe("input_required");
    expect(face.question().question.text).toBe(asked.question);
  });

  test("an answer to one question answers no other, nor does an approval's dialog", async () => {
    const { client, face, dialog } = await asking2026();
    const other = { args: { ...asked, question: "Which cache?" }, tool: "ask_person", ...withProgress };
    const forged = await client.resultOf(answerDialog(client, other, dialog, accept({ choice: "1" })));
    expect(forged.resultType).toBe("input_required");
    const command = { args: { argv: ["touch", "ran"] } };
    const approvalDialog = await askedIn2026(client, command);
    const leg = { args: asked, tool: "ask_person", ...withProgress };
    const crossed = await client.resultOf(
      answerDialog(client, leg, approvalDialog, accept({ decision: "approve" })),
    );
    expect(crossed.resultType).toBe("input_required");
    expect(face.waiting()).toHaveLength(1);
  });

  test("an answer that comes with a question's state approves no command, which its own dialog still does", async () => {
    const { client, work, dialog } = await asking2026();
    const command = { args: { argv: ["touch", "ran"] }, ...withProgress };
    const approve = accept({ decision: "approve" });
    const crossed = await client.resultOf(answerDialog(client, command, dialog, approve));
    expect([crossed.resultType, readdirSync(work)]).toEqual(["input_required", []]);
    const own = dialogIn(crossed);
    expect(own.id).not.toBe(dialog.id);
    const ran = await client.resultOf(answerDialog(client, command, own, approve));
    expect(ran.structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(work)).toEqual(["ran"]);
  });

  test("a client that is gone before its form comes back leaves the question, which read_answer collects", async () => {
    const { client, face, dialog } = await asking2026();
    face.reply(face.question(), { values: ["lite"] });
    await expect.poll(() => face.receiptOf(dialog.id)?.outcome).toBe("answered");
    const { structuredContent } = await client.resultOf(
      client.request("tools/call", {
        name: "read_answer",
        arguments: { request: dialog.id },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": showsForms,
        },
      }),
    );
    expect(structuredContent).toMatchObject({ outcome: "answered", answer: { values: ["lite"] } });
  });
});
