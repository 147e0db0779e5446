/**
 * The server behind a gate or a relay, in bare Node and without the SDK: it lists tools as a server of files does, and
 * answers each call with a text as long as the call asks for. It reads no file.
 */
import { createInterface } from "node:readline";

const path = { type: "string", description: "A file below one of the directories." };
const head = { type: "integer", description: "So many bytes of it." };

const tools = ["read_text_file", "list_directory", "search_files", "write_file"].map((name) => ({
  name,
  description: `What ${name} does, in the words of a server of files.`,
  inputSchema: { type: "object", properties: { path, head }, required: ["path"] },
}));

const texts = new Map<number, string>();

/** Words and line ends, as in a file; the same for each call. */
function textOf(bytes: number): string {
  const text =
    texts.get(bytes) ?? JSON.stringify("a line of a file\n".repeat(bytes / 17 + 1).slice(0, bytes));
  texts.set(bytes, text);
  return text;
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = resultOf(method, params);
  if (result !== null)
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
});

function resultOf(method: unknown, params: { readonly arguments: { readonly head: number } }): string | null {
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "files", version: "1.0.0" };
      return JSON.stringify({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
    }
    case "ping":
      return "{}";
    case "tools/list":
      return JSON.stringify({ tools });
    case "tools/call":
      return `{"content":[{"type":"text","text":${textOf(params.arguments.head)}}]}`;
    default:
      return null;
  }
}
