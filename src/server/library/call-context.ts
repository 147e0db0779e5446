/**
 * One call as a server of either major of the SDK hands it to a tool: who makes it, and the ways to its client. Nothing of
 * the first major is loaded: its shapes are enough.
 */
import { ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { WispError } from "../../broker/index.js";
import { isObject } from "../gate/frames/json-object.js";
import type { CallWire } from "../mcp/call-wire.js";
import { declaredIn, hasEnvelope, type Peer, peerFrom } from "../mcp/peer.js";
import type { ReturnedState } from "../mcp/request-state.js";

/** What the first major of the SDK (`@modelcontextprotocol/sdk`) hands to a tool as its last argument, as far as it matters here. */
export interface ContextV1 {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  sendRequest(
    request: MessageV1,
    resultSchema: typeof anyResult,
    options?: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<unknown>;
  sendNotification(notification: MessageV1): Promise<void>;
}

/** Looser than what is sent, so that the types of either major fit. */
interface MessageV1 {
  readonly method: string;
  readonly params?: object | undefined;
}

/** Whatever the client answers is judged where the form is known. */
const anyResult = z.looseObject({});

/** What a tool gets with a call: `ctx` of the second major, `extra` of the first. */
export type CallContext = ServerContext | ContextV1;

/** What a client declared when it introduced itself. */
interface Introduced {
  getClientCapabilities(): unknown;
  getClientVersion(): unknown;
  /** The first major does not tell it. */
  getNegotiatedProtocolVersion?(): unknown;
}

/** A server of either major: its `McpServer`, or the `Server` inside. */
export type AnyServer = Introduced | { readonly server: Introduced };

/** Throws invalid_input for what no server of either major hands to a tool: nothing could be asked, or taken back. */
export function checkContext(context: unknown): asserts context is CallContext {
  const call = isObject(context) ? (context.mcpReq ?? context) : null;
  const ways = call === context ? ["sendRequest", "sendNotification"] : ["send", "notify"];
  const isOne =
    isObject(call) &&
    isObject(call.signal) &&
    "aborted" in call.signal &&
    ways.every((way) => typeof call[way] === "function");
  if (isOne) return;
  throw new WispError("invalid_input", "That is no context of a call.", {
    why: "wisp asks through what the SDK hands to a tool as its last argument: `ctx`, or `extra` of its first major.",
    fix: "Pass that argument on as it is.",
  });
}

/** Who makes the call. Never throws. */
export function peerOfContext(server: AnyServer, context: CallContext): Peer {
  const { signal, _meta } = isV1(context) ? context : context.mcpReq;
  const progressToken = _meta?.progressToken;
  const envelope = isV1(context) ? {} : (context.mcpReq.envelope ?? {});
  if (hasEnvelope(envelope)) return peerFrom({ ...declaredIn(envelope), era: "2026", progressToken, signal });
  const introduced = "server" in server ? server.server : server;
  return peerFrom({
    era: "2025",
    revision: introduced.getNegotiatedProtocolVersion?.(),
    client: introduced.getClientVersion(),
    capabilities: introduced.getClientCapabilities(),
    progressToken,
    signal,
  });
}

/** The state that came with the call, as its client sent it. */
export function rawStateOf(context: CallContext): unknown {
  return isV1(context) ? undefined : context.mcpReq.requestState<unknown>();
}

/** The ways of the call. `state` is what of ours came with it, proved; null where nothing did. */
export function wireOfContext(context: CallContext, state: ReturnedState | null): CallWire {
  if (isV1(context)) return wireOfV1(context);
  const { mcpReq } = context;
  const { inputResponses, droppedInputResponseKeys } = mcpReq;
  return {
    requestState: <State>() => (state ?? undefined) as State | undefined,
    ...(inputResponses !== undefined && { inputResponses }),
    ...(droppedInputResponseKeys !== undefined && { droppedInputResponseKeys }),
    send: (request, options) => mcpReq.send(request, options),
    notify: (notification) => mcpReq.notify(notification),
  };
}

function isV1(context: CallContext): context is ContextV1 {
  return !("mcpReq" in context);
}

function wireOfV1(context: ContextV1): CallWire {
  return {
    requestState: () => undefined,
    async send(request, options) {
      try {
        return await context.sendRequest(request, anyResult, options);
      } catch (error) {
        throw asOurs(error);
      }
    },
    notify: (notification) => context.sendNotification(notification),
  };
}

/** The first major has a class of its own for what a client answers with. */
function asOurs(error: unknown): unknown {
  const isCoded = error instanceof Error && "code" in error && typeof error.code === "number";
  return isCoded ? new ProtocolError(error.code as number, error.message) : error;
}
