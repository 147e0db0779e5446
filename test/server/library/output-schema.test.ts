/** A refusal reaches the official clients also where the tool has an output schema, which they hold every result against. */
import { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { Wisp } from "../../../src/server/library/wisp.js";
import { type FakePerson, fakePerson } from "../../../src/server/testing/fake-person.js";

const about = { tool: "count", arguments: {} };
const counted = () => ({ content: [], structuredContent: { notes: 3 } });

interface Connected {
  count(): Promise<unknown>;
  close(): Promise<void>;
}

async function connectV1(person: FakePerson): Promise<Connected> {
  const server = new McpServerV1({ name: "notes", version: "1" });
  const wisp = watched(person.wisp({ name: "notes", server }));
  server.registerTool("count", { outputSchema: { notes: z.number() } }, (extra) =>
    wisp.ask(extra, about, counted),
  );
  const [near, far] = InMemoryV1.createLinkedPair();
  const client = new ClientV1({ name: "v1", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  // From here on it knows the schema, and throws for a result that does not fit.
  await client.listTools();
  return { count: () => client.callTool({ name: "count", arguments: {} }), close: () => client.close() };
}

async function connectV2(person: FakePerson): Promise<Connected> {
  const server = new McpServer({ name: "notes", version: "1" });
  const wisp = watched(person.wisp({ name: "notes", server }));
  server.registerTool("count", { outputSchema: z.object({ notes: z.number() }) }, (ctx) =>
    wisp.ask(ctx, about, counted),
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "v2", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  return { count: () => client.callTool({ name: "count", arguments: {} }), close: () => client.close() };
}

function watched(wisp: Wisp): Wisp {
  onTestFinished(() => wisp.close());
  return wisp;
}

it.each([
  ["first", connectV1],
  ["second", connectV2],
])("of the %s major, and what the tool returns after a yes does as well", async (_name, connect) => {
  const person = fakePerson();
  onTestFinished(() => person.leave());
  const { count, close } = await connect(person);
  person.says("deny");
  expect(await count()).toMatchObject({
    isError: true,
    _meta: { "wisp/refusal": { code: "approval_denied" } },
  });
  await close();
  const other = await connect(person);
  person.says("approve");
  expect(await other.count()).toMatchObject({ structuredContent: { notes: 3 } });
  await other.close();
});
