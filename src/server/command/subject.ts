/** What a person is shown of a command: the very words that run. */
import { type CommandSubject, isComplex, longTextBytes, type Scope, shortened } from "../../broker/index.js";
import { quoteArgv } from "./quote.js";
import type { ResolvedCommand } from "./resolve.js";

/** A command in the form in which a request carries it. */
export interface ShownCommand {
  readonly subject: CommandSubject;
  /** The whole texts behind the stand-ins in `subject`, each once. */
  readonly longTexts: readonly string[];
  /** For how long a yes may be given. */
  readonly scopes: readonly Scope[];
}

/** The subject of a request for `command`. */
export function commandSubject(command: ResolvedCommand): ShownCommand {
  const { argv, directory, program, directoryIdentity } = command;
  const line = argv === null ? (command.line ?? "") : quoteArgv(argv);
  const texts = new Set([line, ...(argv ?? [])]);
  const longTexts = [...texts].filter((text) => Buffer.byteLength(text, "utf8") > longTextBytes);
  // Only what was shown whole and understood whole may run again without being shown.
  const isRule = longTexts.length === 0 && (argv !== null || !isComplex(line));
  return {
    subject: {
      type: "command",
      line: shortened(line),
      argv: argv === null ? null : argv.map(shortened),
      command: shortened(line),
      directory,
      pattern: isRule ? line : null,
      program,
      directoryIdentity,
      state: null,
    },
    longTexts,
    scopes: isRule ? ["once", "session"] : ["once"],
  };
}
