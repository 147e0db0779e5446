/**
 * What a client's line is. Invariant: a line is passed on only if every reader of it sees the same message; where an
 * upstream could see a call of a tool that was not judged here, it is refused.
 */
import { type JsonObjection, readStrictJson, type StrictRules } from "../../../broker/index.js";
import { isObject } from "./json-object.js";
import { isBroken } from "./lines.js";

/** An id that can be answered under: what JSON-RPC allows and no reader rounds. */
export type FrameId = string | number;

/** Is `id`, as it was parsed, one? */
export function isFrameId(id: unknown): id is FrameId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** A call of a tool as it was parsed, once: what is judged is what is sent. */
export interface ToolCallFrame {
  readonly kind: "call";
  readonly id: FrameId;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The whole message. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** How long it was as it came. */
  readonly bytes: number;
}

/** One line of a client. */
export type ClientFrame =
  | ToolCallFrame
  /** Any other request; `id` as it came. */
  | { readonly kind: "request"; readonly id: unknown; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  /** An answer to a request of the other side. */
  | { readonly kind: "response"; readonly id: unknown; readonly message: Readonly<Record<string, unknown>> }
  | RefusedFrame;

/** A line that goes nowhere. `why` is for the client and the audit log: words of ours alone. */
export interface RefusedFrame {
  readonly kind: "refused";
  /** Under which the refusal is answered; null where the line has none that can be trusted. */
  readonly id: FrameId | null;
  readonly code: typeof notJson | typeof invalidRequest;
  readonly why: string;
  /** What it would have answered, as the other side counts; null where it is no answer, or none that is meant well. */
  readonly answers: FrameId | null;
}

/** The code of JSON-RPC for what is not JSON. */
export const notJson = -32_700;
/** The code of JSON-RPC for JSON that is no message that can be taken. */
export const invalidRequest = -32_600;

/** No client nests as deep; the parser that checks it does. */
const deepest = 128;

/** Of a call its values are looked at, too. */
const rules: StrictRules = { deepest, areValuesChecked: false };

const topLevelKeys = ["jsonrpc", "id", "method", "params", "result", "error"] as const;
/** What of the parameters of a call is read here or by the SDK of an upstream. */
const callKeys = ["name", "arguments", "_meta", "task", "inputResponses", "requestState"] as const;

/** Reads one line, without or with its newline. Never throws. */
export function readClientFrame(line: Uint8Array): ClientFrame {
  // JSON takes a carriage return for a blank. Many readers end a line at one, and what stands behind it is then a message.
  if (isBroken(line)) return refused(null, "a message is one line, without a carriage return inside");
  const parsed = readStrictJson(line, rules);
  if (!parsed.ok) return unread(line, parsed.objection);
  const { value, inValues } = parsed;
  if (Array.isArray(value)) return refused(null, "a batch of messages is not taken; send them one by one");
  if (!isObject(value)) return refused(null, "a message is an object");
  const id = legalId(value.id);
  const key = foreignKey(value);
  if (key !== null) return refused(id, key);
  const { method } = value;
  const isAnswer = "result" in value || "error" in value;
  if (isAnswer === (method !== undefined)) {
    return refused(id, "a message has either a method, or a result or an error");
  }
  if (method === undefined) {
    return "id" in value
      ? { kind: "response", id: value.id, message: value }
      : refused(null, "an answer needs an id");
  }
  if (typeof method !== "string") return refused(id, "a method is a text");
  if (method === callMethod) return readCall(value, id, inValues, line.length);
  if (isAlmostCall(method)) return refused(id, `the method is not written ${callMethod}`);
  return "id" in value
    ? { kind: "request", id: value.id, method, params: value.params }
    : { kind: "notification", method, params: value.params };
}

const callMethod = "tools/call";

/** Would an upstream run it that is careless about case or blanks, or whose texts end with a NUL? */
function isAlmostCall(method: string): boolean {
  const [head = ""] = method.split("\u0000");
  return foldedCase(head).trim() === callMethod;
}

function readCall(
  message: Readonly<Record<string, unknown>>,
  id: FrameId | null,
  objection: JsonObjection | null,
  bytes: number,
): ClientFrame {
  if (id === null) return refused(null, "a call of a tool needs an id that is a text or a whole number");
  const { params } = message;
  if (!isObject(params)) return refused(id, "a call of a tool needs params that are an object");
  const variant = Object.keys(params).find((key) => isVariant(key, callKeys));
  if (variant !== undefined) return refused(id, "a key of params differs from a known one by case alone");
  const { name, arguments: given = {} } = params;
  if (typeof name !== "string") return refused(id, "a call of a tool needs a name");
  if (!isObject(given)) return refused(id, "the arguments of a tool are an object");
  // What is hashed and shown here must be what an upstream reads.
  if (objection !== null)
    return refused(id, `a call of a tool holds what readers do not agree about: ${objection}`);
  return { kind: "call", id, name, arguments: given, message, params, bytes };
}

/** What was not taken is looked at once more, only for the id that the refusal is told under. */
function unread(line: Uint8Array, objection: JsonObjection): RefusedFrame {
  const text = Buffer.from(line).toString("utf8");
  const value = looselyParsed(text);
  const id = isObject(value) ? legalId(value.id) : null;
  const code = structural.has(objection) ? invalidRequest : notJson;
  const read: RefusedFrame = { kind: "refused", id: null, code, why: objection, answers: null };
  if (id === null) return read;
  if (answering.has(objection) && isAnswer(value)) return { ...read, answers: id };
  // One that stands twice is nobody's.
  return structural.has(objection) && text.split('"id"').length === 2 ? { ...read, id } : read;
}

/** These are of text that is JSON. */
const structural: ReadonlySet<JsonObjection> = new Set(["duplicate key", "forbidden key"]);
/** These leave no doubt of what a message answers, and who waits for that would wait for ever. */
const answering: ReadonlySet<JsonObjection> = new Set(["forbidden key", "nested too deep"]);

function isAnswer(value: unknown): boolean {
  return isObject(value) && foreignKey(value) === null && !("method" in value);
}

function looselyParsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is no JSON.
    return undefined;
  }
}

function refused(id: FrameId | null, why: string): RefusedFrame {
  return { kind: "refused", id, code: invalidRequest, why, answers: null };
}

/** Why the keys of a message are not those of one, or null. */
function foreignKey(message: Readonly<Record<string, unknown>>): string | null {
  for (const key of Object.keys(message)) {
    if ((topLevelKeys as readonly string[]).includes(key)) continue;
    return isKeyVariant(key)
      ? "a key of the message differs from a known one by case alone"
      : "a key of the message is unknown";
  }
  return null;
}

/** Is it one of the keys of a message only for a reader that does not look at case? */
export function isKeyVariant(key: string): boolean {
  return isVariant(key, topLevelKeys);
}

/** Is it one of `known` only for a reader that does not look at case? By the widest folding that any has. */
export function isVariant(key: string, known: readonly string[]): boolean {
  // Folding takes nothing away, and a very long one may become longer than a text can be.
  if (known.includes(key) || key.length > longestVariant) return false;
  const folded = foldedCase(key);
  return known.some((one) => foldedCase(one) === folded);
}

/** Twice the longest key that is known: a sign that becomes one letter has two units at most. */
const longestVariant = 28;

/** Both ways: some letters (the long s, the Kelvin sign) become an ASCII one in one direction alone. */
function foldedCase(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase();
}

function legalId(id: unknown): FrameId | null {
  return isFrameId(id) ? id : null;
}
