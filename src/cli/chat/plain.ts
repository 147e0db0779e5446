/**
 * Plain chat: lines in, lines out. Before each prompt it tells what is new, and at once where the prompt stands empty;
 * what is half-typed is never drawn over.
 */
import type { Inbox } from "../../face/inbox.js";
import { exits } from "../exits.js";
import type { Terminal } from "../terminal.js";
import { doLine, meantBy } from "./doing.js";
import type { Lines } from "./lines.js";
import type { News } from "./news.js";

/** What plain chat talks with. */
export interface PlainParts {
  readonly inbox: Pick<Inbox, "state" | "onChange">;
  /** Has listened to the inbox before this does. */
  readonly news: News;
  readonly lines: Lines;
  readonly terminal: Terminal;
  /** Ctrl-C, wherever it came. */
  readonly interrupted: AbortSignal;
}

/** Goes on until the person leaves or the input ends, and returns the exit code. */
export async function chatPlainly(parts: PlainParts): Promise<number> {
  const { inbox, news, lines, terminal, interrupted } = parts;
  const { out, err } = terminal;
  const tell = (): void => {
    if (!lines.isEmpty) return;
    const text = news.take();
    if (text !== "") lines.interject(() => out.write(text));
  };
  const stop = inbox.onChange(tell);
  lines.onEmpty(tell);
  // The shell that started it may hold the rest of a paste.
  let isFresh = true;
  try {
    for (;;) {
      out.write(news.take());
      const typed = await lines.next(isFresh);
      isFresh = false;
      switch (typed.kind) {
        case "line": {
          const waiting = inbox.state.requests;
          const done = await doLine(typed.text, terminal, news);
          // Ctrl-C at a question, or while an answer was not read yet, leaves as it does everywhere.
          if (interrupted.aborted) return exits.interrupted;
          if (done.kind === "leave") return exits.done;
          if (done.kind === "nothing") break;
          isFresh = true;
          const id = done.exit === exits.done ? meantBy(done.typedId, waiting) : null;
          if (id !== null) news.passOver(id);
          break;
        }
        case "several":
          isFresh = true;
          err.write(`${typed.count} lines came at once, as from a paste: none of them was run.\n`);
          break;
        case "interrupted":
          return exits.interrupted;
        case "end":
          return exits.done;
        default:
          typed satisfies never;
      }
    }
  } finally {
    stop();
  }
}
