/**
 * What a server of the 2026 era wants repeated of a call's arguments as headers (SEP-2243), so that what stands between can
 * tell calls apart: the properties that `x-mcp-header` marks in the schema of its tool. The SDK's client does the same, and
 * the transport alone does not. Pure.
 */
import { isObject, type JsonObject, objectIn } from "./json-object.js";

/** By the name of a tool: which argument goes into which header. */
export type ParamHeaders = ReadonlyMap<string, readonly MarkedParam[]>;

/** One argument. */
export interface MarkedParam {
  readonly path: readonly string[];
  /** As the schema names it, without the prefix. */
  readonly name: string;
}

const prefix = "Mcp-Param-";
const mark = "x-mcp-header";
/** What the name of a header may be made of (RFC 9110). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const headerTypes = new Set<unknown>(["string", "integer", "boolean"]);
/** No schema that is meant well nests as deep, or marks as many. */
const deepest = 32;
const mostMarked = 64;

/** What the tools in a result of `tools/list` want repeated. One that marks anything against the rules of the era gets nothing. */
export function paramHeadersIn(result: JsonObject): ParamHeaders {
  const tools = Array.isArray(result.tools) ? result.tools.filter(isObject) : [];
  return new Map(
    tools.flatMap(({ name, inputSchema }) =>
      typeof name === "string" ? [[name, markedIn(inputSchema)] as const] : [],
    ),
  );
}

function markedIn(schema: unknown): readonly MarkedParam[] {
  const found: MarkedParam[] = [];
  const isWhole = collect(schema, [], found);
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  const isFit = names.size === found.length && found.length <= mostMarked;
  return isWhole && isFit && marksIn(schema, 0) === found.length ? found : [];
}

/** Wherever they stand. */
function marksIn(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null || depth > 2 * deepest) return 0;
  const own = Object.hasOwn(value, mark) ? 1 : 0;
  return Object.values(value).reduce<number>((sum, child) => sum + marksIn(child, depth + 1), own);
}

/** Only along `properties`: what stands below anything else may not be there in a call. False where a mark breaks a rule. */
function collect(schema: unknown, path: readonly string[], found: MarkedParam[]): boolean {
  if (!isObject(schema) || path.length > deepest) return true;
  if (Object.hasOwn(schema, mark)) {
    const name = schema[mark];
    const isFit = typeof name === "string" && token.test(name) && headerTypes.has(schema.type);
    if (!isFit || path.length === 0) return false;
    found.push({ path, name });
  }
  return Object.entries(objectIn(schema, "properties")).every(([key, child]) =>
    collect(child, [...path, key], found),
  );
}

/** The headers of one call. What is missing, null or no plain value has none. */
export function headersFor(marked: readonly MarkedParam[], given: JsonObject): Record<string, string> {
  const headers = marked.flatMap(({ path, name }) => {
    const text = textOf(valueAt(given, path));
    return text === null ? [] : [[`${prefix}${name}`, fieldOf(text)] as const];
  });
  return Object.fromEntries(headers);
}

function valueAt(given: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    given,
  );
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "boolean" || Number.isFinite(value) ? String(value) : null;
}

/** A text that a header cannot hold as it is goes there as base64 of its UTF-8. */
function fieldOf(text: string): string {
  const isPlain = /^[\t -~]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
