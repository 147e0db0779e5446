/**
 * The face as lines, for whoever has the screen read aloud and for terminals that can do no more. Invariant: no escape is
 * written, and nothing into a line that is being typed: what is new is said when the line is ended or given up.
 */
import { wide } from "../../face/wide.js";
import { announced } from "../components/announced.js";
import type { Screen } from "../screen/screen.js";
import type { Store } from "../store.js";
import type { Presence } from "./presence.js";

/** A screen that nobody sees: what is folded to its columns is said whole, and all of it at once. */
export const saidSize = { columns: 120, rows: 20_000 } as const;

/** Says the screen of `store` and what changes of it. The terminal makes of a newline the beginning of the next row, in its raw mode, too. */
export function openLines(store: Store, write: (text: string) => void): Presence {
  let said: Screen | null = null;
  /** What stands on the line that is being typed. */
  let typed = "";
  let isEnding = false;

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
    const screen = store.screen();
    const texts = announced(said, screen);
    said = screen;
    if (texts.length === 0) return;
    typed = typedNow();
    write(`\n${texts.join("\n")}\n${promptMark}${typed}`);
  }
  function echo(): void {
    const next = typedNow();
    if (next.startsWith(typed)) write(next.slice(typed.length));
    else if (typed.startsWith(next)) write(rubbedOut(typed.slice(next.length)));
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
      if (!isEnding) return;
      isEnding = false;
      endLine();
    },
    again() {
      said = null;
      say();
    },
    close: stop,
  };
}

const promptMark = "> ";

function rubbedOut(text: string): string {
  return "\b \b".repeat(wide.of(text));
}
