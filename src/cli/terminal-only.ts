/** Answers come from a terminal, which an agent's shell is not. Nothing here can be switched off. */
import { wispLine } from "../face/quote.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";

/**
 * What a command shows and asks goes to standard error: where that is no terminal nobody sees it, and a yes, or an answer,
 * would be typed blind. Says so and returns the exit code; null where it is one.
 */
export function refusedUnseen(words: readonly string[], terminal: Terminal): number | null {
  return terminal.err.isTerminal ? null : refusedElsewhere(words, terminal, "error");
}

/** Says where `wisp` with `words` can be used, and returns the exit code; `stream` is what is no terminal. */
export function refusedElsewhere(words: readonly string[], terminal: Terminal, stream = "input"): number {
  return refuse("terminal_required", terminal, {
    what: `Not done: standard ${stream} is not a terminal.`,
    why: "An agent's shell must not answer its own request, so this command answers only from a terminal.",
    fix: `Open a terminal and run: ${wispLine(terminal.environment, words)}`,
  });
}
