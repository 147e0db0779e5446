/**
 * Where things stand in a JSON text, for whoever has to correct it. It says nothing of what the text means: that the strict
 * parser said before. Invariant: it ends for every text, and goes no deeper than that parser.
 */
import { endOfString } from "../request/strict-json.js";
import type { ReadObjection } from "./read.js";

/** Lines count from 1. */
export interface JsonPlaces {
  /** The line of the key at `path`; null where none stands there. */
  lineOfKey(path: readonly PropertyKey[]): number | null;
  /** The same, or of the last one above it that stands there. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Looks through `text` once. */
export function jsonPlaces(text: string): JsonPlaces {
  const { keys } = lookedThrough(text, true);
  return {
    lineOfKey(path) {
      const above = keysAlong(keys, path);
      const last = above.at(-1);
      return last === undefined || above.length < path.length ? null : lineAt(text, last.at);
    },
    lineOf: (path) => lineAt(text, keysAlong(keys, path).at(-1)?.at ?? 0),
  };
}

/** The line of what is wrong with a text that is refused for `objection`; null where its place is not known. */
export function lineOfObjection(text: string, objection: ReadObjection): number | null {
  const { fault, duplicate, forbidden } = lookedThrough(text, false);
  const at = new Map<ReadObjection, number | null>([
    ["not JSON", fault],
    ["duplicate key", duplicate],
    ["forbidden key", forbidden],
  ]).get(objection);
  return at === undefined || at === null ? null : lineAt(text, at);
}

/** A key, or an index of a list. */
interface Key {
  readonly at: number;
  readonly below: Keys;
}
type Keys = Map<string, Key>;

interface Found {
  readonly text: string;
  /** How far it was read; where reading failed it stands at what is wrong. */
  at: number;
  readonly areKeysKept: boolean;
  duplicate: number | null;
  forbidden: number | null;
}

function lookedThrough(text: string, areKeysKept: boolean) {
  const found: Found = { text, at: 0, areKeysKept, duplicate: null, forbidden: null };
  const keys: Keys = new Map();
  const isValue = value(found, keys, 0);
  if (isValue) skip(found);
  const { at, duplicate, forbidden } = found;
  return { keys, duplicate, forbidden, fault: isValue && at === text.length ? null : at };
}

/** Those of `path` that stand there, from above. */
function keysAlong(keys: Keys, path: readonly PropertyKey[]): readonly Key[] {
  const along: Key[] = [];
  for (const part of path) {
    const key = (along.at(-1)?.below ?? keys).get(String(part));
    if (key === undefined) break;
    along.push(key);
  }
  return along;
}

const deepest = 32;
const space = /[ \t\r\n]*/y;
const literal = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** Reads one value, and puts its keys among `keys`; false where there is none. */
function value(found: Found, keys: Keys, depth: number): boolean {
  skip(found);
  const first = found.text.charAt(found.at);
  if (first === "{" || first === "[") return depth < deepest && collection(found, keys, depth, first === "{");
  return (first === '"' ? quoted(found) : plain(found)) !== null;
}

function collection(found: Found, keys: Keys, depth: number, isObject: boolean): boolean {
  const close = isObject ? "}" : "]";
  const seen = new Set<string>();
  found.at += 1;
  skip(found);
  if (found.text.charAt(found.at) === close) {
    found.at += 1;
    return true;
  }
  for (let index = 0; ; index += 1) {
    skip(found);
    const key = { at: found.at, below: new Map() };
    const name = isObject ? keyName(found, seen) : String(index);
    if (name === null) return false;
    if (found.areKeysKept && !keys.has(name)) keys.set(name, key);
    if (!value(found, key.below, depth + 1)) return false;
    skip(found);
    const next = found.text.charAt(found.at);
    if (next !== "," && next !== close) return false;
    found.at += 1;
    if (next === close) return true;
  }
}

/** Reads a key and its colon; null where there is none. */
function keyName(found: Found, seen: Set<string>): string | null {
  const { at } = found;
  const name = quoted(found);
  if (name === null) return null;
  note(found, name, at, seen);
  skip(found);
  if (found.text.charAt(found.at) !== ":") return null;
  found.at += 1;
  return name;
}

function note(found: Found, key: string, at: number, seen: Set<string>): void {
  if (seen.has(key)) found.duplicate ??= at;
  if (forbidden.has(key)) found.forbidden ??= at;
  seen.add(key);
}

function plain(found: Found): string | null {
  literal.lastIndex = found.at;
  const written = literal.exec(found.text)?.[0] ?? "";
  found.at += written.length;
  return written === "" ? null : written;
}

/** The text that is written there. */
function quoted(found: Found): string | null {
  const { text, at } = found;
  if (text.charAt(at) !== '"') return null;
  const end = endOfString(text, at + 1) + 1;
  try {
    const read = String(JSON.parse(text.slice(at, end)));
    found.at = end;
    return read;
  } catch {
    // It throws a SyntaxError and nothing else.
    return null;
  }
}

function skip(found: Found): void {
  space.lastIndex = found.at;
  space.test(found.text);
  found.at = space.lastIndex;
}

function lineAt(whole: string, at: number): number {
  return whole.slice(0, at).split("\n").length;
}
