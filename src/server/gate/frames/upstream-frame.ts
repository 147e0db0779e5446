/**
 * What an upstream's line is: whether it answers something, and under which id. Lines go on as they were received, so a line
 * is one only if every reader of it sees the same message. Invariant: what a client could take for the answer to a call that
 * is held is known as that answer, or is a stray line.
 */
import { isUtf8 } from "node:buffer";
import { type FrameId, isFrameId, isKeyVariant } from "./client-frame.js";
import { createJsonScan } from "./json-scan.js";
import { carriageReturn, isBroken, type LineLook } from "./lines.js";

/** One line of an upstream. */
export type UpstreamFrame =
  /** An answer; `id` null for an error without one. */
  | { readonly kind: "response"; readonly id: FrameId | null }
  /** An answer under an id that no call can have; `written` is that as `writtenId` has it. */
  | { readonly kind: "odd response"; readonly written: string }
  /** A request of the upstream's own, or a notification. */
  | { readonly kind: "message"; readonly method: string }
  /** No message: a banner, a stray line, or one that can be read in two ways. */
  | { readonly kind: "stray" };

/** Reads one line, with or without its newline. Never throws. */
export function readUpstreamFrame(line: Buffer): UpstreamFrame {
  const look = lookAtUpstream();
  look.push(line);
  return look.seen(line);
}

/** The same, while the line comes: of a long one little is left to read when its end is there. */
export function lookAtUpstream(): LineLook<UpstreamFrame> {
  const scan = createJsonScan(mostMarks);
  return { push: scan.push, seen: (line) => frameOf(line, scan.marks()) ?? { kind: "stray" } };
}

/** More keys has no message, and they would take memory. */
const mostMarks = 2_001;

function frameOf(line: Buffer, marks: readonly number[] | null): UpstreamFrame | null {
  if (marks === null || !isUtf8(line) || holdsAnother(line)) return null;
  const top = topOf(line, marks);
  if (top === null) return null;
  const isAnswer = top.has("result") || top.has("error");
  // One that is both is what its reader looks for first.
  if (isAnswer) return top.has("method") ? null : answerOf(top);
  const method = scalarIn(top.get("method"));
  return typeof method === "string" ? { kind: "message", method } : null;
}

function answerOf(top: Top): UpstreamFrame | null {
  const given = top.get("id");
  const id = scalarIn(given);
  if (isFrameId(id)) return { kind: "response", id };
  if (top.has("error") && (given === undefined || id === null)) return { kind: "response", id: null };
  // Nobody waits for a longer one, and one that is nested deep is not to be written by recursion.
  if (given === undefined || given.length > mostOddBytes) return null;
  return { kind: "odd response", written: writtenId(parsed(given)) };
}

const mostOddBytes = 1_024;

/** An id that no call can have, so that the same is the same. */
export function writtenId(id: unknown): string {
  return JSON.stringify(id);
}

/** JSON takes a carriage return for a blank. For many readers a line ends there, and what stands between two may be a message. */
function holdsAnother(line: Buffer): boolean {
  if (!isBroken(line)) return false;
  for (let from = 0; from < line.length; ) {
    const end = line.indexOf(carriageReturn, from);
    const scan = createJsonScan(mostMarks);
    scan.push(line.subarray(from, end === -1 ? line.length : end));
    if (scan.marks() !== null) return true;
    from = end === -1 ? line.length : end + 1;
  }
  return false;
}

type Top = ReadonlyMap<string, Buffer>;

/** What stands right in the message, as it is written; null where readers may take one key for another, or either of two. */
function topOf(line: Buffer, marks: readonly number[]): Top | null {
  const top = new Map<string, Buffer>();
  const between = (index: number): Buffer => line.subarray((marks[index] ?? 0) + 1, marks[index + 1]);
  for (let index = 0; index + 2 < marks.length; index += 2) {
    const key = scalarIn(between(index));
    if (typeof key !== "string" || top.has(key) || isKeyVariant(key)) return null;
    top.set(key, between(index + 1));
  }
  return top;
}

/** Undefined for a list or an object, and for what is not there. */
function scalarIn(written: Buffer | undefined): unknown {
  const first = written?.find((byte) => byte > space);
  return first === undefined || first === brace || first === bracket ? undefined : parsed(written);
}

function parsed(written: Buffer | undefined): unknown {
  return JSON.parse(written?.toString("utf8") ?? "null");
}

const space = 0x20;
const bracket = 0x5b;
const brace = 0x7b;
