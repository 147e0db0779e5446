/** A client of MCP on the pipes of a process, as small as can be: the same for what is measured and for its floor. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nowUs } from "./worker.js";

export interface StdioClient {
  readonly pid: number;
  /** One allowed call whose answer holds `bytes` of text: microseconds from before it is written until its line is read. */
  call(bytes: number): Promise<number>;
  /** A `ping`, which is answered with nothing. */
  ping(): Promise<number>;
  /** Ends it by the end of its input. Rejects when it does not end with 0. */
  close(): Promise<void>;
}

/** What it runs, and where. */
export interface StdioRun {
  readonly words: readonly string[];
  /** The person's own as well: the home lies in it. */
  readonly directory: string;
}

/** Starts `node` with `words`, and does what a client does first: `initialize`, and the list of the tools. */
export async function startStdioClient({ words, directory }: StdioRun): Promise<StdioClient> {
  const child = spawn(process.execPath, words, {
    cwd: directory,
    env: { PATH: process.env.PATH ?? "", HOME: directory },
    stdio: ["pipe", "pipe", "pipe"],
  });
  live.add(child);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let pieces: Buffer[] = [];
  let answered: (line: Buffer) => void = () => undefined;
  let lost: (why: Error) => void = () => undefined;
  child.on("close", (code) => {
    live.delete(child);
    lost(new Error(`${words.join(" ")} ended with ${code} before it answered: ${said.slice(0, 500)}`));
  });
  child.stdout.on("data", (chunk: Buffer) => {
    pieces.push(chunk);
    if (chunk.at(-1) !== newline) return;
    const line = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    pieces = [];
    answered(line);
  });

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  function ask(message: object): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      answered = resolve;
      lost = reject;
      send(message);
    });
  }

  let lastId = 0;
  async function request(method: string, params: object): Promise<Buffer> {
    lastId += 1;
    return await ask({ id: lastId, method, params });
  }

  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  send({ method: "notifications/initialized" });
  await request("tools/list", {});
  const path = fileIn(directory);

  async function timed(method: string, params: object, check: (result: unknown) => boolean): Promise<number> {
    const startedAt = nowUs();
    const line = await request(method, params);
    const us = nowUs() - startedAt;
    // A refusal is fast.
    const { id, result } = JSON.parse(line.toString("utf8"));
    if (id === lastId && check(result)) return us;
    throw new Error(`The answer to ${method} is another one: ${line.toString("utf8", 0, 300)}`);
  }

  return {
    pid: child.pid ?? 0,
    call: (bytes) =>
      timed("tools/call", { name: "read_text_file", arguments: { path, head: bytes } }, (result) =>
        isText(result, bytes),
      ),
    ping: () => timed("ping", {}, (result) => JSON.stringify(result) === "{}"),
    async close() {
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${said.slice(0, 500)}`);
    },
  };
}

function isText(result: unknown, bytes: number): boolean {
  const { content } = (result ?? {}) as { readonly content?: readonly { readonly text?: string }[] };
  return content?.[0]?.text?.length === bytes;
}

/** The file that each call names, below the directory of the server. */
export function fileIn(directory: string): string {
  return join(directory, "src/notes/today.txt");
}

/** KiB of memory that process `pid` holds now. */
export function residentKiBOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kib === undefined) throw new Error(`Process ${pid} has no memory of its own.`);
  return Number(kib);
}

const newline = 0x0a;

/** None outlives the benchmark, however that ends. */
const live = new Set<ChildProcess>();
process.prependListener("exit", () => {
  for (const child of live) child.kill("SIGKILL");
});
