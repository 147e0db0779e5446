import { readFile, rm } from "node:fs/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { createWisp } from "wisp-broker/mcp";
import * as z from "zod";

const noteInput = z.object({ file: z.string() });

export function notesServer(makeWisp = createWisp) {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const wisp = makeWisp({ name: "notes", server });
  server.server.onclose = () => void wisp.close();

  server.registerTool("erase_note", { inputSchema: noteInput }, ({ file }, ctx) => {
    const state = async () => ({ [file]: await readFile(file) });
    const about = { tool: "erase_note", title: "Erase a note", arguments: { file }, state };
    return wisp.ask(ctx, about, async () => {
      await rm(file);
      return { content: [{ type: "text", text: `Erased ${file}.` }] };
    });
  });

  server.registerTool("file_note", { inputSchema: noteInput }, async ({ file }, ctx) => {
    const options = ["work", "home"].map((value) => ({ value, label: `At ${value}` }));
    const reply = await wisp.question(ctx, { question: `Where does ${file} belong?`, options });
    if (reply.kind !== "answered") return reply.result;
    return { content: [{ type: "text", text: `It belongs to: ${reply.values}` }] };
  });

  return server;
}
