/** A command as the policy judges it. */
import { isProgramOpen, type JudgedCommand, programIdentity } from "../../broker/index.js";
import { quoteArgv } from "./quote.js";
import type { ResolvedCommand } from "./resolve.js";

/** Of a line the program is not the file that is executed: that is bash for all of them. */
export function judgedOf(command: ResolvedCommand): JudgedCommand {
  const { argv, lineProgram, directory } = command;
  const found = argv === null ? lineProgram : command;
  const program = found?.program.path ?? null;
  return {
    kind: "command",
    argv,
    line: argv === null ? (command.line ?? "") : quoteArgv(argv),
    directory,
    program,
    // As it was found; it is looked at once more before it runs.
    programIdentity:
      found === null ? null : programIdentity({ ...found.program, changedAt: found.programChangedAt }),
    isProgramOpen: program !== null && isProgramOpen(program, directory),
  };
}
