/**
 * The words after `wisp`. The verbs that people and scripts wait for are found in a table and run at once; everything
 * else loads the whole tree of commands.
 */

import { lostDirectory } from "../face/seat.js";
import { reportError } from "./report.js";
import { processTerminal, type Terminal } from "./terminal.js";
import { runVerb } from "./verb.js";
import { approvalVerbs } from "./verbs.js";

/** Runs `words` on the terminal of this process and returns the exit code; what went wrong has been told. */
export async function runWords(words: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  return await run(words, terminal).catch((error: unknown) => reportError(error, terminal));
}

/** Tells what went wrong in another program that was started from here, and returns the exit code. */
export function reportFailure(error: unknown): number {
  const isLost = error instanceof Error && "syscall" in error && error.syscall === "uv_cwd";
  return reportError(isLost ? lostDirectory(error) : error, processTerminal());
}

async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [group = "", name = "", ...rest] = words;
  const verb = group === "approvals" ? approvalVerbs.get(name) : undefined;
  if (verb !== undefined) return await runVerb(verb, rest, terminal);
  const { runProgram } = await import("./program.js");
  return await runProgram(words, terminal);
}
