/**
 * A stand-in for the model behind a client: answers its HTTP interface on loopback with what a test scripted, and
 * is its proxy, too, so that whatever wants to go elsewhere is noted and goes nowhere.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What the model does next: call a tool, or say its last words. */
export type Turn =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly says: string };

export interface Model {
  /** For the client's setting of where the model is. */
  readonly url: string;
  /** The bodies of all requests that offered `tool`, as JSON, oldest first. */
  readonly asked: readonly string[];
  /** Hosts that the client wanted to reach beside the model. */
  readonly elsewhere: readonly string[];
}

/**
 * Takes one turn with each request that offers `tool`; with any other, and once the turns are used up, it says
 * nothing of interest. Ends with the running test.
 */
export async function startModel(tool: string, turns: readonly Turn[]): Promise<Model> {
  const asked: string[] = [];
  const elsewhere: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method !== "POST" || !request.url?.startsWith("/v1/messages?")) {
      response.writeHead(404).end("{}");
      return;
    }
    const isOffered = (JSON.parse(body) as Asked).tools?.some(({ name }) => name === tool) ?? false;
    const turn = isOffered ? turns[asked.length] : undefined;
    if (isOffered) asked.push(body);
    stream(response, turn ?? { says: "nothing" }, asked.length);
  });
  server.on("connect", ({ url = "" }, socket) => {
    elsewhere.push(url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, elsewhere };
}

interface Asked {
  readonly tools?: readonly { readonly name: string }[];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  request.setEncoding("utf8");
  for await (const text of request) body += text;
  return body;
}

/** Server-sent events, as the client expects them of a model that streams. */
function stream(response: ServerResponse, turn: Turn, number: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const isCall = "tool" in turn;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${number}`, type: "message", role: "assistant", model: "stand-in", content: [] };
  send("message_start", { message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  send("content_block_start", {
    index: 0,
    content_block: isCall
      ? { type: "tool_use", id: `toolu_${number}`, name: turn.tool, input: {} }
      : { type: "text", text: "" },
  });
  send("content_block_delta", {
    index: 0,
    delta: isCall
      ? { type: "input_json_delta", partial_json: JSON.stringify(turn.input) }
      : { type: "text_delta", text: turn.says },
  });
  send("content_block_stop", { index: 0 });
  send("message_delta", {
    delta: { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null },
    usage,
  });
  send("message_stop", {});
  response.end();
}
