/**
 * `wisp mcp`: the MCP server on stdio. Invariant: neither the start of the process nor a connection does anything
 * but read and answer; home, channel and timers come with the first call that asks.
 */
import { createRequire } from "node:module";
import { release } from "node:os";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import {
  createNotifiers,
  desktopOf,
  ownAncestors,
  processWitness,
  shownText,
  systemClock,
} from "../../broker/index.js";
import { killGroups } from "../command/group.js";
import { longestStopMs } from "../command/supervise.js";
import { readArguments } from "./arguments.js";
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
  // Read before anybody can end a wrapper that stands between the client and this process.
  const ancestry = ownAncestors();
  const desktop = desktopOf(process.platform, release());
  const machine = { clock: systemClock, desktop, environment, nodeNotifier };
  const groups = new Set<number>();
  const isLogging = environment.WISP_LOG === "debug";
  const served = serve(transport, {
    environment,
    directory: process.cwd(),
    clock: systemClock,
    createWitness: (options) => processWitness({ ...options, ancestry }),
    createNotifiers: (wanted) => createNotifiers(wanted, machine),
    openRules: async (place) => (await loadRules()).fileRules(place),
    groups,
    umask,
    hold: given.hold,
    say: (line) => void stderr.write(`wisp mcp: ${line}\n`),
    // Only for whoever looks for a fault: late answers of withdrawn dialogs end here too.
    onIntroduced: () => {
      loadRules().catch(() => {
        // The first call that needs it says so.
      });
    },
    onError: (error) => void (isLogging && stderr.write(`wisp mcp: ${shownText(error.message)}\n`)),
  });
  leaveNothingRunning(groups);
  stopBySignals(served, groups);
  await served.gone;
  systemClock.after(longestEndMs, () => process.exit());
  await served.settled();
  return 0;
}

/** A tenth of this program, which nobody waits for while it introduces itself. */
function loadRules() {
  return import("./file-rules.js");
}

/** Throws where the package is not installed: whoever only copied the programs has none beside them. */
function nodeNotifier(): string {
  const require = createRequire(import.meta.url);
  return require.resolve("node-notifier");
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
