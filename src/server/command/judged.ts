/** A command as the policy judges it. */
import { type JudgedCommand, judgedCommand } from "../../broker/index.js";
import { quoteArgv } from "./quote.js";
import type { ResolvedCommand } from "./resolve.js";

/** Of a line the program is not the file that is executed: that is bash for all of them. */
export function judgedOf(command: ResolvedCommand): JudgedCommand {
  const { argv, lineProgram, directory } = command;
  const line = argv === null ? (command.line ?? "") : quoteArgv(argv);
  return judgedCommand({ argv, line, directory }, argv === null ? lineProgram : command);
}
