/**
 * A client with an agent: starts a server below itself and speaks JSON-RPC to it, and runs the lines that its agent's
 * shell is told. Started as `agent-client.mjs NAME PROGRAM ...`; hears over IPC what to call and what to run, and says
 * what came of it. Leaves when it is told to, and with its IPC.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [name, program = "", ...args] = process.argv.slice(2);
const { NODE_CHANNEL_FD: _channel, NODE_CHANNEL_SERIALIZATION_MODE: _mode, ...environment } = process.env;

const server = spawn(program, args, { env: environment, stdio: ["pipe", "pipe", "ignore"] });
/** @type {Set<import("node:child_process").ChildProcess>} */
const children = new Set([server]);

/** @type {(id: number | null, method: string, params: object) => void} */
const send = (id, method, params) =>
  void server.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", ...(id !== null && { id }), method, params })}\n`,
  );

const ids = { initialize: 1, call: 2 };

createInterface({ input: server.stdout }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "notifications/progress") process.send?.({ progress: params.message });
  else if (id === ids.call) process.send?.({ result });
  else if (id === ids.initialize) {
    send(null, "notifications/initialized", {});
    process.send?.({ ready: true });
  }
});

process.on("message", (message) => {
  const { tool, call, line, leave } =
    /** @type {{ tool?: string, call?: object, line?: string, leave?: true }} */ (message);
  if (leave) {
    server.stdout.on("close", end);
    server.stdin.end();
  }
  if (call !== undefined) {
    send(ids.call, "tools/call", { name: tool, arguments: call, _meta: { progressToken: "p" } });
  }
  if (line === undefined) return;
  const shell = spawn("sh", ["-c", line], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  children.add(shell);
  let out = "";
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      out += text;
      process.send?.({ heard: out });
    });
  }
  shell.on("close", (exit) => process.send?.({ ran: { exit, out } }));
});
process.on("disconnect", end);

function end() {
  for (const child of children) child.kill();
  process.exit();
}

send(ids.initialize, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name, version: "1.0.0" },
});
