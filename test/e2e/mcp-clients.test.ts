/** `wisp mcp` under the official clients: today's (v1), and the v2 SDK in each way it opens a connection. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { type Face, openFace } from "../support/face.js";
import { makePlaces, type Places } from "../support/mcp-server.js";
import { test } from "../support/person.js";

const program = fileURLToPath(new URL("../../dist/wisp.cjs", import.meta.url));

let places: Places;
let face: Face;
const closers: (() => Promise<void>)[] = [];
beforeEach(() => {
  places = makePlaces();
  face = openFace(places.home);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  places.remove();
});

function launch() {
  const { PATH = "" } = process.env;
  return {
    command: process.execPath,
    args: [program, "mcp"],
    cwd: places.work,
    env: { PATH, HOME: places.root, WISP_HOME: places.home },
  };
}

const printing = { name: "run_command", arguments: { argv: ["printf", "%s", "once"] } };
type Reply = { action: "accept"; content: Record<string, string> } | { action: "decline" };
const approval: Reply = { action: "accept", content: { decision: "approve" } };

/** A v2 client; what its dialog is asked lands in `dialogs`. */
async function connectV2(mode: VersionNegotiationMode, reply: Reply = approval) {
  const client = new Client(
    { name: "v2", version: "2" },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  const dialogs: string[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    dialogs.push(params.message);
    return reply;
  });
  closers.push(() => client.close());
  await client.connect(new StdioClientTransport(launch()));
  return { client, dialogs };
}

describe("a client of the SDK's second version", () => {
  test("that speaks 2025 answers in its own dialog", async () => {
    const { client, dialogs } = await connectV2("legacy");
    const result = await client.callTool(printing);
    expect(result.structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      stdout: "once",
    });
    expect(dialogs).toEqual([expect.stringMatching(/^printf %s once\n/)]);
  });

  test.for([["auto"], [{ pin: "2026-07-28" }]] as const)(
    "that opens as %j looks at the server first, leaves nothing, and is answered by the channel",
    async ([mode], { person }) => {
      const { client, dialogs } = await connectV2(mode);
      await client.listTools();
      expect(existsSync(places.home)).toBe(false);
      let approving: Promise<void> | null = null;
      const onprogress = ({ message = "" }): void => {
        if (message.includes("wisp approvals approve ")) {
          approving ??= person.approves(places.home, face.only());
        }
      };
      const result = await client.callTool(printing, { onprogress });
      expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "cli", stdout: "once" });
      expect(dialogs).toEqual([]);
      await approving;
    },
  );

  test("that aborts its call while its dialog is up has it taken back, and the request is abandoned", async () => {
    const { client } = await connectV2("legacy");
    const abort = new AbortController();
    let id = "";
    client.setRequestHandler("elicitation/create", async (_request, { mcpReq }) => {
      ({ id } = face.only());
      abort.abort("changed my mind");
      // The dialog stays up until the server takes it back.
      await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve));
      return { action: "cancel" };
    });
    await expect(client.callTool(printing, { signal: abort.signal })).rejects.toThrow("changed my mind");
    await client.close();
    expect(face.receiptOf(id)).toMatchObject({ outcome: "abandoned", ran: false });
  });
});

describe("a client of the SDK's first version", () => {
  async function connectV1(reply: Reply): Promise<ClientV1> {
    const client = new ClientV1({ name: "v1", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => reply);
    closers.push(() => client.close());
    await client.connect(new TransportV1(launch()));
    // From here on it validates every result against the published schema and throws where one does not fit.
    await client.listTools();
    return client;
  }

  test("answers in its own dialog and takes the result", async () => {
    const client = await connectV1(approval);
    expect((await client.callTool(printing)).structuredContent).toMatchObject({
      outcome: "approved",
      stdout: "once",
    });
  });

  test.each([
    ["declined", printing.arguments, { action: "decline" }],
    ["declined", printing.arguments, { action: "accept", content: { decision: "deny" } }],
    ["refused", { argv: ["no-such-program"] }, { action: "decline" }],
    ["refused", { argv: ["ls"], cwd: "/" }, { action: "decline" }],
  ] as const)("takes a result that says %s", async (outcome, args, reply) => {
    const client = await connectV1(reply);
    const result = await client.callTool({ name: "run_command", arguments: args });
    expect(result).toMatchObject({ isError: true, structuredContent: { outcome } });
  });
});
