/**
 * An upstream server at an address, over Streamable HTTP. The transport parses what comes, so lines from it are written
 * anew: the values are those that were sent as far as JavaScript holds their numbers, blanks are not, and what is no message of
 * JSON-RPC never arrives. Messages are not kept in their order, but for the client's word that it is ready. Invariant: what was sent and will not be answered is told, by its id; a request that is cancelled is not left running.
 */
import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { type Clock, shownText, withoutCredentials } from "../../../broker/index.js";
import { authorizationFor } from "./address.js";
import { type FrameId, isFrameId } from "./client-frame.js";
import { isUnconnected, reasonOf, UnsentError } from "./http-loss.js";
import { isObject, type JsonObject, messageIn, objectIn } from "./json-object.js";
import { createFlow, limitedFetch } from "./limited-fetch.js";
import type { LineListener } from "./lines.js";
import { headersFor, type MarkedParam, paramHeadersIn } from "./param-headers.js";
import { readUpstreamFrame, type UpstreamFrame } from "./upstream-frame.js";
import type { Upstream, UpstreamEnd } from "./upstream-stdio.js";

/** Where it is, and who hears of it. */
export interface HttpUpstreamOptions {
  /** One that `addressObjection` says nothing against. Name and password in it are sent as such, and only there. */
  readonly url: URL;
  /** Sent as a bearer token with each message, and to no other origin; null for none. Nobody is told what it is. */
  readonly bearer: string | null;
  readonly clock: Clock;
  /** The longest message that is read. */
  readonly mostBytes: number;
  readonly lines: Pick<LineListener<UpstreamFrame>, "line">;
  /** What was sent under `id` is not answered, for the reason given in words; unless it is unsent, it may have arrived. */
  readonly onLost: (id: FrameId, why: string, isUnsent: boolean) => void;
  /** One line for whoever looks at what this process says, safe to show: what nobody waits for could not be delivered. */
  readonly say: (line: string) => void;
  /** It was left. It never ends by itself: each message is an exchange of its own. */
  readonly onEnd: (end: UpstreamEnd) => void;
}

/** A request that waits for its answer. */
interface Exchange {
  readonly abort: AbortController;
  readonly isInitialize: boolean;
  readonly isListing: boolean;
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
  const { url, bearer, clock, mostBytes, lines, onLost, onEnd, say } = options;
  const exchanges = new Map<FrameId, Exchange>();
  /** By tool, as it was listed last. */
  const marked = new Map<string, readonly MarkedParam[]>();
  /** Of what the server has answered something to already, be it where else to go. */
  const reached = new Set<FrameId>();
  let isLeft = false;
  let isOver = false;
  const flow = createFlow();
  const transport = new StreamableHTTPClientTransport(withoutCredentials(url), {
    fetch: answeringFetch(limitedFetch(mostBytes, flow), reached),
    requestInit: { headers: authorizationFor(url, bearer) },
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
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    lines.line(line, readUpstreamFrame(line));
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
    if (exchanges.get(id)?.isListing === true) {
      for (const [tool, params] of paramHeadersIn(objectIn(message, "result"))) marked.set(tool, params);
    }
    exchanges.delete(id);
  }

  async function tell(message: JsonObject): Promise<void> {
    try {
      await transport.send(asMessage(message));
    } catch (error) {
      // Nobody waits for an answer to it.
      const what = typeof message.method === "string" ? message.method : "an answer of the client";
      if (!isLeft) say(`${shownText(what)} did not get to the server. ${reasonOf(error)}`);
    }
  }

  async function ask(id: FrameId, message: JsonObject): Promise<void> {
    const exchange: Exchange = {
      abort: new AbortController(),
      isInitialize: message.method === "initialize",
      isListing: message.method === "tools/list",
      isModern: Object.hasOwn(objectIn(message.params, "_meta"), PROTOCOL_VERSION_META_KEY),
    };
    exchanges.set(id, exchange);
    function lost(why: string, isUnsent = false): void {
      if (exchanges.get(id) !== exchange || isLeft) return;
      exchanges.delete(id);
      onLost(id, why, isUnsent);
    }
    await isReady;
    reached.delete(id);
    try {
      await transport.send(asMessage(message), {
        headers: exchange.isModern ? headersOf(message) : {},
        requestSignal: exchange.abort.signal,
        onRequestStreamEnd: () => lost("The server ended its answer before it was whole."),
      });
    } catch (error) {
      lost(reasonOf(error), error instanceof UnsentError);
    } finally {
      reached.delete(id);
    }
  }

  function headersOf({ method, params }: JsonObject): Record<string, string> {
    const name = method === "tools/call" && isObject(params) ? params.name : null;
    const wanted = typeof name === "string" ? marked.get(name) : undefined;
    return wanted === undefined ? {} : headersFor(wanted, objectIn(params, "arguments"));
  }

  function cancel(id: FrameId, exchange: Exchange, message: JsonObject): void {
    exchanges.delete(id);
    // First: a late answer must not come under an id that may be another's by then.
    exchange.abort.abort();
    if (!exchange.isModern) void tell(message);
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
        return "later";
      }
      const about = method === "notifications/cancelled" ? objectIn(message, "params").requestId : null;
      const exchange = isFrameId(about) ? exchanges.get(about) : undefined;
      if (exchange !== undefined && isFrameId(about)) cancel(about, exchange, message);
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
function answeringFetch(fetched: Fetch, reached: Set<FrameId>): Fetch {
  return async (url, init) => {
    const id = requestIn(init?.body);
    const response = await fetched(url, init).catch((error: unknown) => {
      // Where the server has sent us on, it may have done what was asked all the same.
      const isUnsent = isUnconnected(error) && (id === null || !reached.has(id));
      throw isUnsent ? new UnsentError("No connection.", { cause: (error as Error).cause }) : error;
    });
    if (id === null) return response;
    reached.add(id);
    if (response.status === accepted) throw new SyntaxError("No answer came.");
    return response.ok ? response : await answeringResponse(response, id);
  };
}

/** An error that answers the request is its answer, whatever status it came with. */
async function answeringResponse(response: Response, id: FrameId): Promise<Response> {
  const { status, statusText, headers } = response;
  if (headers.get("content-type")?.startsWith("application/json") !== true) return response;
  const body = await response.text();
  const message = messageIn(Buffer.from(body));
  const isAnswer = message !== null && message.id === id && isObject(message.error);
  return new Response(body, isAnswer ? { headers } : { status, statusText, headers });
}

type Fetch = ReturnType<typeof limitedFetch>;

const accepted = 202;

/** The id of the request in a body; null where it holds none. */
function requestIn(body: unknown): FrameId | null {
  const message = typeof body === "string" ? messageIn(Buffer.from(body)) : null;
  return message !== null && "method" in message && isFrameId(message.id) ? message.id : null;
}

/** It was read as one by the router. */
function asMessage(message: JsonObject): JSONRPCMessage {
  return message as JSONRPCMessage;
}
