/**
 * Lines of a pipe, as bytes: a message of MCP over stdio is one line. However long one is, no more than the limit is kept
 * in memory. A line is handed on as it was received, its newline included.
 */

/** What a line ends with. */
export const newline = 0x0a;
/** What many readers take for one. */
export const carriageReturn = 0x0d;

/** Does a carriage return stand anywhere in `line` but right before its newline, or at the very end? Many readers end a line there. */
export function isBroken(line: Uint8Array): boolean {
  const at = line.indexOf(carriageReturn);
  if (at === -1) return false;
  const end = line.at(-1) === newline ? line.length - 2 : line.length - 1;
  return at < end;
}

/** Who hears of what was read. */
export interface LineListener<Seen = null> {
  /** `line` ends with its newline, but for what stands behind the last one when the pipe ends. `seen` is what a look at it found. */
  line(line: Buffer, seen: Seen): void;
  /** A line of more than the limit; all of it was passed over. */
  tooLong(bytes: number): void;
}

/** A look at one line while it comes. */
export interface LineLook<Seen> {
  /** The next piece of it. */
  push(piece: Buffer): void;
  /** What it is; `line` is all that was pushed. */
  seen(line: Buffer): Seen;
}

/** Takes what a pipe brings, piece by piece. */
export interface LineSplitter {
  push(chunk: Buffer): void;
  /** The pipe has ended: what stands behind the last newline is a line, too. */
  end(): void;
}

/** Splits into lines of at most `most` bytes, newline included. */
export function lineSplitter(most: number, listener: LineListener): LineSplitter {
  return lookingSplitter(most, listener, () => noLook);
}

const noLook: LineLook<null> = { push: () => undefined, seen: () => null };

/** The same, with a new look at each line. */
export function lookingSplitter<Seen>(
  most: number,
  listener: LineListener<Seen>,
  newLook: () => LineLook<Seen>,
): LineSplitter {
  /** The pieces of a line whose end has not come yet. */
  let kept: Buffer[] = [];
  let bytes = 0;
  let look = newLook();

  function keep(piece: Buffer): void {
    bytes += piece.length;
    if (bytes <= most) {
      kept.push(piece);
      look.push(piece);
    } else kept = [];
  }

  function finish(): void {
    const [only] = kept;
    const length = bytes;
    const pieces = kept;
    const looked = look;
    kept = [];
    bytes = 0;
    look = newLook();
    if (length > most) listener.tooLong(length);
    else if (only !== undefined) {
      const line = pieces.length === 1 ? only : Buffer.concat(pieces, length);
      listener.line(line, looked.seen(line));
    }
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
