/**
 * An upstream server at an address, over Streamable HTTP. The transport parses what comes, so lines from it are written
 * anew: the values are those that were sent, blanks are not, and what is no message of JSON-RPC never arrives. Invariant:
 * what was sent and will not be answered is told, by its id; a request that is cancelled is not left running.
 */
import {
  type JSONRPCMessage,
  SdkError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Clock } from "../../../broker/index.js";
import { hasEnvelope } from "../../mcp/peer.js";
import { credentialsIn, withoutCredentials } from "./address.js";
import type { FrameId } from "./client-frame.js";
import { isObject, type JsonObject, messageIn, objectIn } from "./json-object.js";
import { createFlow, type Flow, limitedFetch } from "./limited-fetch.js";
import type { LineListener } from "./lines.js";
import type { Upstream, UpstreamEnd } from "./upstream-stdio.js";

/** Where it is, and who hears of it. */
export interface HttpUpstreamOptions {
  /** One that `addressObjection` says nothing against. Name and password in it are sent as such, and only there. */
  readonly url: URL;
  readonly clock: Clock;
  /** The longest message that is read. */
  readonly mostBytes: number;
  readonly line: LineListener["line"];
  /** What was sent under `id` is not answered, for the reason given in words; it may have arrived. */
  readonly onLost: (id: FrameId, why: string) => void;
  /** It was left. It never ends by itself: each message is an exchange of its own. */
  readonly onEnd: (end: UpstreamEnd) => void;
}

/** A request that waits for its answer. */
interface Exchange {
  readonly abort: AbortController;
  readonly isInitialize: boolean;
  /** Of the 2026 era, where to close the exchange is to cancel. */
  readonly isModern: boolean;
}

/** So long the server may take to end the session. */
const longestEndMs = 300;
/** As the SDK does it. */
const reconnection = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};

/** Nothing is sent before the first message. */
export function openHttpUpstream(options: HttpUpstreamOptions): Upstream {
  const { url, clock, mostBytes, line, onLost, onEnd } = options;
  const exchanges = new Map<FrameId, Exchange>();
  let isLeft = false;
  let isOver = false;
  const flow = createFlow();
  const transport = new StreamableHTTPClientTransport(withoutCredentials(url), {
    fetch: answeringFetch(mostBytes, flow),
    requestInit: { headers: credentialsIn(url) },
    redirectPolicy: "same-origin",
    reconnectionOptions: reconnection,
    reconnectionScheduler(reconnect, delayMs) {
      const timer = clock.after(delayMs, reconnect, true);
      return () => timer.cancel();
    },
  });
  // What fails is told where it was sent.
  transport.onerror = () => undefined;
  transport.onmessage = (message) => {
    const came: JsonObject = { ...message };
    if (isFrameId(came.id) && !("method" in came)) answered(came.id, came);
    line(Buffer.from(`${JSON.stringify(message)}\n`));
  };
  // It only makes ready.
  void transport.start();
  /** A server may refuse what overtakes the client's word that it is ready. */
  let isReady = Promise.resolve();

  function answered(id: FrameId, message: JsonObject): void {
    const { protocolVersion } = objectIn(message, "result");
    if (exchanges.get(id)?.isInitialize === true && typeof protocolVersion === "string") {
      transport.setProtocolVersion(protocolVersion);
    }
    exchanges.delete(id);
  }

  async function tell(message: JsonObject): Promise<void> {
    try {
      await transport.send(asMessage(message));
    } catch {
      // Nobody waits for an answer to it.
    }
  }

  async function ask(id: FrameId, message: JsonObject): Promise<void> {
    const exchange: Exchange = {
      abort: new AbortController(),
      isInitialize: message.method === "initialize",
      isModern: hasEnvelope(objectIn(message.params, "_meta")),
    };
    exchanges.set(id, exchange);
    function lost(why: string): void {
      if (exchanges.get(id) !== exchange || isLeft) return;
      exchanges.delete(id);
      onLost(id, why);
    }
    await isReady;
    try {
      await transport.send(asMessage(message), {
        requestSignal: exchange.abort.signal,
        onRequestStreamEnd: () => lost("The server ended its answer before it was whole."),
      });
    } catch (error) {
      lost(reasonOf(error));
    }
  }

  async function cancel(id: FrameId, exchange: Exchange, message: JsonObject): Promise<void> {
    exchanges.delete(id);
    if (!exchange.isModern) await tell(message);
    exchange.abort.abort();
  }

  function finish(): void {
    if (isOver) return;
    isOver = true;
    ending?.cancel();
    void transport.close();
    onEnd({ status: 0, why: "the gate left the server" });
  }

  let ending: ReturnType<Clock["after"]> | null = null;
  return {
    send(sent) {
      if (isLeft) return false;
      const message = messageIn(Buffer.from(sent));
      if (message === null) return false;
      const { id, method } = message;
      if (typeof method === "string" && isFrameId(id)) {
        void ask(id, message);
        return true;
      }
      const about = method === "notifications/cancelled" ? objectIn(message, "params").requestId : null;
      const exchange = isFrameId(about) ? exchanges.get(about) : undefined;
      if (exchange !== undefined && isFrameId(about)) void cancel(about, exchange, message);
      else if (method === "notifications/initialized") isReady = tell(message);
      else void isReady.then(() => tell(message));
      return true;
    },
    pause: () => flow.pause(),
    resume: () => flow.resume(),
    stop() {
      if (isLeft) return;
      isLeft = true;
      ending = clock.after(longestEndMs, finish, true);
      // A server keeps a session until it is told.
      transport.terminateSession().then(finish, finish);
    },
    kill() {
      isLeft = true;
      finish();
    },
  };
}

/** What was only taken, by a server that owes an answer, would be waited for without end. */
function answeringFetch(mostBytes: number, flow: Flow): ReturnType<typeof limitedFetch> {
  const fetched = limitedFetch(mostBytes, flow);
  return async (url, init) => {
    const response = await fetched(url, init);
    if (response.status === accepted && isRequest(init?.body)) throw new SyntaxError("No answer came.");
    return response;
  };
}

const accepted = 202;

function isRequest(body: unknown): boolean {
  const message = typeof body === "string" ? messageIn(Buffer.from(body)) : null;
  return message !== null && "method" in message && "id" in message;
}

/** It was read as one by the router. */
function asMessage(message: JsonObject): JSONRPCMessage {
  return message as JSONRPCMessage;
}

function isFrameId(id: unknown): id is FrameId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** Words of ours alone: what the server says of it would be shown as if we said it. */
function reasonOf(error: unknown): string {
  if (error instanceof SdkHttpError) return `The server refused it with HTTP status ${error.status}.`;
  const code = isObject(error) && isObject(error.cause) ? error.cause.code : null;
  if (typeof code === "string" && /^[A-Z0-9_]+$/.test(code)) {
    return `The server could not be reached, or the connection broke (${code}).`;
  }
  if (error instanceof SdkError || error instanceof SyntaxError) return "The server's answer is no message.";
  return "The server could not be reached, or its answer is no message.";
}
