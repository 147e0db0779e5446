/** Answers come from a terminal, which an agent's shell is not. Nothing here can be switched off. */
import { wispLine } from "../face/quote.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";

/**
 * What a command shows and asks goes to standard error: where that is no terminal nobody sees it, and a yes, or an answer,
 * would be typed blind. Says so and returns the exit code; null where it is one.
 */
export function refusedUnseen(words: readonly string[], terminal: Terminal): number | null {
  if (terminal.err.isTerminal) return null;
  return refuse("terminal_required", terminal, {
    what: "Not done: standard error is not a terminal.",
    why: "This command shows there what it asks about, and nobody would see it.",
    fix: `Leave standard error at the terminal: ${wispLine(terminal.environment, words)}`,
  });
}

/** Says where `wisp` with `words` can be used, and returns the exit code. */
export function refusedElsewhere(words: readonly string[], terminal: Terminal): number {
  return refuse("terminal_required", terminal, {
    what: "Not done: standard input is not a terminal.",
    why: "An agent's shell must not answer its own request, so this command answers only from a terminal.",
    fix: `Open a terminal and run: ${wispLine(terminal.environment, words)}`,
  });
}
