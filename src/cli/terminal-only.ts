/** Answers come from a terminal, which an agent's shell is not. Nothing here can be switched off. */
import { wispLine } from "../face/quote.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";

/** Says where `wisp` with `words` can be used, and returns the exit code. */
export function refusedElsewhere(words: readonly string[], terminal: Terminal): number {
  return refuse("terminal_required", terminal, {
    what: "Not done: standard input is not a terminal.",
    why: "An agent's shell must not answer its own request, so this command answers only from a terminal.",
    fix: `Open a terminal and run: ${wispLine(terminal.environment, words)}`,
  });
}
