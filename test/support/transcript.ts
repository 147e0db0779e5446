/**
 * A script that a client writes line by line, and every byte that came back: run on a server directly and on the same one
 * behind a gate, the two can be compared.
 */
import { spawn } from "node:child_process";
import { expect, onTestFinished } from "vitest";

/** What the client writes at once, and what has to come before it goes on. */
export interface Step {
  /** Each is one line: an object as JSON, a text as it stands. */
  readonly sends: readonly (object | string)[];
  /** An answer under this id, or a message of this method, since the step began; nothing where it is left out. */
  readonly until?: { readonly answer: unknown } | { readonly method: string };
}

/** A request of the client's, up to its answer. */
export function asks(id: unknown, method: string, params?: object): Step {
  return {
    sends: [{ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) }],
    until: { answer: id },
  };
}

/** A call of a tool up to its answer. */
export function calls(id: unknown, name: string, given: object = {}, meta?: object): Step {
  return asks(id, "tools/call", { name, arguments: given, ...(meta !== undefined && { _meta: meta }) });
}

/** A request during which the server asks the client: up to its question. */
export function asksUntil(method: string, request: Step): Step {
  return { ...request, until: { method } };
}

/** The client's answer to the server, up to the end of what it was asked for. */
export function answers(id: unknown, result: object, until: unknown): Step {
  return { sends: [{ jsonrpc: "2.0", id, result }], until: { answer: until } };
}

/** A notification, for which nobody waits. */
export function tells(method: string, params?: object): Step {
  return { sends: [{ jsonrpc: "2.0", method, ...(params !== undefined && { params }) }] };
}

/** How a client of the 2025 era begins, under the id 0. */
export function introduces(capabilities: object = {}): readonly Step[] {
  const clientInfo = { name: "script", version: "1", unheardOf: true };
  return [
    asks(0, "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo }),
    tells("notifications/initialized"),
  ];
}

/** What came of a script. */
export interface Transcript {
  /** Everything on standard output, byte by byte, up to the end of the server. */
  readonly output: Buffer;
  /** The same as lines. */
  readonly lines: readonly string[];
  readonly errors: string;
  /** How it ended: its status, or the signal. */
  readonly end: number | string | null;
}

/** Where the script runs. */
export interface ScriptPlace {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs `steps` on what `argv` starts; at their end the client leaves. */
export async function transcriptOf(
  argv: readonly string[],
  steps: readonly Step[],
  { directory, environment }: ScriptPlace,
): Promise<Transcript> {
  const [program = process.execPath, ...args] = argv;
  const child = spawn(program, args, { cwd: directory, env: environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | string | null>((resolve) =>
    child.on("close", (code, signal) => resolve(signal ?? code)),
  );
  const chunks: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => void chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => void errors.push(chunk));
  child.stdin.on("error", () => undefined);
  const output = (): Buffer => Buffer.concat(chunks);
  for (const step of steps) {
    const from = linesIn(output()).length;
    const lines = step.sends.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    child.stdin.write(lines.map((line) => `${line}\n`).join(""));
    if (step.until === undefined) continue;
    const isReached = (): boolean =>
      linesIn(output())
        .slice(from)
        .some((line) => fits(line, step.until));
    const message = `${lines.join("\n")}\n${errors.join("")}`;
    await expect.poll(isReached, { message, interval: 5, timeout: 20_000 }).toBe(true);
  }
  child.stdin.end();
  const end = await ended;
  return { output: output(), lines: linesIn(output()), errors: errors.join(""), end };
}

/** Whole lines alone: the rest of one is still to come. */
function linesIn(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\n").slice(0, -1);
}

/** Is `line` what a step waits for? */
export function fits(line: string, until: Step["until"]): boolean {
  let message: { readonly id?: unknown; readonly method?: unknown };
  try {
    message = JSON.parse(line);
  } catch {
    return false;
  }
  if (until === undefined || typeof message !== "object" || message === null) return false;
  return "method" in until
    ? message.method === until.method
    : message.method === undefined && message.id === until.answer;
}
