/**
 * Who is calling, and what the client can show: read once per call, never kept for another client. The only file
 * that knows the keys of the request envelope and the SDK's accessors.
 */
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import { clientCapabilitiesKey, clientInfoKey, protocolVersionKey } from "./envelope-keys.js";

/** 2025: the server pushes its dialog. 2026: the dialog travels inside the call's result. */
export type Era = "2025" | "2026";

/** Who sent one call, and how it is to be answered. */
export interface Peer {
  readonly era: Era;
  /** The protocol revision, `YYYY-MM-DD`. */
  readonly revision: string;
  /** By the client's own word; null when it gave none. */
  readonly client: { readonly name: string; readonly version: string } | null;
  readonly can: { readonly form: boolean };
  /** Null when the caller wants no progress. */
  readonly progressToken: string | number | null;
  /** Aborts when the caller cancels or leaves; may be aborted already when the call begins. */
  readonly signal: AbortSignal;
}

/** What a client said of itself, as it came: nothing of it is checked yet. */
export interface Declared {
  readonly era: Era;
  readonly revision: unknown;
  readonly client: unknown;
  readonly capabilities: unknown;
  readonly progressToken: unknown;
  readonly signal: AbortSignal;
}

/** What that comes to. Never throws: what a client says wrongly counts as not said. */
export function peerFrom({ era, revision, client, capabilities, progressToken, signal }: Declared): Peer {
  return {
    era,
    revision: typeof revision === "string" ? revision : "",
    client: clientOf(client),
    can: { form: canForm(capabilities) },
    progressToken: tokenOf(progressToken),
    signal,
  };
}

/** Everything about the caller of one request. Never throws. */
export function peerOf(server: McpServer, ctx: ServerContext, era: Era): Peer {
  const { _meta, signal } = ctx.mcpReq;
  const progressToken = _meta?.progressToken;
  // In the 2026 era each request speaks for itself: what an earlier one declared may have been another client's.
  if (era === "2026")
    return peerFrom({ ...declaredIn(ctx.mcpReq.envelope ?? {}), era, progressToken, signal });
  return peerFrom({
    era,
    revision: server.server.getNegotiatedProtocolVersion(),
    client: server.server.getClientVersion(),
    capabilities: server.server.getClientCapabilities(),
    progressToken,
    signal,
  });
}

/** What stands in the envelope of a request of the 2026 era, which lies in its `_meta`. */
export function declaredIn(
  envelope: Readonly<Record<string, unknown>>,
): Pick<Declared, "revision" | "client" | "capabilities"> {
  return {
    revision: envelope[protocolVersionKey],
    client: envelope[clientInfoKey],
    capabilities: envelope[clientCapabilitiesKey],
  };
}

/** Does `_meta` hold the envelope by which a request of the 2026 era is known? */
export function hasEnvelope(meta: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(meta, protocolVersionKey);
}

/** What progress is told under; null for what is no token. */
export function tokenOf(token: unknown): Peer["progressToken"] {
  return typeof token === "string" || typeof token === "number" ? token : null;
}

/** Who called, on the other end of this wire, by its own word: it keeps clients apart by accident and is no boundary. */
export function callerOf({ client }: Pick<Peer, "client">): string {
  return `stdio:${client?.name ?? ""}`;
}

/** A bare `elicitation: {}` means forms; `{url}` alone does not. */
function canForm(declared: unknown): boolean {
  const elicitation = isObject(declared) ? declared.elicitation : null;
  if (!isObject(elicitation)) return false;
  return isDeclared(elicitation.form) || !isDeclared(elicitation.url);
}

function isDeclared(capability: unknown): boolean {
  return capability !== undefined && capability !== null && capability !== false;
}

/** A name is filed with every request; longer ones are no names. */
const longestName = 120;

function clientOf(declared: unknown): Peer["client"] {
  if (!isObject(declared)) return null;
  const { name, version } = declared;
  if (typeof name !== "string") return null;
  return { name: filable(name), version: filable(typeof version === "string" ? version : "") };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Made fit to be filed: what no request may hold becomes a replacement character, and the end is cut off. Everything
 * else stays as it came: faces escape it where they show it.
 */
function filable(text: string): string {
  const wellFormed = Buffer.from(text, "utf8").toString("utf8").replaceAll("\0", "\ufffd");
  return [...wellFormed].slice(0, longestName).join("");
}
