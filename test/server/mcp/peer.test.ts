import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Peer, peerOf } from "../../../src/server/mcp/peer.js";
import { memoryClient, type RawClient } from "../../support/raw-client.js";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server whose one tool keeps who called it. */
async function looking(): Promise<{ client: RawClient; peers: Peer[] }> {
  const { client, transport } = await memoryClient();
  const peers: Peer[] = [];
  const handle = serveStdio(
    ({ era }) => {
      const server = new McpServer({ name: "s", version: "1" });
      server.registerTool("look", { inputSchema: z.object({}) }, (_args, ctx) => {
        peers.push(peerOf(server, ctx, era === "legacy" ? "2025" : "2026"));
        return { content: [] };
      });
      return server;
    },
    { transport },
  );
  closers.push(() => handle.close());
  return { client, peers };
}

async function peerDeclaring(capabilities: Readonly<Record<string, unknown>>): Promise<Peer | undefined> {
  const { client, peers } = await looking();
  await client.initialize({ capabilities });
  await client.responseTo(client.call("look", {}));
  return peers[0];
}

function envelope(capabilities: unknown, name = "modern") {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name, version: "2" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
}

const declarations = [
  [{}, false],
  [{ elicitation: {} }, true],
  [{ elicitation: { form: {} } }, true],
  [{ elicitation: { form: {}, url: {} } }, true],
  [{ elicitation: { url: {} } }, false],
] as const;

describe("a client", () => {
  test.each(declarations)("of 2025 that declares %j can show forms: %j", async (capabilities, can) => {
    expect((await peerDeclaring(capabilities))?.can.form).toBe(can);
  });

  test.each(declarations)("of 2026 that declares %j can show forms: %j", async (capabilities, can) => {
    const { client, peers } = await looking();
    await client.responseTo(client.call("look", {}, envelope(capabilities)));
    expect(peers[0]).toMatchObject({ era: "2026", revision: "2026-07-28", can: { form: can } });
    expect(peers[0]?.client).toEqual({ name: "modern", version: "2" });
  });

  test("is read from each call, never kept from another", async () => {
    const { client, peers } = await looking();
    await client.responseTo(client.call("look", {}, envelope({ elicitation: {} }, "first")));
    await client.responseTo(client.call("look", {}, envelope({}, "second")));
    expect(peers.map((peer) => [peer.client?.name, peer.can.form])).toEqual([
      ["first", true],
      ["second", false],
    ]);
  });

  test("of 2025 is known by its revision, name and progress token", async () => {
    const { client, peers } = await looking();
    await client.initialize({ revision: "2025-06-18", name: "plain" });
    await client.responseTo(client.call("look", {}, { progressToken: "t" }));
    expect(peers[0]).toMatchObject({
      era: "2025",
      revision: "2025-06-18",
      client: { name: "plain", version: "1.0.0" },
      progressToken: "t",
    });
  });

  test("that asks for no progress has no token, and one that chose 0 has it", async () => {
    const { client, peers } = await looking();
    await client.initialize();
    await client.responseTo(client.call("look", {}));
    await client.responseTo(client.call("look", {}, { progressToken: 0 }));
    expect(peers.map((peer) => peer.progressToken)).toEqual([null, 0]);
  });

  test("with a hostile name is known by what can be filed of it, cut and not yet escaped", async () => {
    const { client, peers } = await looking();
    await client.initialize({ name: `\u001b[2J\ud800\0😀${"x".repeat(1_000)}` });
    await client.responseTo(client.call("look", {}));
    expect(peers[0]?.client?.name).toBe(`\u001b[2J\ufffd\ufffd😀${"x".repeat(113)}`);
  });
});
