/** The end of a log that this process did not leave as it is: where its chain goes on, and what is wrong there. */
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { eachLastLineOf } from "../files/last-lines.js";
import { beforeFirst, type HeadFault, headFaults, type Link, ownPlace, type Placed } from "./chain.js";

/** What stands behind the last newline: a line that a crash has torn. */
export interface Torn {
  /** Where it begins. */
  readonly at: number;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** The end of a file of the log. */
export interface Tail {
  /** The last record that is ours; where there is none, what stands before the first. */
  readonly link: Link;
  /** Lines come after it that are not. */
  readonly hasForeign: boolean;
  /** What it says of the head of its time. */
  readonly headFault: HeadFault | null;
}

const pieceBytes = 64 * 1024;
/** So far back is looked for a record of ours, and for the one that the head names. */
const mostBytes = 4 * 1024 * 1024;
const newline = 0x0a;

/**
 * What of the open `file` of `size` bytes stands behind its last newline; null where nothing does; `foreign` where that is
 * more than a crash of ours leaves: how long it is, whoever wrote it decides, so it is read no further. Throws the system
 * error.
 */
export function tornIn(file: number, size: number): Torn | "foreign" | null {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let at = size;
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - pieceBytes);
    const length = readSync(file, piece, 0, end - from, from);
    const last = piece.subarray(0, length).lastIndexOf(newline);
    at = last === -1 ? from : from + last + 1;
    if (last !== -1) break;
    if (size - from >= mostBytes) return "foreign";
    end = from;
  }
  if (at === size) return null;
  const digest = createHash("sha256");
  for (let from = at; from < size; ) {
    const length = readSync(file, piece, 0, Math.min(pieceBytes, size - from), from);
    if (length === 0) break;
    digest.update(piece.subarray(0, length));
    from += length;
  }
  return { at, bytes: size - at, sha256: digest.digest("hex") };
}

/** The end of the open `file`, of whose `size` bytes the last is a newline. Throws the system error. */
export function tailOf(file: number, size: number, key: Uint8Array): Tail {
  let found: Placed | null = null;
  let headFault: HeadFault | null = null;
  let hasForeign = false;
  eachLastLineOf(file, size, mostBytes, (line) => {
    found = ownPlace(line, key);
    if (found === null) hasForeign = true;
    else if (found.isStamped) headFault = stampOf(line);
    return found === null;
  });
  return { link: found ?? beforeFirst, hasForeign, headFault };
}

/** Do the records of the open `file` past `head` follow it one by one, each ours? True as well where they go too far back. */
export function followsHead(file: number, size: number, head: Link, key: Uint8Array): boolean {
  let next: Placed | null = null;
  let isGood = true;
  eachLastLineOf(file, size, mostBytes, (line) => {
    const placed = ownPlace(line, key);
    isGood = placed !== null && (next === null || isBefore(placed, next));
    if (placed === null || !isGood || placed.seq < head.seq) return false;
    if (placed.seq === head.seq) isGood = placed.hash === head.hash;
    else next = placed;
    return placed.seq > head.seq;
  });
  const first = next as Placed | null;
  // The head may name the last record of the file before.
  return isGood && (first === null || first.seq !== head.seq + 1 || first.prev === head.hash);
}

function isBefore(one: Placed, next: Placed): boolean {
  return one.seq === next.seq - 1 && one.hash === next.prev;
}

/** The first record of the open `file`; null where it is not ours. Throws the system error. */
export function firstIn(file: number, key: Uint8Array): Placed | null {
  const line = firstLineOf(file);
  return line === null ? null : ownPlace(line, key);
}

/** The first line of the open `file`; null where it has none of a length that ours can have. Throws the system error. */
export function firstLineOf(file: number): Uint8Array | null {
  let bytes: Buffer = Buffer.alloc(0);
  while (bytes.length < mostBytes) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const length = readSync(file, piece, 0, pieceBytes, bytes.length);
    bytes = Buffer.concat([bytes, piece.subarray(0, length)]);
    const end = bytes.indexOf(newline);
    if (end !== -1) return bytes.subarray(0, end);
    if (length === 0) break;
  }
  return null;
}

/** Does the record that ends right before `size` bytes of the open `file` have this hash? Throws the system error. */
export function endsWith(file: number, size: number, hash: string): boolean {
  const text = `,"hash":"${hash}"}\n`;
  const bytes = Buffer.alloc(text.length);
  readSync(file, bytes, 0, text.length, size - text.length);
  return bytes.toString("latin1") === text;
}

function stampOf(line: Uint8Array): HeadFault {
  const { head_fault: stamp } = JSON.parse(Buffer.from(line).toString("utf8")) as Record<string, unknown>;
  return headFaults.find((one) => one === stamp) ?? "records_not_ours";
}
