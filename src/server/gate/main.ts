/**
 * `wisp gate`: the person in front of another MCP server, on stdio towards the client. Invariant: this process ends with
 * its client and with its upstream, and leaves neither the upstream nor anything that it started running.
 */
import type { Writable } from "node:stream";
import { programOf, shownText, systemClock } from "../../broker/index.js";
import { type ConnectionOptions, createConnection } from "../mcp/connection.js";
import { loadRulesEarly, processOptions } from "../mcp/process-options.js";
import { claimStdout } from "../mcp/stdout.js";
import { startUpstream } from "./frames/upstream-stdio.js";
import { type GateArguments, readGateArguments } from "./gate-arguments.js";
import { homeParts } from "./home-parts.js";
import { identityOf, type UpstreamPlace } from "./identity.js";
import { presets } from "./presets/presets.js";
import { type ServedGate, type StartUpstream, serveGate } from "./serve-gate.js";

/** The longest message that is read of a client, and of a server. */
const mostBytes = 10_000_000;
const mostUpstreamBytes = 128 * 1024 * 1024;

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const usageError = 2;
const unexpected = 1;
/** By then the upstream was killed, and what waited is settled. Clients wait two seconds. */
const longestEndMs = 1_800;

/** Serves until the client leaves or the upstream ends; resolves with the exit code. `argv` is what stands after `gate`. */
export async function main(argv: readonly string[]): Promise<number> {
  const given = readGateArguments(argv, [...presets.keys()]);
  if (typeof given === "string") {
    say(given);
    return usageError;
  }
  const { stdin, stdout, stderr } = process;
  const served = serve(given, claimStdout(stdout, stderr));
  // What this process makes is for this person alone; what the server makes goes by the mask it always had.
  process.umask(0o077);
  leaveNothingRunning(served);
  for (const signal of stopSignals) process.on(signal, () => served.stop(`the gate got ${signal}`));
  const status = await served.ended;
  stdin.destroy();
  return status;
}

function serve(given: GateArguments, output: Writable): ServedGate {
  const { name, place, hold } = given;
  const options: ConnectionOptions = { ...processOptions(), say, groups: new Set(), umask: null, hold };
  const server = identityOf(name, place, programAt(place, options));
  const connection = createConnection(options);
  const served = serveGate({
    ...homeParts(given, server, connection, options),
    ...{ server, connection, options },
    input: process.stdin,
    output,
    mostBytes,
    startUpstream: starterOf(place, options),
    say,
    onStray: (line) => void process.stderr.write(line),
    onEnding(status) {
      if (status !== null) process.exitCode = status;
      // Whatever still holds the process then must not keep it.
      systemClock.after(longestEndMs, () => process.exit());
    },
  });
  loadRulesEarly();
  return served;
}

function programAt(
  place: UpstreamPlace,
  { environment, directory }: Pick<ConnectionOptions, "environment" | "directory">,
): string | null {
  if (place.kind === "address") return null;
  return programOf({ argv: place.argv, line: "", directory }, environment)?.program.path ?? null;
}

function starterOf(place: UpstreamPlace, options: ConnectionOptions): StartUpstream {
  const { environment, directory, clock } = options;
  switch (place.kind) {
    case "command":
      return (listener) =>
        startUpstream({
          ...{ argv: place.argv, environment, directory, clock },
          ...{ mostBytes: mostUpstreamBytes, ...listener },
        });
    case "address":
      throw new Error("An address.");
    default:
      return place satisfies never;
  }
}

function say(line: string): void {
  process.stderr.write(`wisp gate: ${line}\n`);
}

/** However this process ends, short of SIGKILL. Of that, the end of its input tells the upstream. */
function leaveNothingRunning(served: ServedGate): void {
  process.on("exit", () => served.kill());
  // A rejection that nobody handles comes here as well.
  process.on("uncaughtException", (error: unknown) => {
    served.kill();
    const what = error instanceof Error ? error.message : String(error);
    say(`a fault of its own ended it, and the server behind it: ${shownText(what)}`);
    process.exit(unexpected);
  });
}
