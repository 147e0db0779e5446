/**
 * The tree of a file in which nothing is wrong, several times as fast as jsonc-parser makes it: a server reads it before a
 * verdict. Invariant: whatever it takes, jsonc-parser reads alike, and whatever it does not take, that finds fault with: it
 * is asked for nothing but what is wrong.
 */
import type { Node } from "jsonc-parser";

/** Null where anything is not plainly right, or nested deeper than `deepest`. */
export function plainTree(text: string, deepest: number): Node | null {
  const reader: Reader = { text, at: 0, deepest };
  const root = value(reader, 0);
  if (root === null) return null;
  skip(reader);
  return reader.at === text.length ? root : null;
}

interface Reader {
  readonly text: string;
  at: number;
  readonly deepest: number;
}

const literal = /-?[0-9][0-9.eE+-]*|true|false|null/y;

function value(reader: Reader, depth: number): Node | null {
  skip(reader);
  const character = reader.text.charAt(reader.at);
  if (character === '"') return string(reader);
  if (character === "{" || character === "[") {
    return depth < reader.deepest ? collection(reader, depth, character === "{") : null;
  }
  const offset = reader.at;
  literal.lastIndex = offset;
  const written = literal.exec(reader.text)?.[0] ?? "";
  reader.at += written.length;
  const read = parsed(written);
  if (read === undefined) return null;
  const type = read === null ? "null" : typeof read === "number" ? "number" : "boolean";
  return { type, offset, length: written.length, value: read };
}

function string(reader: Reader): Node | null {
  const offset = reader.at;
  let end = reader.text.indexOf('"', offset + 1);
  while (end !== -1 && isEscaped(reader.text, end)) end = reader.text.indexOf('"', end + 1);
  if (end === -1) return null;
  const inside = reader.text.slice(offset + 1, end);
  const read = isPlain(inside) ? inside : parsed(`"${inside}"`);
  if (read === undefined) return null;
  reader.at = end + 1;
  return { type: "string", offset, length: reader.at - offset, value: read };
}

/** Nothing escaped, and no control character: it stands for itself. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < firstPrintable || code === backslash) return false;
  }
  return true;
}

const firstPrintable = 0x20;
const backslash = 0x5c;

function collection(reader: Reader, depth: number, isObject: boolean): Node | null {
  const offset = reader.at;
  const close = isObject ? "}" : "]";
  const children: Node[] = [];
  reader.at += 1;
  for (skip(reader); reader.text.charAt(reader.at) !== close; skip(reader)) {
    const child = isObject ? property(reader, depth + 1) : value(reader, depth + 1);
    if (child === null) return null;
    children.push(child);
    skip(reader);
    // One comma may stand behind the last.
    if (reader.text.charAt(reader.at) === ",") reader.at += 1;
    else if (reader.text.charAt(reader.at) !== close) return null;
  }
  reader.at += 1;
  return { type: isObject ? "object" : "array", offset, length: reader.at - offset, children };
}

function property(reader: Reader, depth: number): Node | null {
  if (reader.text.charAt(reader.at) !== '"') return null;
  const key = string(reader);
  if (key === null) return null;
  skip(reader);
  if (reader.text.charAt(reader.at) !== ":") return null;
  reader.at += 1;
  const held = value(reader, depth);
  if (held === null) return null;
  return { type: "property", offset: key.offset, length: reader.at - key.offset, children: [key, held] };
}

/** Blanks and comments; one without an end is left standing. */
function skip(reader: Reader): void {
  for (;;) {
    while (isSpace(reader.text.charCodeAt(reader.at))) reader.at += 1;
    if (reader.text.charCodeAt(reader.at) !== slash) return;
    const isBlock = reader.text.startsWith("/*", reader.at);
    if (!isBlock && !reader.text.startsWith("//", reader.at)) return;
    const end = isBlock ? reader.text.indexOf("*/", reader.at + 2) : endOfLine(reader.text, reader.at);
    if (end === -1) return;
    reader.at = isBlock ? end + 2 : end;
  }
}

const slash = 0x2f;

/** A blank, a tab, and both ends of a line. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

const lineEnd = /[\r\n]/g;

/** A carriage return alone ends a line, too: what follows it is no comment. */
function endOfLine(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.exec(text)?.index ?? text.length;
}

function isEscaped(text: string, quoteAt: number): boolean {
  let before = quoteAt - 1;
  while (text.charAt(before) === "\\") before -= 1;
  return (quoteAt - before) % 2 === 0;
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It throws a SyntaxError and nothing else.
    return undefined;
  }
}
