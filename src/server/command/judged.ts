/** A command as the policy judges it. */
import {
  isProgramOpen,
  type JudgedCommand,
  onlyProgramOf,
  programIdentity,
  programIdentityAt,
} from "../../broker/index.js";
import { type Environment, homeDirectoryOf } from "./environment.js";
import { quoteArgv } from "./quote.js";
import { foundProgramPath, type ResolvedCommand } from "./resolve.js";

/** `environment` is the one that the command runs in. */
export function judgedOf(command: ResolvedCommand, environment: Environment): JudgedCommand {
  const { argv, directory } = command;
  const line = argv === null ? (command.line ?? "") : quoteArgv(argv);
  const program = programOf(command, line, environment);
  return {
    kind: "command",
    argv,
    line,
    directory,
    program,
    programIdentity: program === null ? null : identityOf(command, program),
    isProgramOpen: program !== null && isProgramOpen(program, directory),
  };
}

/** Of an argv it is the file as it was found, which is compared once more before it runs. */
function identityOf({ argv, program, programChangedAt }: ResolvedCommand, path: string): string | null {
  return argv === null
    ? programIdentityAt(path)
    : programIdentity({ ...program, changedAt: programChangedAt });
}

/** Of a line it is not the file that is executed: that is bash for all of them. */
function programOf({ argv, program, directory }: ResolvedCommand, line: string, environment: Environment) {
  if (argv !== null) return program.path;
  const name = onlyProgramOf(line, homeDirectoryOf(environment));
  return name === null ? null : foundProgramPath(name, directory, environment);
}
