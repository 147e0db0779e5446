/**
 * `wisp`. The verbs that people and scripts wait for are found in a table and run at once; everything else loads the
 * whole command line.
 */
import { reportError } from "./report.js";
import { processTerminal, type Terminal } from "./terminal.js";
import { runVerb } from "./verb.js";
import { approvalVerbs } from "./verbs.js";

// What this process makes is for this person alone, whatever mask the shell has. The server sets its own: it has to
// know the mask it was started with, which approved commands keep.
if (process.argv[2] !== "mcp") process.umask(0o077);

async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [group = "", name = "", ...rest] = words;
  const verb = group === "approvals" ? approvalVerbs.get(name) : undefined;
  if (verb !== undefined) return await runVerb(verb, rest, terminal);
  const { runProgram } = await import("./program.js");
  return await runProgram(words, terminal);
}

const terminal = processTerminal();
run(process.argv.slice(2), terminal)
  .catch((error: unknown) => reportError(error, terminal))
  .then((exit) => {
    // Nothing is cut off: the process ends when what it wrote is out and nothing holds it.
    process.exitCode = exit;
  });
