/** A plain proxy of MCP, stdio on both sides: the package mcp-proxy between a server and a client of the SDK. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { proxyServer } from "mcp-proxy";

const [command = "", ...args] = process.argv.slice(2);
const client = new Client({ name: "proxy", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args }));
const capabilities = client.getServerCapabilities() ?? {};
const server = new Server({ name: "proxy", version: "1.0.0" }, { capabilities });
await proxyServer({ server, client, serverCapabilities: capabilities });
await server.connect(new StdioServerTransport());
process.stdin.on("end", async () => {
  await client.close();
  process.exit(0);
});
