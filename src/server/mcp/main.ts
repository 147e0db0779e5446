/**
 * `wisp mcp`: the MCP server on stdio. Invariant: neither the start of the process nor a connection does anything
 * but read and answer; home, channel and timers come with the first call that asks.
 */
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { shownText, systemClock } from "../../broker/index.js";
import { killGroups } from "../command/group.js";
import { serve } from "./server.js";
import { claimStdout } from "./stdout.js";

/** How long a person has to answer. */
const timeoutSeconds = 600;

/** By then everything is settled and every command killed; whatever still holds the process must not keep it. */
const longestEndMs = 1_500;

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const usageError = 2;

/**
 * Serves until the client leaves or a signal stops the process; resolves with the exit code once everything that
 * waited is settled. `argv` is what stands after `mcp`; there is nothing to say there yet.
 */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) {
    process.stderr.write(`wisp mcp takes no arguments: ${shownText(argv.join(" "))}\n`);
    return usageError;
  }
  // What this process makes is for this person alone; what a command makes goes by the mask it always had.
  const umask = process.umask(0o077);
  const { env: environment, stdin, stdout, stderr } = process;
  const transport = new StdioServerTransport(stdin, claimStdout(stdout, stderr));
  const groups = new Set<number>();
  const isLogging = environment.WISP_LOG === "debug";
  const served = serve(transport, {
    environment,
    directory: process.cwd(),
    clock: systemClock,
    timeoutSeconds,
    groups,
    umask,
    // Only for whoever looks for a fault: late answers of withdrawn dialogs end here too.
    onError: (error) => void (isLogging && stderr.write(`wisp mcp: ${shownText(error.message)}\n`)),
  });
  for (const signal of stopSignals) process.once(signal, () => served.stop(`the server got ${signal}`));
  await served.gone;
  systemClock.after(longestEndMs, () => {
    killGroups(groups);
    process.exit();
  });
  await served.settled();
  return 0;
}
