/** Why the system did not start a command that was approved, and what helps. Nothing ran. */
import { WispError } from "../../broker/index.js";
import { named, type ResolvedCommand } from "./resolve.js";

/**
 * `errno` is the system's word. The program and the directory are there and may be executed: that was looked at
 * right before the start, and again after it failed.
 */
export function startFault(errno: string, { argv, program }: ResolvedCommand): WispError {
  const it = named(program.path);
  switch (errno) {
    case "E2BIG":
      return wrong(
        "the words are longer than this system hands to a program (E2BIG)",
        argv === null ? "Send a shorter line." : "Send fewer or shorter words.",
      );
    case "ENOENT":
      return wrong(
        `${it} is there, but the interpreter or loader that it names is not (ENOENT)`,
        "Run it with an interpreter that is installed.",
      );
    case "EACCES":
    case "EPERM":
      return wrong(
        `this account may not execute ${it}, or the interpreter that it names (${errno})`,
        "Name a program that this account may execute.",
      );
    case "ENOEXEC":
      return wrong(`${it} is no program that this system can run (ENOEXEC)`, "Run it with its interpreter.");
    case "EMFILE":
    case "ENFILE":
      return short(`there are no free file descriptors (${errno})`);
    case "EAGAIN":
      return short("no further process is allowed just now (EAGAIN)");
    case "ENOMEM":
      return short("there is no free memory (ENOMEM)");
    case "ETXTBSY":
      return short(`${it} is being written just now (ETXTBSY)`);
    default:
      return new WispError("command_not_started", `the system refused to start ${it} (${errno})`, {
        fix: "Tell the person what the system answered.",
      });
  }
}

/** The same call would fail again. */
function wrong(what: string, fix: string): WispError {
  return new WispError("invalid_input", what, { fix });
}

/** Nothing is wrong with the call: the machine is short of something. */
function short(what: string): WispError {
  return new WispError("command_not_started", what, { fix: "Make the same call again later." });
}
