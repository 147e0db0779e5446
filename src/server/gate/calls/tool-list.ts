/** The tools that a server lists: read page by page to the end, and known each by one definition or by none. */
import { canonicalJson, sha256Hex, WispError } from "../../../broker/index.js";
import { isObject } from "../frames/json-object.js";

/** A tool by the word of the server that has it. Nothing of it is checked, and it is shown through `shown`. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  /** It says of itself that it changes nothing. */
  readonly isReadOnly: boolean;
  /** SHA-256 in hex of all that a client or a model is told of it. */
  readonly hash: string;
  /** The same as text, for a person who compares two of them. */
  readonly text: string;
}

/** What a client was told of a tool. */
export type ToldDefinition = Pick<ToolDefinition, "hash" | "text">;

/** By name; null where there are several of that name, or what is said of it has no hash, or is nested too deep to compare. */
export type ToolsFound = Map<string, ToolDefinition | null>;

/** A list of more pages has no end. */
const mostPages = 100;
/** And one of more tools. */
export const mostTools = 10_000;

/** Adds those of one list to `into`, in the place of what was known of them. */
export function noteTools(tools: readonly unknown[], into: ToolsFound): void {
  const once = new Set<string>();
  for (const tool of tools.slice(0, mostTools)) {
    const name = nameOf(tool);
    if (name === null) continue;
    // Which of the two a call means is for the upstream to say, and it has said both.
    into.set(name, once.has(name) ? null : definitionOf(name, tool as Readonly<Record<string, unknown>>));
    once.add(name);
  }
}

/**
 * All pages; `page` asks for one, the first for null, and resolves with the result of `tools/list`, null where there is none.
 * Rejects with upstream_unavailable where that is no list, or one without an end.
 */
export async function wholeList(page: (cursor: string | null) => Promise<unknown>): Promise<ToolsFound> {
  const all: unknown[] = [];
  let cursor: string | null = null;
  for (let asked = 0; asked < mostPages; asked += 1) {
    const result = await page(cursor);
    if (!isObject(result) || !Array.isArray(result.tools)) throw unreadable();
    all.push(...result.tools);
    if (all.length > mostTools) throw unreadable();
    cursor = typeof result.nextCursor === "string" ? result.nextCursor : null;
    if (cursor !== null) continue;
    const found: ToolsFound = new Map();
    noteTools(all, found);
    return found;
  }
  throw unreadable();
}

function unreadable(): WispError {
  return new WispError("upstream_unavailable", "The server behind the gate did not list its tools.", {
    why: "A call is judged by what its tool is, and nothing was forwarded.",
  });
}

function definitionOf(name: string, tool: Readonly<Record<string, unknown>>): ToolDefinition | null {
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  const told = { name, title, description, inputSchema, outputSchema, annotations };
  const given = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  // To write it out for a person would take memory by the square of its depth.
  if (isDeeper(given, deepest)) return null;
  try {
    return {
      name,
      title: textOf(title),
      description: textOf(description),
      isReadOnly: isObject(annotations) && annotations.readOnlyHint === true,
      hash: sha256Hex(`wisp/tool-definition/v1\n${canonicalJson(given)}`),
      text: JSON.stringify(given, null, 2),
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

function nameOf(tool: unknown): string | null {
  return isObject(tool) && typeof tool.name === "string" ? tool.name : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
