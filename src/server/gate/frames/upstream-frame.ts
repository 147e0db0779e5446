/**
 * What an upstream's line is, as far as the router has to know: whether it answers something, and under which id. Lines
 * go on as they were received, so a long one is looked at without being parsed.
 */
import type { FrameId } from "./client-frame.js";

/** One line of an upstream. */
export type UpstreamFrame =
  /** An answer; `id` null where it has none that anything was sent under. */
  | { readonly kind: "response"; readonly id: FrameId | null }
  /** A request of the upstream's own, or a notification. */
  | { readonly kind: "message"; readonly method: string }
  /** No message: a banner, a stray line. */
  | { readonly kind: "stray" };

/** To parse a line of so many bytes takes less than to look for its ends. */
const mostParsed = 16 * 1024;

/** Reads one line, with or without its newline. Never throws. */
export function readUpstreamFrame(line: Buffer): UpstreamFrame {
  return frameOf(
    line.length <= mostParsed ? parsedTop(line.toString("utf8")) : scannedTop(line.toString("latin1")),
  );
}

/** The values that stand right in the message; of other keys only that they are there. */
type Top = Readonly<Record<string, unknown>>;

function frameOf(top: Top | null): UpstreamFrame {
  if (top === null) return { kind: "stray" };
  const { method, id } = top;
  if (typeof method === "string") return { kind: "message", method };
  const isAnswer = Object.hasOwn(top, "result") || Object.hasOwn(top, "error");
  if (!isAnswer) return { kind: "stray" };
  return {
    kind: "response",
    id: typeof id === "string" || Number.isSafeInteger(id) ? (id as FrameId) : null,
  };
}

function parsedTop(text: string): Top | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Top) : null;
  } catch {
    return null;
  }
}

/** What stands at the top of an object, found by its ends alone: nested values are passed over, not read. */
function scannedTop(text: string): Top | null {
  const top: Record<string, unknown> = Object.create(null);
  const reader: Reader = { text, at: 0 };
  if (!takes(reader, "{")) return null;
  for (;;) {
    const key = peek(reader) === '"' ? takenString(reader) : null;
    if (key === null || !takes(reader, ":")) return null;
    const name = valueIn(key);
    const scalar = taken(reader, scalars) ?? (peek(reader) === '"' ? takenString(reader) : null);
    if (scalar === null && !passedNested(reader)) return null;
    top[typeof name === "string" ? name : ""] = scalar === null ? null : valueIn(scalar);
    if (takes(reader, ",")) continue;
    return takes(reader, "}") && peek(reader) === "" ? top : null;
  }
}

interface Reader {
  readonly text: string;
  at: number;
}

const blanks = /[ \t\r\n]*/y;
const scalars = /-?[0-9][0-9.eE+-]*|true|false|null/y;

/** The next character that is no blank, "" at the end. */
function peek(reader: Reader): string {
  blanks.lastIndex = reader.at;
  blanks.test(reader.text);
  reader.at = blanks.lastIndex;
  return reader.text.charAt(reader.at);
}

function takes(reader: Reader, character: string): boolean {
  if (peek(reader) !== character) return false;
  reader.at += 1;
  return true;
}

function taken(reader: Reader, pattern: RegExp): string | null {
  peek(reader);
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? null;
  if (found !== null) reader.at += found.length;
  return found;
}

/** A pattern over a very long text would be slow, and may run out of stack. */
function takenString(reader: Reader): string | null {
  const end = endOfString(reader.text, reader.at + 1);
  if (end === -1) return null;
  const found = reader.text.slice(reader.at, end + 1);
  reader.at = end + 1;
  return found;
}

/** Passes over an object or a list. */
function passedNested(reader: Reader): boolean {
  const { text } = reader;
  let depth = 0;
  for (let at = reader.at; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at + 1);
        if (at === -1) return false;
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        break;
    }
    if (depth > 0) continue;
    if (at === reader.at) return false;
    reader.at = at + 1;
    return depth === 0;
  }
  return false;
}

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, quoteAt: number): boolean {
  let before = quoteAt - 1;
  while (text.charCodeAt(before) === 0x5c) before -= 1;
  return (quoteAt - before) % 2 === 0;
}

function valueIn(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, "latin1").toString("utf8"));
  } catch {
    return null;
  }
}
