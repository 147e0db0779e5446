/**
 * Lines of a pipe, as bytes: a message of MCP over stdio is one line. However long one is, no more than the limit is kept
 * in memory. A line is handed on as it was received, its newline included.
 */

/** What a line ends with. */
export const newline = 0x0a;

/** Who hears of what was read. */
export interface LineListener {
  /** `line` ends with its newline, but for what stands behind the last one when the pipe ends. */
  line(line: Buffer): void;
  /** A line of more than the limit; all of it was passed over. */
  tooLong(bytes: number): void;
}

/** Takes what a pipe brings, piece by piece. */
export interface LineSplitter {
  push(chunk: Buffer): void;
  /** The pipe has ended: what stands behind the last newline is a line, too. */
  end(): void;
}

/** Splits into lines of at most `most` bytes, newline included. */
export function lineSplitter(most: number, listener: LineListener): LineSplitter {
  /** The pieces of a line whose end has not come yet. */
  let kept: Buffer[] = [];
  let bytes = 0;

  function keep(piece: Buffer): void {
    bytes += piece.length;
    if (bytes <= most) kept.push(piece);
    else kept = [];
  }

  function finish(): void {
    const [only] = kept;
    const length = bytes;
    const pieces = kept;
    kept = [];
    bytes = 0;
    if (length > most) listener.tooLong(length);
    else if (only !== undefined) listener.line(pieces.length === 1 ? only : Buffer.concat(pieces, length));
  }

  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        keep(chunk.subarray(from, end + 1));
        finish();
        from = end + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end: finish,
  };
}
