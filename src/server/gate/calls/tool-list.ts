/** The tools that a server lists: read page by page to the end, and known each by one definition or by none. */
import { canonicalJson, hasKeyTwice, sha256Hex, WispError } from "../../../broker/index.js";
import { isVariant } from "../frames/client-frame.js";
import { isObject, type JsonObject } from "../frames/json-object.js";

/** A tool by the word of the server that has it. Nothing of it is checked, and it is shown through `shown`. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  /** It says of itself that it changes nothing. */
  readonly isReadOnly: boolean;
  /** SHA-256 in hex of all that is said of it, as the server lists it. */
  readonly hash: string;
  /** The same as text, for a person who compares two of them. */
  readonly text: string;
}

/** What a client was told of a tool. */
export type ToldDefinition = Pick<ToolDefinition, "hash" | "text">;

/** By name; null where what it is cannot be told: two of a name, no hash, nested too deep to compare, read in two ways. */
export type ToolsFound = Map<string, ToolDefinition | null>;

/** A list of more pages has no end. */
const mostPages = 100;
/** And one of more tools. */
export const mostTools = 10_000;

/** One page of a list, and whether every reader takes it for the same one. */
export interface ToolPage {
  readonly tools: readonly unknown[];
  readonly isClear: boolean;
  readonly nextCursor: string | null;
}

/** Of a result that was parsed from a text without a key that stands twice; null for what is no list. */
export function pageOf(result: unknown): ToolPage | null {
  if (!isObject(result)) return null;
  const isClear = !Object.keys(result).some((key) => isVariant(key, resultKeys));
  const { tools } = result;
  if (isClear && !Array.isArray(tools)) return null;
  const nextCursor = typeof result.nextCursor === "string" ? result.nextCursor : null;
  // Whichever of them a reader takes for the tools.
  return { tools: isClear ? (tools as unknown[]) : listsIn(result).flat(), isClear, nextCursor };
}

/** The same of a message in `text`. */
export function pageIn(text: string, message: JsonObject): ToolPage | null {
  const page = pageOf(message.result);
  return page === null || !hasKeyTwice(text, message) ? page : { ...page, isClear: false };
}

const resultKeys = ["tools", "nextCursor", "_meta", "resultType", "ttlMs", "cacheScope"];

function listsIn(result: JsonObject): readonly (readonly unknown[])[] {
  return Object.values(result).filter((value): value is unknown[] => Array.isArray(value));
}

/** Adds those of one list to `into`, in the place of what was known of them. */
export function noteTools({ tools, isClear }: Omit<ToolPage, "nextCursor">, into: ToolsFound): void {
  const once = new Set<string>();
  for (const tool of tools.slice(0, mostTools)) {
    if (!isObject(tool)) continue;
    const names = namesOf(tool);
    const isOne = isClear && !Object.keys(tool).some((key) => isVariant(key, toolKeys));
    for (const name of names) {
      // Which of the two a call means is for the upstream to say, and it has said both.
      into.set(name, once.has(name) || !isOne ? null : definitionOf(name, tool));
      once.add(name);
    }
  }
}

const toolKeys = [
  ...["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution"],
  "_meta",
];

/** Its name, and what stands there for a reader that does not look at case. */
function namesOf(tool: JsonObject): ReadonlySet<string> {
  const named = Object.entries(tool).filter(([key]) => key === "name" || isVariant(key, ["name"]));
  return new Set(named.flatMap(([, name]) => (typeof name === "string" ? [name] : [])));
}

/**
 * All pages; `page` asks for one, the first for null, and resolves with null where there is none.
 * Rejects with upstream_unavailable where that is no list, or one without an end.
 */
export async function wholeList(
  page: (cursor: string | null) => Promise<ToolPage | null>,
): Promise<ToolsFound> {
  const all: unknown[] = [];
  let cursor: string | null = null;
  let isClear = true;
  for (let asked = 0; asked < mostPages; asked += 1) {
    const result = await page(cursor);
    if (result === null) throw unreadable();
    for (const tool of result.tools) all.push(tool);
    isClear &&= result.isClear;
    if (all.length > mostTools) throw unreadable();
    cursor = result.nextCursor;
    if (cursor !== null) continue;
    const found: ToolsFound = new Map();
    noteTools({ tools: all, isClear }, found);
    return found;
  }
  throw unreadable();
}

function unreadable(): WispError {
  return new WispError("upstream_unavailable", "The server behind the gate did not list its tools.", {
    why: "A call is judged by what its tool is, and nothing was forwarded.",
  });
}

/** All of it counts: what is unknown here, some client shows to its model. */
function definitionOf(name: string, tool: JsonObject): ToolDefinition | null {
  const { title, description, annotations } = tool;
  // To write it out for a person would take memory by the square of its depth.
  if (isDeeper(tool, deepest)) return null;
  try {
    return {
      name,
      title: textOf(title),
      description: textOf(description),
      isReadOnly: isObject(annotations) && annotations.readOnlyHint === true,
      hash: sha256Hex(`wisp/tool-definition/v2\n${canonicalJson(tool)}`),
      text: JSON.stringify(tool, null, 2),
    };
  } catch {
    // A text in it is not Unicode: it has no hash.
    return null;
  }
}

/** A schema in a schema is deep, and one that is deeper is none. */
const deepest = 64;

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1));
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
