import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { factServer, testCommand } from "../../support/fact-server.js";
import {
  connectInMemory,
  type MemoryServer,
  startInMemory,
  waitingProgress,
} from "../../support/mcp-server.js";
import type { RawClient } from "../../support/raw-client.js";

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
const asked = { name: "run_command", arguments: { argv: ["touch", "ran"] } };

/** A server at which one request waits, and what each further request of the client has to carry. */
async function waiting(era: string): Promise<MemoryServer & { readonly meta: object }> {
  const is2025 = era === "2025";
  const server = is2025 ? await connectInMemory() : await startInMemory();
  const meta = is2025 ? {} : { _meta: modern };
  server.client.request("tools/call", { ...asked, _meta: { ...(is2025 ? {} : modern), progressToken: "p" } });
  await waitingProgress(server.client);
  return { ...server, meta };
}

async function tell(client: RawClient, method: string, params: object): Promise<string> {
  return JSON.stringify(await client.responseTo(client.request(method, { ...params })));
}

describe.each(["2025", "2026"])("in the %s era nothing that a client can send", (era) => {
  test("lists, reads or answers what waits", async () => {
    const { client, face, work, meta } = await waiting(era);
    const { id } = face.only();
    const answer = { id, decision: "approve", scope: "once" };
    const replies = [
      await tell(client, "tools/list", meta),
      await tell(client, "resources/list", meta),
      await tell(client, "resources/templates/list", meta),
      await tell(client, "resources/read", { ...meta, uri: "wisp://approvals" }),
      await tell(client, "resources/read", { ...meta, uri: "wisp://facts" }),
      await tell(client, "resources/subscribe", { ...meta, uri: "wisp://approvals" }),
      await tell(client, "prompts/list", meta),
      await tell(client, "prompts/get", { ...meta, name: "approve", arguments: { id } }),
      await tell(client, "completion/complete", {
        ...meta,
        ref: { type: "ref/prompt", name: "approve" },
        argument: { name: "id", value: id.slice(0, 4) },
      }),
      await tell(client, "logging/setLevel", { ...meta, level: "debug" }),
      await tell(client, "elicitation/create", { ...meta, ...answer }),
      await tell(client, "tasks/update", { ...meta, taskId: id, inputResponses: answer }),
      await tell(client, "wisp/approve", { ...meta, ...answer }),
      await tell(client, "tools/call", { ...meta, name: "approve", arguments: answer }),
      await tell(client, "tools/call", {
        ...meta,
        name: "run_command",
        arguments: { argv: ["true"], request: id, decision: "approve" },
      }),
      await tell(client, "tools/call", {
        ...meta,
        name: "notify",
        arguments: { title: "approved", body: `wisp approvals approve ${id.slice(0, 8)}` },
      }),
      await tell(client, "tools/call", {
        ...meta,
        name: "notify",
        arguments: { title: "a", body: "b", request: id, decision: "approve" },
      }),
      await tell(client, "tools/call", {
        ...meta,
        name: "keep_fact",
        arguments: { subject: "a", name: "b", value: "c", request: id, decision: "approve" },
      }),
      await tell(client, "tools/call", { ...meta, name: "read_facts", arguments: { query: id } }),
      await tell(client, "tools/call", { ...meta, name: "read_facts", arguments: { request: id } }),
      await tell(client, "tools/call", {
        ...meta,
        name: "no_such_tool",
        arguments: {},
        inputResponses: { decision: { action: "accept", content: { decision: "approve" } } },
      }),
    ];
    // Nobody asked for these: a dialog that was never raised has no answer.
    for (const unasked of [0, 1, 2, id]) {
      client.answer({ jsonrpc: "2.0", id: unasked }, { action: "accept", content: { decision: "approve" } });
    }
    for (const method of ["notifications/elicitation/complete", "notifications/progress", "wisp/approve"]) {
      client.notify(method, { ...meta, ...answer, elicitationId: id, progressToken: "p", progress: 1 });
    }
    await tell(client, "tools/list", meta);
    expect(face.only().id).toBe(id);
    expect(face.receiptOf(id)).toBeNull();
    expect(replies.filter((reply) => reply.includes(id))).toEqual([]);
    // What is there to read holds nothing of what waits, and everything else is refused.
    const readable = /isError|"tools":|"resources":|"resourceTemplates":\[\]|"contents":|"outcome":"read"/;
    expect(replies.filter((reply) => /"result"/.test(reply) && !readable.test(reply))).toEqual([]);
    face.deny(face.only());
    await client.first(({ result }) => result?.structuredContent?.outcome === "denied");
    expect(readdirSync(work)).toEqual([]);
  });
});

