/**
 * Standard error of a gate: what it says itself, and what the server behind it prints. Invariant: whoever does not read it,
 * or closed it, misses what was said; the gate neither waits for them nor keeps more than the limit.
 */

/** The stream that it goes to: that of this process, or what stands for it. */
export type ErrorStream = Pick<NodeJS.WriteStream, "write" | "on" | "writableLength">;

/** Where a gate and its server complain. */
export interface StandardError {
  /** One line of the gate's own, safe to show. */
  say(line: string): void;
  /** What the server printed, as it came. */
  pass(chunk: Buffer): void;
}

/** So many bytes may wait to be read. */
const mostWaiting = 1024 * 1024;

/** Takes `stream` for the gate. */
export function standardError(stream: ErrorStream): StandardError {
  let lost = 0;
  let isClosed = false;

  function write(chunk: Buffer | string): void {
    if (isClosed) return;
    if (stream.writableLength > mostWaiting) lost += chunk.length;
    else stream.write(chunk);
  }

  function say(line: string): void {
    write(`wisp gate: ${line}\n`);
  }

  stream.on("error", () => {
    isClosed = true;
  });
  stream.on("drain", () => {
    if (lost === 0) return;
    const bytes = lost;
    lost = 0;
    // What was there before may end in the middle of a line.
    write("\n");
    say(`${bytes} bytes of standard error are missing here, because nobody read it for a while`);
  });
  return { say, pass: write };
}
