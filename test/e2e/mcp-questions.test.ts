/** `ask_person` under the official clients over stdio, and of an agent that nobody attends. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeAcceptedConfig } from "../support/config-files.js";
import { openFace } from "../support/face.js";
import type { Places } from "../support/mcp-server.js";
import { sendLeg } from "../support/modern-client.js";
import { launchIn } from "../support/official-clients.js";
import type { ToolResult } from "../support/raw-client.js";
import { asks, ownPlaces, serve } from "../support/served.js";

type Ask = (args: Record<string, unknown>) => Promise<ToolResult>;
type Content = Record<string, string | string[]>;

async function connectV1(places: Places, content: Content): Promise<Ask> {
  const client = new ClientV1({ name: "v1", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content }));
  onTestFinished(() => client.close());
  await client.connect(new TransportV1(launchIn(places)));
  // From here on it validates every result against the published schema.
  await client.listTools();
  return async (args) => (await client.callTool({ name: "ask_person", arguments: args })) as ToolResult;
}

async function connectV2(places: Places, content: Content, mode: "auto" | "legacy"): Promise<Ask> {
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: "v2", version: "2" }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content }));
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport(launchIn(places)));
  return async (args) => (await client.callTool({ name: "ask_person", arguments: args })) as ToolResult;
}

/** Their dialogs answer at once. */
function readAtOnce(): Places {
  const places = ownPlaces();
  writeAcceptedConfig(places.home, { approval: { unseenAnswerMs: 0 } });
  return places;
}

const options = [
  { value: "pg", label: "PostgreSQL" },
  { value: "lite", label: "SQLite" },
];

describe.each([
  ["v1", connectV1],
  ["v2, 2025", (places: Places, content: Content) => connectV2(places, content, "legacy")],
  ["v2, 2026", (places: Places, content: Content) => connectV2(places, content, "auto")],
] as const)("a client of the SDK, %s", (_name, connect) => {
  test.each<readonly [string, object, Content, object]>([
    ["a choice", { options }, { choice: "2" }, { answer: { values: ["lite"] } }],
    [
      "several choices",
      { options, multiple: true },
      { choices: ["1", "2"] },
      { answer: { values: ["pg", "lite"] } },
    ],
    ["a text", {}, { text: "MySQL" }, { answer: { text: "MySQL" } }],
    ["our first option", { options }, { choice: "decline" }, { outcome: "declined" }],
  ])("takes the form for %s, and tells what was answered", async (_what, asked, content, told) => {
    const ask = await connect(readAtOnce(), content);
    const { structuredContent } = await ask({ question: "Which database?", ...asked });
    expect(structuredContent).toMatchObject(told);
  });
});

test.each(["2025", "2026"])(
  "a question is withdrawn whose agent of the %s era leaves at once",
  async (era) => {
    const served = await serve(ownPlaces());
    const { client, child, ended } = served.server;
    const args = { question: "Which name?" };
    if (era === "2025") client.call("ask_person", args, { progressToken: "q" });
    else sendLeg(client, { tool: "ask_person", args, progressToken: "q", capabilities: {} });
    await client.first(({ params }) => String(params?.message).includes("wisp questions answer "));
    const { id } = served.face.question();
    child.stdin?.end();
    expect(await ended).toMatchObject({ code: 0 });
    expect(openFace(served.home).receiptOf(id)).toMatchObject({ outcome: "withdrawn" });
    // The home is as good as before.
    const next = await serve(served);
    await asks(next);
    expect(next.face.waiting()).toHaveLength(1);
  },
);