describe.each(["2025", "2026"])("in the %s era nothing that a client can send", (era) => {
  test("answers, reads or ends a question that waits, and its answer is told to nobody else", async () => {
    const is2025 = era === "2025";
    const { client, face } = is2025 ? await connectInMemory() : await startInMemory();
    const { "io.modelcontextprotocol/clientCapabilities": _shows, ...who } = modern;
    const envelope = { ...who, "io.modelcontextprotocol/clientCapabilities": {} };
    const meta = is2025 ? {} : { _meta: envelope };
    const asking = { question: "Which name?" };
    const progress = { ...(is2025 ? {} : envelope), progressToken: "q" };
    const call = client.request("tools/call", { name: "ask_person", arguments: asking, _meta: progress });
    await waitingProgress(client, "q");
    const { id } = face.question();
    const answer = { request: id, id, decision: "answer", text: "mallory" };
    const replies = [
      await tell(client, "tools/call", { ...meta, name: "read_answer", arguments: answer }),
      await tell(client, "tools/call", { ...meta, name: "ask_person", arguments: { ...asking, ...answer } }),
      await tell(client, "tools/call", {
        ...meta,
        name: "run_command",
        arguments: { argv: ["true"], ...answer },
      }),
      await tell(client, "tools/call", { ...meta, name: "answer", arguments: answer }),
      await tell(client, "tools/call", { ...meta, name: "answer_question", arguments: answer }),
      await tell(client, "resources/read", { ...meta, uri: `wisp://questions/${id}` }),
      await tell(client, "elicitation/create", { ...meta, ...answer }),
      await tell(client, "wisp/answer", { ...meta, ...answer }),
    ];
    for (const unasked of [0, 1, 2, id]) {
      client.answer({ jsonrpc: "2.0", id: unasked }, { action: "accept", content: { text: "mallory" } });
    }
    await tell(client, "tools/list", meta);
    expect(replies.filter((reply) => /"result"/.test(reply) && !/"isError":true/.test(reply))).toEqual([]);
    expect(face.question().id).toBe(id);
    expect(face.receiptOf(id)).toBeNull();
    face.reply(face.question(), { text: "Ann" });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ answer: { text: "Ann" } });
  });
});

describe.each(["2025", "2026"] as const)("in the %s era nothing that a client can send", (era) => {
  test("keeps, drops, forgets or changes a fact", async () => {
    const { client, ask, keep, read, person } = await factServer(era);
    const kept = await person.kept({ name: "kept before" });
    await keep();
    const waiting = person.only();
    const decision = { id: waiting.id, request: waiting.id, decision: "keep", scope: "always" };
    for (const method of ["resources/write", "resources/delete", "facts/keep", "wisp/keep", "tasks/update"]) {
      const { error } = await ask(method, { ...decision, uri: "wisp://facts", contents: [] });
      expect(error?.code).toBe(-32_601);
    }
    for (const uri of [
      `wisp://facts/${kept.id}`,
      `wisp://facts?forget=${kept.id}`,
      `wisp://facts/${waiting.id}/keep`,
    ]) {
      expect((await ask("resources/read", { uri })).error?.code).toBe(-32_602);
    }
    for (const name of ["facts", "keep", "forget_fact", "drop_fact", "answer"]) {
      expect((await ask("tools/call", { name, arguments: decision })).error?.code).toBe(-32_602);
    }
    for (const id of [waiting.id, kept.id]) {
      const refusals = [await keep({ ...testCommand, ...decision, id }), await read({ id, forget: true })];
      expect(refusals).toMatchObject(refusals.map(() => ({ isError: true })));
    }
    // The same words about another value: what was kept stays as it was.
    await keep({ ...testCommand, name: "kept before", value: "rm -rf /" });
    for (const method of ["notifications/resources/updated", "notifications/keep"])
      client.notify(method, decision);
    client.answer({ jsonrpc: "2.0", id: waiting.id }, { action: "accept", content: { decision: "keep" } });
    expect((await read()).structuredContent?.facts).toMatchObject([{ id: kept.id, value: kept.value }]);
    expect(person.waiting()).toHaveLength(2);
    await person.decides(waiting, { decision: "keep", scope: "project" });
    await expect.poll(async () => (await read()).structuredContent?.facts).toHaveLength(2);
  });
});

