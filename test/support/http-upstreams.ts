/** Upstreams at an address on this machine: one of the SDK that serves both eras, and such as answer anything else. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import {
  createMcpHandler,
  inputRequired,
  isLegacyRequest,
  McpServer,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { FrameId } from "../../src/server/gate/frames/client-frame.js";
import { openHttpUpstream } from "../../src/server/gate/frames/upstream-http.js";
import type { Upstream, UpstreamEnd } from "../../src/server/gate/frames/upstream-stdio.js";
import { FakeClock } from "./fake-clock.js";
import { lineOf } from "./routing.js";

/** Listens until the running test ends; returns the address. */
export async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<URL> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

/** An address where nobody listens any more. */
export async function deserted(): Promise<URL> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return new URL(`http://127.0.0.1:${port}/mcp`);
}

/** A server of the SDK, and what it has seen. */
export interface BothEras {
  readonly url: URL;
  /** Methods of HTTP, with the revision that each request was of. */
  readonly seen: string[];
  /** Tools whose calls were cancelled. */
  readonly cancelled: string[];
  /** Ends every session, as a server does that starts anew. */
  forget(): void;
}

/** Tools: `echo`, `slow`, which tells of its progress and then waits to be cancelled, and `ask`, which asks the client. */
export async function bothEras(): Promise<BothEras> {
  const seen: string[] = [];
  const cancelled: string[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const modern = createMcpHandler(() => serverOf("2026", cancelled), {
    legacy: "reject",
    responseMode: "sse",
  });
  onTestFinished(() => modern.close());

  async function legacy(request: Request, parsedBody: unknown): Promise<Response> {
    const known = request.headers.get("mcp-session-id");
    const session = known === null ? await opened() : sessions.get(known);
    if (session === undefined) return new Response("no such session", { status: 404 });
    return await session.handleRequest(request, { parsedBody });
  }

  async function opened(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `s${sessions.size}`,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await serverOf("2025", cancelled).connect(transport);
    onTestFinished(() => transport.close());
    return transport;
  }

  const url = await listening(async (incoming, response) => {
    seen.push(`${incoming.method} ${incoming.headers["mcp-protocol-version"] ?? "none"}`);
    const written = await text(incoming);
    const parsedBody: unknown = written === "" ? undefined : JSON.parse(written);
    const request = requestOf(incoming, response, url, written);
    const isLegacy = await isLegacyRequest(request.clone(), parsedBody);
    const answer = isLegacy ? await legacy(request, parsedBody) : await modern.fetch(request, { parsedBody });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(answer.body)
        .on("error", () => response.destroy())
        .pipe(response);
  });
  return { url, seen, cancelled, forget: () => sessions.clear() };
}

function requestOf(incoming: IncomingMessage, response: ServerResponse, url: URL, body: string): Request {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    `${value}`,
  ]);
  const method = incoming.method ?? "GET";
  return new Request(url, { method, headers, signal: gone.signal, ...(body !== "" && { body }) });
}

function serverOf(era: "2025" | "2026", cancelled: string[]): McpServer {
  const server = new McpServer({ name: "both", version: "1" });
  const said = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text: words }) =>
    said(words),
  );
  server.registerTool("slow", { inputSchema: z.object({}) }, async (_args, ctx: ServerContext) => {
    const { signal, _meta } = ctx.mcpReq;
    const progressToken = _meta?.progressToken ?? "none";
    await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    cancelled.push("slow");
    return said("cancelled");
  });
  server.registerTool("ask", { inputSchema: z.object({}) }, async (_args, ctx: ServerContext) => {
    const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };
    const form = { message: "Who?", requestedSchema };
    if (ctx.mcpReq.inputResponses !== undefined) return said(JSON.stringify(ctx.mcpReq.inputResponses));
    if (era === "2025") return said(JSON.stringify(await ctx.mcpReq.elicitInput(form)));
    return inputRequired({ inputRequests: { who: inputRequired.elicit({ mode: "form", ...form }) } });
  });
  return server;
}

/** A gate's end of the way to an address, with what came of it. */
export interface OpenedUpstream {
  readonly upstream: Upstream;
  readonly clock: FakeClock;
  readonly lines: Readonly<Record<string, unknown>>[];
  readonly lost: (readonly [id: FrameId, why: string])[];
  /** Of those the ids of which nothing can have arrived. */
  readonly unsent: FrameId[];
  /** What it said for whoever looks on. */
  readonly said: string[];
  readonly ends: UpstreamEnd[];
  /** Sends a message; false where it cannot be sent. */
  sends(message: unknown): boolean;
}

/** Leaves when the running test ends. */
export function openedUpstream(
  url: URL,
  mostBytes = 1_000_000,
  bearer: string | null = null,
): OpenedUpstream {
  const clock = new FakeClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const lost: (readonly [FrameId, string])[] = [];
  const unsent: FrameId[] = [];
  const said: string[] = [];
  const ends: UpstreamEnd[] = [];
  const upstream = openHttpUpstream({
    ...{ url, bearer, clock, mostBytes },
    say: (line) => void said.push(line),
    lines: { line: (line) => void lines.push(JSON.parse(line.toString())) },
    onLost(id, why, isUnsent) {
      lost.push([id, why]);
      if (isUnsent) unsent.push(id);
    },
    onEnd: (end) => void ends.push(end),
  });
  onTestFinished(() => upstream.kill());
  return {
    ...{ upstream, clock, lines, lost, unsent, said, ends },
    sends: (message) => upstream.send(lineOf(message)) !== false,
  };
}
