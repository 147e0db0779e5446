/**
 * What the upstream says its tools are, learnt from the lists that go by and asked for where a call comes first. Invariant:
 * a call is judged by one definition that is known whole; where there is none, or two, there is nothing to judge by. A server
 * can tell our lists from the client's: what the client was told is kept beside, for as long as it is connected.
 */
import { messageIn } from "../frames/json-object.js";
import type { Answered } from "../frames/passage.js";
import { createTold } from "./told.js";
import {
  mostTools,
  noteTools,
  pageIn,
  type ToldDefinition,
  type ToolDefinition,
  type ToolPage,
  type ToolsFound,
  wholeList,
} from "./tool-list.js";

/** The tools of one upstream. */
export interface ToolBook {
  /** Hears an answer to the client's `tools/list`, which is passed on to it. */
  learn(line: Buffer): void;
  /** What is known, and what was asked for and has not come, counts no more: the upstream said so, or it is about to be relied on. */
  forget(): void;
  /**
   * The tool called `name`; null where the upstream lists none, or several. At once where it is known, otherwise the upstream
   * is asked. Rejects with upstream_unavailable where it lists nothing that can be read.
   */
  find(name: string): Promise<ToolDefinition | null> | ToolDefinition | null;
  /** What the client was told of this tool in this connection, where that is something else and was not accepted: the last such. */
  toldOtherwise(tool: ToolDefinition): ToldDefinition | null;
  /** A person saw both, what the client was told and `tool`, and said yes: until either is another, they count as one. */
  accept(tool: ToolDefinition): void;
}

/** `newList` begins one list: what it gives asks the upstream for one page, the first for null. */
export function createToolBook(newList: () => (cursor: string | null) => Promise<Answered>): ToolBook {
  let known: ToolsFound = new Map();
  let isWhole = false;
  const told = createTold();
  let listing: Promise<ToolsFound> | null = null;

  function listAll(): Promise<ToolsFound> {
    const list = newList();
    return wholeList(async (cursor) => {
      const answered = await list(cursor);
      return answered.kind === "answer" ? pageAt(answered.line) : null;
    });
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

  function forget(): void {
    known = new Map();
    isWhole = false;
    listing = null;
  }

  return {
    learn(line) {
      const page = pageAt(line);
      if (page === null) return;
      if (!page.isClear) told.addUnclear();
      const listed: ToolsFound = new Map();
      noteTools(page, listed);
      for (const [name, tool] of listed) {
        known.set(name, tool);
        told.add(name, tool);
      }
      if (known.size > mostTools) forget();
    },
    forget,
    find(name) {
      const tool = known.get(name);
      if (tool !== undefined || isWhole) return tool ?? null;
      // Calls that come at once share one look.
      return (listing ?? look()).then((found) => found.get(name) ?? null);
    },
    toldOtherwise: told.otherwise,
    accept: told.accept,
  };
}

function pageAt(line: Buffer): ToolPage | null {
  const message = messageIn(line);
  return message === null ? null : pageIn(line.toString("utf8"), message);
}
