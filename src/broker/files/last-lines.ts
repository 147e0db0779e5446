/** The last lines of a private file of any length: how much of it is read is bounded. */
import { readSync } from "node:fs";
import type { LinesResult } from "./lines.js";
import { readOpened } from "./read.js";

const pieceBytes = 256 * 1024;

const newline = 0x0a;

/**
 * Hands the lines of `path` to `use`, the last one first, without their newlines, until it returns false or `mostBytes` were
 * read. Bytes after the last newline are a line that a crash has torn, and no line. The file is opened and judged as
 * `readBytes` does, whatever its size.
 */
export function eachLastLine(
  path: string,
  mostBytes: number,
  use: (line: Uint8Array) => boolean,
): LinesResult {
  return readOpened<LinesResult>(path, Number.MAX_SAFE_INTEGER, (file, stats) => {
    eachLastLineOf(file, Number(stats.size), mostBytes, use);
    return { kind: "read" };
  });
}

/** The same of the first `size` bytes of an open `file`. Throws the system error. */
export function eachLastLineOf(
  file: number,
  size: number,
  mostBytes: number,
  use: (line: Uint8Array) => boolean,
): void {
  const first = Math.max(0, size - mostBytes);
  // The part of a line whose beginning was not read yet; null until a line has ended.
  let rest: Buffer | null = null;
  for (let at = size; at > first; ) {
    const length = Math.min(pieceBytes, at - first);
    at -= length;
    const piece = Buffer.allocUnsafe(length);
    if (readSync(file, piece, 0, length, at) !== length) break;
    const bytes: Buffer = rest === null ? piece : Buffer.concat([piece, rest]);
    const cut = useLines(bytes, rest === null ? null : bytes.length, use);
    if (cut === "enough") return;
    rest = cut;
  }
  if (rest !== null && first === 0) use(rest);
}

/** Lines end before `end`; null: before the last newline. Returns what is left of the first one. */
function useLines(
  bytes: Buffer,
  end: number | null,
  use: (line: Uint8Array) => boolean,
): Buffer | null | "enough" {
  let until = end ?? bytes.lastIndexOf(newline);
  if (until === -1) return null;
  for (;;) {
    const before = until === 0 ? -1 : bytes.lastIndexOf(newline, until - 1);
    if (before === -1) return bytes.subarray(0, until);
    if (!use(bytes.subarray(before + 1, until))) return "enough";
    until = before;
  }
}
