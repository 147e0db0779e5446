/** `wisp completion SHELL`, and `wisp complete`, which the scripts call. A program of its own: nobody answers with it. */
import { WispError } from "../../broker/index.js";
import { exits } from "../exits.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { valuesIn } from "./home-values.js";
import { scriptFor, shells } from "./scripts.js";
import { type Completable, suggestions } from "./suggest.js";

/** Prints the script for the shell that `words` name, or tells what is wrong with them; returns the exit code. */
export function printScript(words: readonly string[], terminal: Terminal): number {
  const [typed = "", ...more] = words;
  const shell = shells.find((one) => one === typed);
  if (shell === undefined || more.length > 0) {
    // Told here, where the class of our own errors is that of what makes them: each bundle has one.
    return reportError(
      new WispError("invalid_input", `One of ${shells.join(", ")} is needed.`, {
        fix: "wisp completion --help",
      }),
      terminal,
    );
  }
  terminal.out.write(scriptFor(shell));
  return exits.done;
}

/** Prints what may stand where the cursor is. */
export function complete(
  words: readonly string[],
  commands: readonly Completable[],
  terminal: Terminal,
): number {
  terminal.out.write(suggestions(words, commands, valuesIn(terminal)));
  return exits.done;
}
