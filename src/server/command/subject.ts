/** What a person is shown of a command: the very words that run. */
import {
  type CommandSubject,
  type FoundProgram,
  isComplex,
  longTextBytes,
  type Scope,
  shortened,
} from "../../broker/index.js";
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
  const { argv, directory, program, programChangedAt, lineProgram, directoryIdentity, state } = command;
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
      // A file that was edited in place and made to look as before is another one: nobody can set this time.
      state: {
        bound: [
          { target: program.path, fingerprint: `changed ${programChangedAt}` },
          ...(lineProgram === null || lineProgram.program.path === program.path
            ? []
            : [boundProgram(lineProgram)]),
          ...(state ?? []).map((one) => ({ ...one })),
        ],
      },
    },
    longTexts,
    scopes: isRule ? ["once", "session"] : ["once"],
  };
}

/** The form of a request has a place for the identity of one program alone: here it is a part of the fingerprint. */
function boundProgram({ program, programChangedAt }: FoundProgram) {
  const { path, device, inode, size, mtime } = program;
  const file = `device ${device}, inode ${inode}, size ${size}, mtime ${mtime}`;
  return { target: path, fingerprint: `${file}, changed ${programChangedAt}` };
}
