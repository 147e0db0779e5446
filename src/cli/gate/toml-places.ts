/**
 * Where keys and values stand in a TOML text. It says nothing of what the text means, nor whether it is TOML: that smol-toml
 * said before, and says again of what was made of it. Invariant: it ends for every text.
 */
import type { Member, Span } from "./entry-text.js";

/** A member with the names that lead to it, from the top, its own last. */
export interface Assignment extends Member {
  readonly path: readonly string[];
}

/** All of them, in the order of the text. What is no TOML gives some of them, or none. */
export function assignmentsIn(text: string): readonly Assignment[] {
  const found: Found = { text, at: 0, assignments: [] };
  let table: readonly string[] = [];
  for (;;) {
    skip(found, blank);
    if (found.at >= text.length) return found.assignments;
    const { at } = found;
    const header = text.charAt(at) === "[" ? headerAt(found) : null;
    if (header !== null) table = header;
    else assignment(found, table, "line");
    // No TOML: what stands there is passed over, so that this ends.
    if (found.at <= at) skip(found, restOfLine);
  }
}

interface Found {
  readonly text: string;
  at: number;
  readonly assignments: Assignment[];
}

/** White space, line ends and comments. */
const blank = /(?:\s|#[^\n]*)+/y;
const space = /[ \t]+/y;
const restOfLine = /[^\n]*\n?/y;
const bareKey = /[A-Za-z0-9_-]+/y;
const quotedKey = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const texts = [
  /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""(?:"{0,2})/y,
  /'''(?:[^']|'(?!''))*'''(?:'{0,2})/y,
  /"(?:[^"\\\n]|\\.)*"/y,
  /'[^'\n]*'/y,
];
/** Numbers, dates and truth: up to what ends a value. */
const bare = /[^,\]}#\r\n]+/y;

function headerAt(found: Found): readonly string[] {
  const isList = found.text.startsWith("[[", found.at);
  found.at += isList ? 2 : 1;
  const path = keysAt(found).map(({ name }) => name);
  skip(found, restOfLine);
  // One of many: no path of ours leads into it.
  return isList ? [...path, ""] : path;
}

function assignment(found: Found, above: readonly string[], form: Member["form"]): void {
  const keys = keysAt(found);
  const own = keys.at(-1);
  if (own === undefined || found.text.charAt(found.at) !== "=") return;
  found.at += 1;
  skip(found, space);
  const path = [...above, ...keys.map(({ name }) => name)];
  const { at } = found;
  // Its place in the list before those that stand in it.
  const index = found.assignments.length;
  const items = valueAt(found, path);
  const value = { start: at, end: found.at };
  found.assignments.splice(index, 0, { path, key: own.name, keySpan: own.span, value, items, form });
}

interface Key {
  readonly name: string;
  readonly span: Span;
}

function keysAt(found: Found): readonly Key[] {
  const keys: Key[] = [];
  for (;;) {
    skip(found, space);
    const start = found.at;
    const written = take(found, bareKey) ?? take(found, quotedKey);
    if (written === null) return [];
    keys.push({ name: nameIn(written), span: { start, end: found.at } });
    skip(found, space);
    if (found.text.charAt(found.at) !== ".") return keys;
    found.at += 1;
  }
}

function nameIn(written: string): string {
  if (!written.startsWith('"')) return written.replace(/^'|'$/g, "");
  try {
    return String(JSON.parse(written));
  } catch {
    // An escape that only TOML has: no client is told apart by that.
    return written;
  }
}

/** Reads one value; the spans of its elements where it is a list. */
function valueAt(found: Found, path: readonly string[]): readonly Span[] | null {
  switch (found.text.charAt(found.at)) {
    case "[":
      return listAt(found);
    case "{":
      inlineAt(found, path);
      return null;
    default:
      plainAt(found);
      return null;
  }
}

function listAt(found: Found): readonly Span[] {
  const items: Span[] = [];
  found.at += 1;
  for (;;) {
    skip(found, blank);
    const start = found.at;
    if (isOver(found, "]")) return items;
    valueAt(found, [""]);
    items.push({ start, end: found.at });
    skip(found, blank);
    if (found.text.charAt(found.at) === ",") found.at += 1;
    else if (found.at === start) return items;
  }
}

function inlineAt(found: Found, path: readonly string[]): void {
  found.at += 1;
  for (;;) {
    skip(found, blank);
    const start = found.at;
    if (isOver(found, "}")) return;
    assignment(found, path, "braces");
    skip(found, blank);
    if (found.text.charAt(found.at) === ",") found.at += 1;
    else if (found.at === start) return;
  }
}

function isOver(found: Found, close: string): boolean {
  if (found.at >= found.text.length) return true;
  if (found.text.charAt(found.at) !== close) return false;
  found.at += 1;
  return true;
}

function plainAt(found: Found): void {
  for (const one of texts) if (take(found, one) !== null) return;
  const written = take(found, bare);
  if (written !== null) found.at -= written.length - written.trimEnd().length;
}

function take(found: Found, what: RegExp): string | null {
  what.lastIndex = found.at;
  const written = what.exec(found.text)?.[0] ?? null;
  found.at += written?.length ?? 0;
  return written;
}

function skip(found: Found, what: RegExp): void {
  take(found, what);
}