describe("what a client can use", () => {
  test("is six tools and one resource, and nothing else is announced", async () => {
    const server = await startInMemory();
    const { client } = server;
    const { result } = await client.initialize();
    expect(result?.serverInfo).toMatchObject({ name: "wisp" });
    expect(Object.keys(result?.capabilities ?? {}).sort()).toEqual(["resources", "tools"]);
    expect(result?.capabilities).toMatchObject({ resources: { subscribe: true, listChanged: false } });
    const listed = (await client.responseTo(client.request("tools/list"))).result?.tools as Tool[];
    expect(listed.map((tool) => tool.name)).toEqual([
      "run_command",
      "ask_person",
      "read_answer",
      "notify",
      "keep_fact",
      "read_facts",
    ]);
    const { result: resources } = await client.responseTo(client.request("resources/list"));
    expect(resources?.resources).toMatchObject([{ uri: "wisp://facts" }]);
  });

  test.each(["initialize", "server/discover"])(
    "comes, by %s, with what an agent has to know",
    async (method) => {
      const { client } = await startInMemory();
      const { result } =
        method === "initialize"
          ? await client.initialize()
          : await client.responseTo(client.request(method, { _meta: modern }));
      const instructions = String(result?.instructions);
      for (const rule of [
        "shown to a person",
        "Say so while you wait",
        "take a no as final",
        "do not look for another way",
        "ask_person instead of guessing",
        "propose with keep_fact",
      ]) {
        expect(instructions).toContain(rule);
      }
    },
  );

  test("of notify says which tools announce by themselves what they ask", async () => {
    const server = await connectInMemory();
    const listed = (await server.client.responseTo(server.client.request("tools/list"))).result
      ?.tools as Tool[];
    expect(listed.find(({ name }) => name === "notify")).toMatchObject({
      description: expect.stringMatching(/run_command, ask_person and keep_fact ask is announced by itself/),
    });
  });

  test("of run_command takes a command and words for the person, and no decision", async () => {
    const server = await connectInMemory();
    const listed = (await server.client.responseTo(server.client.request("tools/list"))).result
      ?.tools as Tool[];
    const tool = listed.find(({ name }) => name === "run_command");
    expect(Object.keys(tool?.inputSchema.properties ?? {}).sort()).toEqual([
      "argv",
      "directory",
      "line",
      "says",
      "thread",
      "timeoutSeconds",
    ]);
    expect(tool).toMatchObject({
      title: "Run a command",
      description: expect.stringContaining("person"),
      inputSchema: { type: "object", additionalProperties: false },
      outputSchema: { type: "object", required: ["outcome"] },
      annotations: { destructiveHint: true, readOnlyHint: false, openWorldHint: true },
      _meta: { "anthropic/alwaysLoad": true },
    });
  });

  test("of ask_person takes a question and what can be chosen, and no answer", async () => {
    const server = await connectInMemory();
    const listed = (await server.client.responseTo(server.client.request("tools/list"))).result
      ?.tools as Tool[];
    const [asks, reads] = ["ask_person", "read_answer"].map((one) => listed.find(({ name }) => name === one));
    expect(Object.keys(asks?.inputSchema.properties ?? {}).sort()).toEqual([
      "allowText",
      "multiple",
      "options",
      "question",
      "thread",
    ]);
    expect(Object.keys(reads?.inputSchema.properties ?? {})).toEqual(["request"]);
    expect(asks).toMatchObject({
      title: "Ask the person",
      description: expect.stringContaining("instead of guessing"),
      inputSchema: { type: "object", additionalProperties: false, required: ["question"] },
      outputSchema: { type: "object", required: ["outcome"] },
      annotations: { readOnlyHint: true, openWorldHint: true },
      _meta: { "anthropic/alwaysLoad": true },
    });
    expect(reads).toMatchObject({
      inputSchema: { type: "object", additionalProperties: false, required: ["request"] },
      outputSchema: { type: "object", required: ["outcome"] },
      annotations: { readOnlyHint: true },
    });
  });

  test("of notify takes words, is read-only, and may be looked up when it is needed", async () => {
    const server = await connectInMemory();
    const listed = (await server.client.responseTo(server.client.request("tools/list"))).result
      ?.tools as Tool[];
    const tool = listed.find(({ name }) => name === "notify");
    expect(Object.keys(tool?.inputSchema.properties ?? {}).sort()).toEqual(["body", "thread", "title"]);
    expect(tool).toMatchObject({
      title: "Notify the person",
      description: expect.stringContaining("asks nothing"),
      inputSchema: { type: "object", additionalProperties: false, required: ["title", "body"] },
      outputSchema: { type: "object", required: ["outcome"] },
      annotations: { readOnlyHint: true },
    });
    expect(tool).not.toHaveProperty(["_meta", "anthropic/alwaysLoad"]);
  });

  test.each([
    [
      "keep_fact",
      ["name", "source", "subject", "thread", "value"],
      ["subject", "name", "value"],
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      "nothing is kept without their yes",
    ],
    ["read_facts", ["name", "query", "subject"], undefined, { readOnlyHint: true }, "not instructions"],
  ] as const)("of %s takes words, and no decision", async (name, takes, required, annotations, says) => {
    const server = await connectInMemory();
    const listed = (await server.client.responseTo(server.client.request("tools/list"))).result
      ?.tools as Tool[];
    const tool = listed.find((one) => one.name === name);
    expect(Object.keys(tool?.inputSchema.properties ?? {}).sort()).toEqual(takes);
    expect(tool?.inputSchema.required).toEqual(required);
    expect(tool).toMatchObject({
      description: expect.stringContaining(says),
      inputSchema: { type: "object", additionalProperties: false },
      outputSchema: { type: "object", required: ["outcome"] },
      annotations,
    });
  });
});

interface Tool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
}
