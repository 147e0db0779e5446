/** A script that a client of Streamable HTTP posts message by message, without an SDK, and every message that came back. */
import { expect, onTestFinished } from "vitest";
import { fits, type Step } from "./transcript.js";

/** What a message says of itself in headers, in the era that has it so. */
type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly requestId?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
};

const revisionKey = "io.modelcontextprotocol/protocolVersion";

/** Runs `steps` on the server at `url`: the messages as lines, in the order in which they came. */
export async function httpTranscriptOf(url: URL, steps: readonly Step[]): Promise<readonly string[]> {
  const lines: string[] = [];
  /** What goes with every message once the server has named it. */
  const session: Record<string, string> = {};
  /** Of requests of the 2026 era, whose end is that of their exchange. */
  const exchanges = new Map<unknown, AbortController>();
  const everything = new AbortController();
  onTestFinished(() => everything.abort());

  async function post(text: string): Promise<void> {
    const { id, method, params }: Message = JSON.parse(text);
    const revision = params?._meta?.[revisionKey];
    if (method === "notifications/cancelled" && exchanges.has(params?.requestId)) {
      exchanges.get(params?.requestId)?.abort();
      return;
    }
    const exchange = new AbortController();
    if (typeof revision === "string") exchanges.set(id, exchange);
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
        ...session,
        ...(typeof revision === "string" && { "mcp-protocol-version": revision, "mcp-method": `${method}` }),
        ...(typeof revision === "string" && typeof params?.name === "string" && { "mcp-name": params.name }),
      },
      body: text,
      signal: AbortSignal.any([exchange.signal, everything.signal]),
    });
    const named = response.headers.get("mcp-session-id");
    if (named !== null)
      Object.assign(session, { "mcp-session-id": named, "mcp-protocol-version": "2025-11-25" });
    // What was cancelled is broken off.
    void read(response).catch(() => undefined);
    if (method === "notifications/initialized") void hear().catch(() => undefined);
  }

  /** What the server says without being asked. */
  async function hear(): Promise<void> {
    const headers = { accept: "text/event-stream", ...session };
    void read(await fetch(url, { headers, signal: everything.signal })).catch(() => undefined);
  }

  async function read(response: Response): Promise<void> {
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (response.body === null) return;
    let rest = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + piece).split("\n");
      rest = parts.pop() ?? "";
      if (isStream)
        for (const part of parts) if (part.startsWith("data: {")) lines.push(part.slice("data: ".length));
    }
    if (!isStream && rest !== "") lines.push(rest);
  }

  for (const { sends, until } of steps) {
    const from = lines.length;
    for (const one of sends) {
      const posted = post(typeof one === "string" ? one : JSON.stringify(one));
      // The answer to a request begins when there is something to say, and a step waits for what is said.
      if (until === undefined || from === 0) await posted;
      else void posted.catch(() => undefined);
    }
    if (until === undefined) continue;
    const isReached = (): boolean => lines.slice(from).some((line) => fits(line, until));
    await expect.poll(isReached, { message: JSON.stringify(sends), interval: 5, timeout: 20_000 }).toBe(true);
  }
  return lines;
}
