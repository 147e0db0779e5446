/**
 * Streamable HTTP in front of a server on stdio, for programs that speak nothing else. It looks at no more of a message
 * than says whose it is: each session has a server of its own, and so has each request that belongs to none, while it lasts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
}

/** A server, and the responses that are open to its client. */
interface Spliced {
  readonly child: ChildProcess;
  /** By the ids of requests; null for the one that belongs to no request. */
  readonly open: Map<unknown, ServerResponse>;
}

/** Where the servers run. */
export interface SplicePlace {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Listens until the running test ends; returns the address. */
export async function splicedServer(argv: readonly string[], place: SplicePlace): Promise<URL> {
  const all: Spliced[] = [];
  const sessions = new Map<string, Spliced>();
  const idle: Spliced[] = [];

  function started(): Spliced {
    const one = startSpliced(argv, place);
    all.push(one);
    return one;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = request.headers["mcp-session-id"];
    const session = typeof known === "string" ? sessions.get(known) : undefined;
    if (known !== undefined && session === undefined) return void response.writeHead(404).end();
    if (request.method === "POST") return await post(JSON.parse(await text(request)), session, response);
    if (session === undefined) return void response.writeHead(405).end();
    if (request.method === "GET") return openStream(session, null, response);
    session.child.stdin?.end();
    sessions.delete(`${known}`);
    response.writeHead(200).end();
  }

  async function post(message: Message, session: Spliced | undefined, response: ServerResponse) {
    if (message.method === "initialize") {
      const id = `session-${sessions.size}-${all.length}`;
      const opened = started();
      sessions.set(id, opened);
      response.setHeader("mcp-session-id", id);
      return send(message, opened, response);
    }
    if (session !== undefined) return send(message, session, response);
    // A server serves the era of what it hears first: one that heard of no era is not used for another.
    const isModern = message.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
    const one = (isModern ? idle.pop() : undefined) ?? started();
    response.on("close", () => {
      if (isModern && response.writableFinished) idle.push(one);
      else one.child.kill("SIGKILL");
    });
    send(message, one, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const { child } of all) child.kill("SIGKILL");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

function startSpliced(argv: readonly string[], { directory, environment }: SplicePlace): Spliced {
  const [program = process.execPath, ...args] = argv;
  const child = spawn(program, args, {
    cwd: directory,
    env: environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  const open: Spliced["open"] = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, method } = JSON.parse(line) as Message;
    const isAnswer = method === undefined;
    const stream = isAnswer ? open.get(id) : ([...open.values()].at(-1) ?? open.get(null));
    stream?.write(`event: message\ndata: ${line}\n\n`);
    if (isAnswer) stream?.end();
  });
  return { child, open };
}

function send(message: Message, { child, open }: Spliced, response: ServerResponse): void {
  child.stdin?.write(`${JSON.stringify(message)}\n`);
  const isRequest = message.method !== undefined && "id" in message;
  if (isRequest) openStream({ child, open }, message.id, response);
  else response.writeHead(202).end();
}

function openStream({ open }: Spliced, id: unknown, response: ServerResponse): void {
  open.set(id, response);
  response.on("close", () => void open.delete(id));
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
}
