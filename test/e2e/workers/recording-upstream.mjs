/**
 * A server on stdio that keeps every byte it is sent in the file that its first argument names, and answers what it
 * understands. With `noisy` it prints what is no message, and more to standard error than a pipe holds, before it begins.
 * With `stubborn` it ends neither with its input nor by TERM, nor does what it starts; the ids of both stand in the file.
 */
import { spawn } from "node:child_process";
import { appendFileSync, writeSync } from "node:fs";

const [, , file = "", mode] = process.argv;
const standardError = 2;
let rest = "";

if (mode === "noisy") {
  process.stdout.write("recording server, listening\n\n[1, 2]\n");
  for (let count = 0; count < 300; count += 1) writeSync(standardError, `${"noise ".repeat(200)}\n`);
}

if (mode === "stubborn") {
  const started = spawn("/bin/sh", ["-c", 'trap "" TERM; while :; do sleep 600; done'], { stdio: "inherit" });
  process.on("SIGTERM", () => undefined);
  appendFileSync(file, `${process.pid} ${started.pid}\n`);
}

process.stdin.on("data", (chunk) => {
  appendFileSync(file, chunk);
  const lines = (rest + chunk.toString("utf8")).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) answer(JSON.parse(line));
});

/** @param {{ id?: unknown, method?: string, params?: any }} message */
function answer({ id, method, params }) {
  if (id === undefined || method === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) })}\n`);
}

/**
 * @param {string} method
 * @param {any} params
 */
function resultOf(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "recording", version: "1" },
      };
    case "tools/list":
      return { tools: ["read", "wipe"].map((name) => ({ name, inputSchema: { type: "object" } })) };
    case "tools/call":
      return { content: [{ type: "text", text: `${params.name} ran` }] };
    default:
      return {};
  }
}
