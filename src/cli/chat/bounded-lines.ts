/** Lines of a stream that somebody else writes: however long one is, no more than a line is kept in memory. */

/** One line, without its newline. */
export type Line =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** It was longer than allowed; all of it was passed over. */
  | { readonly kind: "too long" };

/** The lines of `input` up to its end, which a fault of it is as well. What stands behind the last newline is a line. */
export async function* boundedLines(
  input: AsyncIterable<Uint8Array | string>,
  mostBytes: number,
): AsyncGenerator<Line> {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  const take = (): Line => {
    const line: Line =
      bytes > mostBytes ? { kind: "too long" } : { kind: "line", bytes: Buffer.concat(kept, bytes) };
    kept = [];
    bytes = 0;
    return line;
  };
  const add = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes <= mostBytes) kept.push(part);
    else kept = [];
  };
  try {
    for await (const chunk of input) {
      let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
        add(rest.subarray(0, end));
        yield take();
        rest = rest.subarray(end + 1);
      }
      add(rest);
    }
  } catch {
    // Whoever wrote it is gone, or it was closed from here: there is no more to read.
  }
  if (bytes > 0) yield take();
}

const newline = 0x0a;
