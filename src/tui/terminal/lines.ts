/**
 * The face as lines, for whoever has the screen read aloud and for terminals that can do no more. Invariant: no escape is
 * written, and nothing into a line that is being typed: what is new is said when the line is ended or given up.
 */
import type { Clock } from "../../broker/index.js";
import { isExact, wide } from "../../face/wide.js";
import { announced } from "../components/announced.js";
import { saidRows } from "../components/said-rows.js";
import type { Screen } from "../screen/screen.js";
import type { Store } from "../store.js";
import type { Presence } from "./presence.js";

/** A screen that nobody sees: what is folded to its columns is put together again, and all of it is said at once. */
export const saidSize = { columns: 120, rows: 20_000 } as const;

/**
 * Says the screen of `store` and what changes of it, on a terminal of `columns`; `write` calls `then` when the terminal has
 * taken the text and all before it. The terminal makes of a newline the beginning of the next row, in its raw mode, too.
 */
export function openLines(
  store: Store,
  write: (text: string, then?: () => void) => void,
  clock: Clock,
  columns: () => number,
): Presence {
  let said: Screen | null = null;
  /** What stands on the line that is being typed. */
  let typed = "";
  let isEnding = false;
  let isClosed = false;

  function typedNow(): string {
    return store.screen().input?.text ?? "";
  }
  function follow(): void {
    if (isEnding) return;
    if (typed === "" && typedNow() === "") say();
    else echo();
  }
  /** Says what is new, and writes below it what was typed so far. */
  function say(): void {
    const until = clock.monotonic();
    const screen = store.screen();
    // A row that reaches the last column would make some terminals begin another one.
    const texts = announced(said, screen).flatMap((text) => saidRows(text, columns() - 1));
    said = screen;
    if (texts.length > 0) typed = typedNow();
    const text = texts.length > 0 ? `\n${texts.join("\n")}\n${promptMark}${typed}` : "";
    write(text, () => store.dispatch({ kind: "drawn", until, at: clock.monotonic() }));
  }
  function echo(): void {
    const next = typedNow();
    if (next.startsWith(typed)) write(next.slice(typed.length));
    // Where it is not sure how many columns to rub out, the line is written anew.
    else if (typed.startsWith(next) && isExact(typed.slice(next.length)))
      write(rubbedOut(typed.slice(next.length)));
    else write(`\n${promptMark}${next}`);
    typed = next;
  }
  function endLine(): void {
    write(`\n${promptMark}`);
    typed = "";
    say();
    echo();
  }

  const stop = store.subscribe(follow);
  say();
  return {
    hear(event) {
      const isEnd = event.kind === "key" && (event.key.name === "return" || event.key.name === "escape");
      isEnding = isEnd && typed !== "";
      store.dispatch(event);
      // What was typed may have left the face.
      if (!isEnding || isClosed) return;
      isEnding = false;
      endLine();
    },
    again() {
      said = null;
      say();
    },
    close() {
      isClosed = true;
      stop();
      // Whatever comes next, as the prompt of a shell, begins its own line.
      write("\n");
    },
  };
}

const promptMark = "> ";

function rubbedOut(text: string): string {
  return "\b \b".repeat(wide.of(text));
}
