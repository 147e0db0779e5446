/** The lines of a private file of any length, without ever holding all of it. */
import { readSync } from "node:fs";
import { type ReadResult, readOpened } from "./read.js";

/** Lines are looked at in pieces of this many bytes: a megabyte is read in well under a millisecond. */
const pieceBytes = 1024 * 1024;

/** After so many bytes without a newline a file is not read on: it may be of any length and hold nothing. */
const mostBytes = 4 * 1024 * 1024;

const newline = 0x0a;

/** What came of it: all lines were seen, or why not; `too large` where one did not end. */
export type LinesResult = { readonly kind: "read" } | Exclude<ReadResult, { kind: "value" }>;

/**
 * Hands every line of `path` that holds `text` to `use`, in order, without its newline; `isWhole` is false for a last
 * line that has none. The file is opened and judged as `readBytes` does, whatever its size.
 */
export function eachLineWith(
  path: string,
  text: string,
  use: (line: Uint8Array, isWhole: boolean) => void,
): LinesResult {
  return readOpened<LinesResult>(path, Number.MAX_SAFE_INTEGER, (file) => {
    const piece = Buffer.allocUnsafe(pieceBytes);
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const read = readSync(file, piece, 0, pieceBytes, null);
      if (read === 0) break;
      const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
      const end = bytes.lastIndexOf(newline) + 1;
      useLines(bytes.subarray(0, end), text, use);
      rest = bytes.subarray(end);
      if (rest.length > mostBytes) return { kind: "refused", objection: "too large", stats: null };
    }
    if (rest.includes(text)) use(rest, false);
    return { kind: "read" };
  });
}

/** Looks for the text first: nearly all lines of a long file are about something else. */
function useLines(bytes: Buffer, text: string, use: (line: Uint8Array, isWhole: boolean) => void): void {
  for (let at = bytes.indexOf(text); at !== -1; ) {
    const start = bytes.lastIndexOf(newline, at) + 1;
    const end = bytes.indexOf(newline, at);
    use(bytes.subarray(start, end), true);
    at = bytes.indexOf(text, end);
  }
}

/**
 * Hands every line of the open `file`, from where it is read, to `use`, in order, without its newline; null in place of one
 * that is longer than `longest` bytes, of which no more than that is ever held. `isWhole` as above. Throws the system error.
 */
export function eachLineOf(
  file: number,
  longest: number,
  use: (line: Uint8Array | null, isWhole: boolean) => void,
): LinesResult {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  let skipped = 0;
  const hand = (line: Buffer, isWhole: boolean): void => {
    use(isTooLong || line.length > longest ? null : line, isWhole);
    isTooLong = false;
  };
  for (;;) {
    const read = readSync(file, piece, 0, pieceBytes, null);
    if (read === 0) break;
    const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      hand(bytes.subarray(start, end), true);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (start > 0) skipped = 0;
    if (rest.length > longest) {
      isTooLong = true;
      skipped += rest.length;
      if (skipped > mostBytes) return { kind: "refused", objection: "too large", stats: null };
      rest = Buffer.alloc(0);
    }
  }
  if (isTooLong || rest.length > 0) hand(rest, false);
  return { kind: "read" };
}
