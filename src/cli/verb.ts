/** A verb that must start fast: its shape, and what it does. */
import { type Arguments, parseArguments, type Shape } from "./arguments.js";
import { exits } from "./exits.js";
import { reportError } from "./report.js";
import type { Terminal } from "./terminal.js";

/** One entry of the table under `wisp approvals`. */
export interface Verb extends Shape {
  /** One line for the help, without a full stop. */
  readonly summary: string;
  /** Lines for its own help, below the summary. */
  readonly details: readonly string[];
  /** Does it, and returns the exit code. */
  run(given: Arguments, terminal: Terminal): Promise<number>;
}

/** Parses `words`, runs `verb`, tells of what went wrong, and returns the exit code. */
export async function runVerb(verb: Verb, words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const given = parseArguments(words, verb);
    if (!given.isHelp) return await verb.run(given, terminal);
    const details = verb.details.map((line) => `  ${line}\n`).join("");
    const usage = `Usage: ${verb.command} ${verb.synopsis}\n\n${verb.summary}\n\n${details}`;
    terminal.out.write(usage.replace(/ +$/gm, ""));
    return exits.done;
  } catch (error) {
    return reportError(error, terminal);
  }
}
