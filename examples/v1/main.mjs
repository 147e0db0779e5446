import { readFile, rm } from "node:fs/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createWisp } from "wisp-broker/mcp";
import * as z from "zod";

const server = new McpServer({ name: "notes", version: "1.0.0" });
const wisp = createWisp({ name: "notes", server });
server.server.onclose = () => void wisp.close();
// The transport of the first major does not hear that its client left.
process.stdin.on("end", () => server.close());

server.registerTool("erase_note", { inputSchema: { file: z.string() } }, ({ file }, extra) => {
  const state = async () => ({ [file]: await readFile(file) });
  const about = { tool: "erase_note", title: "Erase a note", arguments: { file }, state };
  return wisp.ask(extra, about, async () => {
    await rm(file);
    return { content: [{ type: "text", text: `Erased ${file}.` }] };
  });
});

server.registerTool("file_note", { inputSchema: { file: z.string() } }, async ({ file }, extra) => {
  const options = ["work", "home"].map((value) => ({ value, label: `At ${value}` }));
  const reply = await wisp.question(extra, { question: `Where does ${file} belong?`, options });
  if (reply.kind !== "answered") return reply.result;
  return { content: [{ type: "text", text: `It belongs to: ${reply.values}` }] };
});

await server.connect(new StdioServerTransport());
