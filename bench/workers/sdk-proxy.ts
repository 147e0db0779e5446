/** The least proxy that the SDK makes: its server towards a client, its client towards a server, and between them nothing. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const [command = "", ...args] = process.argv.slice(2);
const client = new Client({ name: "proxy", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args }));
const server = new Server(
  { name: "proxy", version: "1.0.0" },
  { capabilities: client.getServerCapabilities() ?? {} },
);
server.setRequestHandler("tools/list", ({ params }) => client.listTools(params));
server.setRequestHandler("tools/call", ({ params }) => client.callTool(params));
await server.connect(new StdioServerTransport());
process.stdin.on("end", async () => {
  await client.close();
  process.exit(0);
});
