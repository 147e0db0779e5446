/**
 * What stands in `_meta` of a call. Invariant: on a call that a person is asked about, all that a server could act by is shown
 * and bound as the arguments are; what is not are tokens of the protocol, and ids that known clients put there.
 */
import { canonicalJson } from "../../../broker/index.js";
import { isObject, type JsonObject } from "../frames/json-object.js";

/** What of `params._meta` is shown and bound; null where there is nothing of the kind. */
export function metaShown({ _meta }: JsonObject): JsonObject | null {
  if (!isObject(_meta)) return null;
  const shown = Object.entries(_meta).filter(([key, value]) => !isPlumbing(key, value));
  return shown.length === 0 ? null : Object.fromEntries(shown);
}

/** Can it be told what stands there? Null is taken for nothing: a server finds nothing in it. */
export function isMeta({ _meta }: JsonObject): boolean {
  return _meta === undefined || _meta === null || isObject(_meta);
}

type Check = (value: unknown) => boolean;

/** A client chooses it, and a server only sends it back. */
const isToken: Check = (value) =>
  typeof value === "number" || (typeof value === "string" && value.length <= longestText);
const longestText = 512;
/** Names a call, a turn or a conversation, and has no room for words. */
const isId: Check = (value) => typeof value === "string" && /^[\w.:/=+-]{1,128}$/.test(value);
/** What a client tells of itself, or of the turn that a call is of: ids, the model, the directory. */
const isSmall: Check = (value) => isObject(value) && canonicalJson(value).length <= longestObject;
const longestObject = 8_192;
const matching =
  (form: RegExp): Check =>
  (value) =>
    typeof value === "string" && value.length <= longestText && form.test(value);

/** W3C Trace Context and Baggage: one word, or members `key=value` without blanks in either. */
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const tracestate = /^(?:[a-z0-9][a-z0-9_\-*/@]*=[!-+\--<>-~]+(?:[ \t]*,[ \t]*(?!$)|$))+$/;
const baggage =
  /^(?:[!#$%&'*+\-.^`|~\w]+[ \t]*=[ \t]*[!#-+\--:<-[\]-~]*(?:[ \t]*;[ \t]*[!#$%&'*+\-.^`|~\w]+(?:=[!#-+\--:<-[\]-~]*)?)*(?:[ \t]*,[ \t]*(?!$)|$))+$/;
const levels = /^(?:debug|info|notice|warning|error|critical|alert|emergency)$/;

/**
 * What clients send with each call by themselves, most of it new each time: were it bound, no call would be the same as
 * another, and no yes could be collected. The keys are those that the clients named here send.
 */
const plumbing: ReadonlyMap<string, Check> = new Map([
  ["progressToken", isToken],
  ["traceparent", matching(traceparent)],
  ["tracestate", matching(tracestate)],
  ["baggage", matching(baggage)],
  // The envelope of a call in the 2026 era.
  ["io.modelcontextprotocol/protocolVersion", matching(/^\d{4}-\d{2}-\d{2}$/)],
  ["io.modelcontextprotocol/clientInfo", isSmall],
  ["io.modelcontextprotocol/clientCapabilities", isSmall],
  ["io.modelcontextprotocol/logLevel", matching(levels)],
  // Claude Code.
  ["claudecode/toolUseId", isId],
  // VS Code.
  ["vscode.conversationId", isId],
  ["vscode.requestId", isId],
  // Codex.
  ["threadId", isId],
  ["callId", isId],
  ["x-codex-turn-metadata", isSmall],
  // OpenCode.
  ["ai.opencode/sessionID", isId],
  // Antigravity.
  ["antigravity.google/conversation_id", isId],
]);

function isPlumbing(key: string, value: unknown): boolean {
  return plumbing.get(key)?.(value) ?? false;
}
