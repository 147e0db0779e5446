/** A command as the policy judges it. */
import { type JudgedCommand, onlyProgramOf } from "../../broker/index.js";
import { type Environment, homeDirectoryOf } from "./environment.js";
import { quoteArgv } from "./quote.js";
import { foundProgramPath, type ResolvedCommand } from "./resolve.js";

/** `environment` is the one that the command runs in. */
export function judgedOf(command: ResolvedCommand, environment: Environment): JudgedCommand {
  const { argv, directory } = command;
  const line = argv === null ? (command.line ?? "") : quoteArgv(argv);
  return { kind: "command", argv, line, directory, program: programOf(command, line, environment) };
}

/** Of a line it is not the file that is executed: that is bash for all of them. */
function programOf({ argv, program, directory }: ResolvedCommand, line: string, environment: Environment) {
  if (argv !== null) return program.path;
  const name = onlyProgramOf(line, homeDirectoryOf(environment));
  return name === null ? null : foundProgramPath(name, directory, environment);
}
