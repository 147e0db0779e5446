/**
 * `wisp mcp`: the MCP server on stdio. Invariant: neither the start of the process nor a connection does anything
 * but read and answer; home, channel and timers come with the first call that asks.
 */
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { shownText, systemClock } from "../../broker/index.js";
import { killGroups } from "../command/group.js";
import { longestStopMs } from "../command/supervise.js";
import { readArguments } from "./arguments.js";
import { loadRulesEarly, processOptions } from "./process-options.js";
import { type Served, serve } from "./server.js";
import { claimStdout } from "./stdout.js";

/**
 * By then every command is over and what it did is written down; whatever still holds the process must not keep it.
 * Clients wait two seconds before they kill.
 */
const longestEndMs = longestStopMs + 500;

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const usageError = 2;
const unexpected = 1;

/**
 * Serves until the client leaves or a signal stops the process; resolves with the exit code once everything that
 * waited is settled. `argv` is what stands after `mcp`.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const given = readArguments(argv);
  if (typeof given === "string") {
    process.stderr.write(`wisp mcp: ${given}\n`);
    return usageError;
  }
  // What this process makes is for this person alone; what a command makes goes by the mask it always had.
  const umask = process.umask(0o077);
  const { env: environment, stdin, stdout, stderr } = process;
  const transport = new StdioServerTransport(stdin, claimStdout(stdout, stderr));
  const groups = new Set<number>();
  const isLogging = environment.WISP_LOG === "debug";
  const served = serve(transport, {
    ...processOptions(),
    groups,
    umask,
    hold: given.hold,
    say: (line) => void stderr.write(`wisp mcp: ${line}\n`),
    onIntroduced: loadRulesEarly,
    // Only for whoever looks for a fault: late answers of withdrawn dialogs end here too.
    onError: (error) => void (isLogging && stderr.write(`wisp mcp: ${shownText(error.message)}\n`)),
  });
  leaveNothingRunning(groups);
  stopBySignals(served, groups);
  await served.gone;
  systemClock.after(longestEndMs, () => process.exit());
  await served.settled();
  return 0;
}

/** However this process ends, short of SIGKILL: a command that nobody watches would run for as long as it likes. */
function leaveNothingRunning(groups: ReadonlySet<number>): void {
  process.on("exit", () => killGroups(groups));
  // A rejection that nobody handles comes here as well.
  process.on("uncaughtException", (error: unknown) => {
    killGroups(groups);
    const what = error instanceof Error ? error.message : String(error);
    process.stderr.write(`wisp mcp: a fault of its own ended it, and what it ran: ${shownText(what)}\n`);
    process.exit(unexpected);
  });
}

/** The first signal lets commands end by themselves. Any further one is handled too: unheard, it would kill only us. */
function stopBySignals(served: Served, groups: ReadonlySet<number>): void {
  let isStopping = false;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (isStopping) killGroups(groups);
      else served.stop(`the server got ${signal}`);
      isStopping = true;
    });
  }
}
