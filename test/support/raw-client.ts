/**
 * An MCP client that is nothing but JSON-RPC: it keeps every message in the order it came, sends what a test says
 * and answers only when told, so that tests can assert the wire itself.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { InMemoryTransport } from "@modelcontextprotocol/server";

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: ToolResult;
  readonly error?: { readonly code: number; readonly message: string };
}

/** As much of a result as tests look at. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface Introduction {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly revision?: string;
  readonly name?: string;
}

/** What a client that shows forms declares. */
export const showsForms = { elicitation: {} };

export class RawClient {
  /** Every message that came, in order. */
  readonly received: Message[] = [];
  readonly #send: (message: Message) => void;
  #waiting: { readonly fits: (message: Message) => boolean; readonly resolve: (message: Message) => void }[] =
    [];
  #nextId = 1;

  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  /** Takes a message from the server; called by the wire. */
  receive(message: Message): void {
    this.received.push(message);
    const due = this.#waiting.filter((one) => one.fits(message));
    this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    for (const one of due) one.resolve(message);
  }

  /** The first message that fits, whether it came already or is still to come. */
  first(fits: (message: Message) => boolean): Promise<Message> {
    const found = this.received.find(fits);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => this.#waiting.push({ fits, resolve }));
  }

  /** The first message of this method. */
  firstOf(method: string): Promise<Message> {
    return this.first((message) => message.method === method);
  }

  allOf(method: string): readonly Message[] {
    return this.received.filter((message) => message.method === method);
  }

  /** Where in the order of arrival the message stands. */
  placeOf(message: Message): number {
    return this.received.indexOf(message);
  }

  /** Sends a request without waiting; its response comes through `responseTo`. */
  request(method: string, params: Readonly<Record<string, unknown>> = {}): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  responseTo(id: number): Promise<Message> {
    return this.first((message) => message.id === id && message.method === undefined);
  }

  hasResponseTo(id: number): boolean {
    return this.received.some((message) => message.id === id && message.method === undefined);
  }

  notify(method: string, params: Readonly<Record<string, unknown>> = {}): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Answers a request of the server. */
  answer(request: Message, result: Readonly<Record<string, unknown>>): void {
    this.#send({ jsonrpc: "2.0", id: idOf(request), result });
  }

  /** Answers a request of the server with a JSON-RPC error. */
  refuse(request: Message, code: number, message = "refused"): void {
    this.#send({ jsonrpc: "2.0", id: idOf(request), error: { code, message } });
  }

  async initialize({
    capabilities = {},
    revision = "2025-11-25",
    name = "raw",
  }: Introduction = {}): Promise<Message> {
    const id = this.request("initialize", {
      protocolVersion: revision,
      capabilities,
      clientInfo: { name, version: "1.0.0" },
    });
    const response = await this.responseTo(id);
    this.notify("notifications/initialized");
    return response;
  }

  /** Calls a tool without waiting; the response comes through `responseTo` or `resultOf`. */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    meta: Readonly<Record<string, unknown>> = {},
  ): number {
    return this.request("tools/call", {
      name,
      arguments: args,
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    });
  }

  async resultOf(id: number): Promise<ToolResult> {
    const { result, error } = await this.responseTo(id);
    if (result === undefined) throw new Error(`The call failed: ${error?.message}`);
    return result;
  }

  /** A question to which the answer is known: once it is there, everything sent before has been read. */
  async roundTrip(): Promise<void> {
    await this.responseTo(this.request("ping"));
  }
}

function idOf(request: Message): string | number {
  if (request.id === undefined) throw new Error("Only a request can be answered.");
  return request.id;
}

/** A client at one end of a wire in memory; the server's end is the transport. */
export async function memoryClient(): Promise<{
  readonly client: RawClient;
  readonly transport: InMemoryTransport;
  /** The client goes away. */
  readonly leave: () => Promise<void>;
}> {
  const [near, transport] = InMemoryTransport.createLinkedPair();
  const client = new RawClient((message) => void near.send(message as Parameters<typeof near.send>[0]));
  near.onmessage = (message) => client.receive(message as Message);
  await near.start();
  return { client, transport, leave: () => near.close() };
}

export interface ServerProcess {
  readonly client: RawClient;
  readonly child: ChildProcess;
  /** Lines on standard output that are not JSON. */
  readonly strayLines: string[];
  readonly errors: () => string;
  /** How the process ended, once it has. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts a server over stdio. Nothing of this process's environment but PATH and HOME reaches it. */
export function startServer(
  argv: readonly string[],
  options: { readonly environment?: Readonly<Record<string, string>>; readonly directory?: string } = {},
): ServerProcess {
  const [program = process.execPath, ...args] = argv;
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(program, args, {
    cwd: options.directory,
    env: { PATH, HOME, ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { stdin, stdout, stderr } = child;
  const client = new RawClient((message) => stdin.write(`${JSON.stringify(message)}\n`));
  const strayLines: string[] = [];
  let errors = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  // A server that has gone closes the pipe under a test that still writes; the test sees the end by `ended`.
  stdin.on("error", () => {});
  createInterface({ input: stdout }).on("line", (line) => {
    const message = parsed(line);
    if (message === null) strayLines.push(line);
    else client.receive(message);
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return { client, child, strayLines, errors: () => errors, ended };
}

function parsed(line: string): Message | null {
  try {
    return JSON.parse(line);
  } catch {
    // JSON.parse throws a SyntaxError and nothing else: the line is stray.
    return null;
  }
}
