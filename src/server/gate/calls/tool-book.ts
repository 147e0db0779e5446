/**
 * What the upstream says its tools are, learnt from the lists that go by and asked for where a call comes first. Invariant:
 * a call is judged by one definition that is known whole; where there is none, or two, there is nothing to judge by.
 */
import { canonicalJson, sha256Hex, WispError } from "../../../broker/index.js";
import { isObject, type JsonObject, messageIn } from "../frames/json-object.js";
import type { Answered } from "../frames/passage.js";

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

/** The tools of one upstream. */
export interface ToolBook {
  /** Hears an answer to `tools/list`. */
  learn(line: Buffer): void;
  /** What is known, and what was asked for and has not come, counts no more: the upstream said so, or it is about to be relied on. */
  forget(): void;
  /**
   * The tool called `name`; null where the upstream lists none, or several. Asks the upstream where it is not known.
   * Rejects with upstream_unavailable where it lists nothing that can be read.
   */
  find(name: string): Promise<ToolDefinition | null>;
}

/** By name; null where there are several of that name, or what is said of it has no hash. */
type ToolsFound = Map<string, ToolDefinition | null>;

/** A list longer than this has no end. */
const mostPages = 100;
const mostTools = 10_000;

/** `list` asks the upstream for one page, the first for null. */
export function createToolBook(list: (cursor: string | null) => Promise<Answered>): ToolBook {
  let known: Map<string, ToolDefinition | null> = new Map();
  let isWhole = false;
  let listing: Promise<ToolsFound> | null = null;

  function note(tools: readonly unknown[], into: Map<string, ToolDefinition | null>): void {
    const once = new Set<string>();
    for (const tool of tools.slice(0, mostTools)) {
      const name = nameOf(tool);
      if (name === null) continue;
      // Which of the two a call means is for the upstream to say, and it has said both.
      into.set(name, once.has(name) ? null : definitionOf(name, tool as Readonly<Record<string, unknown>>));
      once.add(name);
    }
  }

  async function listAll(): Promise<ToolsFound> {
    const found = new Map<string, ToolDefinition | null>();
    const all: unknown[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < mostPages; page += 1) {
      const answered = await list(cursor);
      const result = answered.kind === "answer" ? resultIn(answered.line) : null;
      if (result === null || !Array.isArray(result.tools)) throw unreadable();
      all.push(...result.tools);
      if (all.length > mostTools) throw unreadable();
      cursor = typeof result.nextCursor === "string" ? result.nextCursor : null;
      if (cursor === null) {
        note(all, found);
        return found;
      }
    }
    throw unreadable();
  }

  async function look(): Promise<ToolsFound> {
    const looking = listAll();
    listing = looking;
    try {
      const found = await looking;
      if (listing === looking) {
        known = found;
        isWhole = true;
      }
      return found;
    } finally {
      if (listing === looking) listing = null;
    }
  }

  return {
    learn(line) {
      const tools = resultIn(line)?.tools;
      if (Array.isArray(tools)) note(tools, known);
    },
    forget() {
      known = new Map();
      isWhole = false;
      listing = null;
    },
    async find(name) {
      if (known.has(name) || isWhole) return known.get(name) ?? null;
      // Calls that come at once share one look.
      const found = await (listing ?? look());
      return found.get(name) ?? null;
    },
  };
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

function resultIn(line: Buffer): JsonObject | null {
  const result = messageIn(line)?.result;
  return isObject(result) ? result : null;
}

function nameOf(tool: unknown): string | null {
  return isObject(tool) && typeof tool.name === "string" ? tool.name : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
