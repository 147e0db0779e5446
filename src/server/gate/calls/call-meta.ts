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

/** The protocol's own keys, and ours. */
const ownPrefixes: readonly string[] = ["io.modelcontextprotocol/", "wisp/"];

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isToken: Check = (value) => isText(value) || typeof value === "number";
/** Names a call, a turn or a conversation, and has no room for words. */
const isId: Check = (value) => typeof value === "string" && /^[\w.:/=+-]{1,128}$/.test(value);
/** What a client tells of the turn that a call is of: ids, the model, the directory. */
const isTurn: Check = (value) => isObject(value) && canonicalJson(value).length <= longestTurn;
const longestTurn = 8_192;

/**
 * What clients send with each call by themselves, most of it new each time: were it bound, no call would be the same as
 * another, and no yes could be collected. The keys are those that the clients named here send.
 */
const plumbing: ReadonlyMap<string, Check> = new Map([
  ["progressToken", isToken],
  ...["traceparent", "tracestate", "baggage"].map((key): [string, Check] => [key, isText]),
  // Claude Code.
  ["claudecode/toolUseId", isId],
  // VS Code.
  ["vscode.conversationId", isId],
  ["vscode.requestId", isId],
  // Codex.
  ["threadId", isId],
  ["callId", isId],
  ["x-codex-turn-metadata", isTurn],
  // OpenCode.
  ["ai.opencode/sessionID", isId],
  // Antigravity.
  ["antigravity.google/conversation_id", isId],
]);

function isPlumbing(key: string, value: unknown): boolean {
  return ownPrefixes.some((prefix) => key.startsWith(prefix)) || (plumbing.get(key)?.(value) ?? false);
}
