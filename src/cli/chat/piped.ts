/** Lines from something that is no terminal. There is no prompt, and nobody can answer. */
import type { Readable } from "node:stream";
import { boundedLines, type Line } from "./bounded-lines.js";
import type { Lines, Typed } from "./lines.js";

/** More than any slash command takes. */
const longestLine = 16 * 1024;

/** Reads `input` until it ends or `interrupted` is aborted, which closes it. */
export function pipedLines(input: Readable, interrupted: AbortSignal): Lines {
  const lines = boundedLines(input, longestLine);
  let isWaiting = false;
  let onEmpty = (): void => {};
  interrupted.addEventListener("abort", () => input.destroy());
  return {
    async next() {
      isWaiting = true;
      onEmpty();
      const { done, value } = await lines.next();
      isWaiting = false;
      if (interrupted.aborted) return { kind: "interrupted" };
      return done === true ? { kind: "end" } : typedFrom(value);
    },
    get isEmpty() {
      return isWaiting;
    },
    interject: (print) => print(),
    onEmpty(listener) {
      onEmpty = listener;
    },
  };
}

/** A line that is too long is no command, whatever it begins with. */
function typedFrom(line: Line): Typed {
  return { kind: "line", text: line.kind === "line" ? Buffer.from(line.bytes).toString("utf8") : "…" };
}
