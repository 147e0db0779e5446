/**
 * Answers of tools that list files. Invariant: what a call of the same tool for that file would be refused for stands in none of
 * them; an answer that cannot be read to its end is not passed on.
 */
import { isAbsolute, join } from "node:path";
import type { Clock, ListingSpec } from "../../../broker/index.js";
import { isObject, type JsonObject, messageIn } from "../frames/json-object.js";

/** One list, and who says what of it is not to be seen. */
export interface Listed extends Pick<ListingSpec, "form"> {
  /** The directory that was listed, absolute. */
  readonly directory: string;
  readonly clock: Pick<Clock, "after" | "monotonic">;
  /** Is the file at a path hidden, at this moment? */
  hiding(): (path: string) => boolean;
}

/** Under `_meta` of an answer of which something was left out: how much. */
export const leftOutKey = "wisp/leftOut";

/** The answer in `line` less what is hidden, as it was received where nothing is; null for one that is no such list. */
export async function withoutHidden(line: Buffer, listed: Listed): Promise<Buffer | null> {
  const message = messageIn(line);
  if (message === null) return null;
  const { result } = message;
  if (result === undefined && "error" in message) return line;
  if (!isObject(result)) return null;
  // An error lists nothing, and what asks for more first has no answer yet.
  if (result.isError === true || result.resultType === "input_required" || isEmpty(result)) return line;
  const text = textOf(result);
  const rows = text === null ? null : rowsOf(text, listed);
  if (rows === null) return null;
  const isLeftOut = await hiddenAmong(rows.paths, listed);
  if (isLeftOut.size === 0) return line;
  const left = rows.without(isLeftOut);
  const again = result.structuredContent === undefined ? {} : { structuredContent: { content: left } };
  const _meta = { ...(isObject(result._meta) ? result._meta : {}), [leftOutKey]: isLeftOut.size };
  const shown = { ...result, content: [{ type: "text", text: left }], ...again, _meta };
  return Buffer.from(`${JSON.stringify({ ...message, result: shown })}\n`);
}

/** It holds nothing in which a file could be named. */
function isEmpty({ content = [], structuredContent }: JsonObject): boolean {
  return Array.isArray(content) && content.length === 0 && structuredContent === undefined;
}

/** The one text of it, which may stand there twice; null where it holds anything else. */
function textOf({ content, structuredContent }: JsonObject): string | null {
  const [block, ...others]: readonly unknown[] = Array.isArray(content) ? content : [];
  if (!isObject(block) || others.length > 0) return null;
  if (block.type !== "text" || typeof block.text !== "string") return null;
  const { content: twice = null, ...more } = isObject(structuredContent) ? structuredContent : {};
  const isSame = twice === block.text && Object.keys(more).length === 0;
  return structuredContent === undefined || isSame ? block.text : null;
}

/** So long others wait. */
const longestTurnMs = 10;

/** In turns, each of one moment. */
async function hiddenAmong(
  paths: readonly string[],
  { clock, hiding }: Listed,
): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>();
  let isHidden = hiding();
  let endsAt = clock.monotonic() + longestTurnMs;
  for (const path of paths) {
    if (clock.monotonic() >= endsAt) {
      await new Promise<void>((go) => void clock.after(0, go, true));
      isHidden = hiding();
      endsAt = clock.monotonic() + longestTurnMs;
    }
    if (isHidden(path)) hidden.add(path);
  }
  return hidden;
}

/** What is listed, and the text without some of it. */
interface Rows {
  readonly paths: readonly string[];
  without(hidden: ReadonlySet<string>): string;
}

function rowsOf(text: string, { form, directory }: Listed): Rows | null {
  const named = (line: string, pattern: RegExp): string | null => {
    const [, name] = pattern.exec(line) ?? [];
    return name === undefined ? null : join(directory, name);
  };
  switch (form) {
    case "paths":
      return linesOf(text, noMatches, "", (line) => (isAbsolute(line) ? line : null));
    case "names":
      return linesOf(text, "", "", (line) => named(line, /^\[(?:DIR|FILE)\] (.+)$/s));
    case "sizes": {
      const end = summary.exec(text);
      if (end === null) return null;
      const pattern = /^\[(?:DIR|FILE)\] (.*?\S) *(?: [\d.]+ [KMGT]?B)?$/s;
      return linesOf(text.slice(0, end.index), "", end[0], (line) => named(line, pattern));
    }
    case "tree":
      return treeOf(text, directory);
    default:
      return form satisfies never;
  }
}

/** What the server says of no match. */
const noMatches = "No matches found";
/** What stands below a list with sizes. It names nothing. */
const summary = /(?:^|\n)\nTotal: \d+ files, \d+ directories\nCombined size: [^\n]+$/;

/** A line that names no file makes the whole unreadable: a name may hold a newline, and what follows it is the rest of it. */
function linesOf(
  text: string,
  empty: string,
  end: string,
  pathOf: (line: string) => string | null,
): Rows | null {
  if (text === empty) return { paths: [], without: () => text };
  const lines = text.split("\n").map((line) => ({ line, path: pathOf(line) }));
  const paths = lines.map(({ path }) => path).filter((path) => path !== null);
  if (paths.length < lines.length) return null;
  return {
    paths,
    without(hidden) {
      const left = lines.filter(({ path }) => path === null || !hidden.has(path));
      return `${left.length === 0 ? empty : left.map(({ line }) => line).join("\n")}${end}`;
    },
  };
}

interface Branch {
  readonly path: string;
  readonly entry: JsonObject;
  readonly children: readonly Branch[] | null;
}

function treeOf(text: string, directory: string): Rows | null {
  const branches = branchesOf(parsed(text), directory);
  if (branches === null) return null;
  const paths: string[] = [];
  const walk = (some: readonly Branch[]): void => {
    for (const { path, children } of some) {
      paths.push(path);
      walk(children ?? []);
    }
  };
  walk(branches);
  return { paths, without: (hidden) => JSON.stringify(grown(branches, hidden), null, 2) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is no tree.
    return null;
  }
}

function branchesOf(value: unknown, directory: string): readonly Branch[] | null {
  if (!Array.isArray(value)) return null;
  const branches: Branch[] = [];
  for (const entry of value as readonly unknown[]) {
    if (!isObject(entry) || typeof entry.name !== "string") return null;
    const path = join(directory, entry.name);
    const children = entry.children === undefined ? null : branchesOf(entry.children, path);
    if (children === null && entry.children !== undefined) return null;
    branches.push({ path, entry, children });
  }
  return branches;
}

/** What lies in a directory that is left out is left out with it. */
function grown(branches: readonly Branch[], hidden: ReadonlySet<string>): readonly object[] {
  return branches
    .filter(({ path }) => !hidden.has(path))
    .map(({ entry, children }) =>
      children === null ? entry : { ...entry, children: grown(children, hidden) },
    );
}
