/**
 * `wisp gate`: the person in front of another MCP server, on stdio towards the client. Invariant: this process ends with
 * its client and with its upstream, and leaves neither the upstream nor anything that it started running.
 */
import { createRequire } from "node:module";
import { release } from "node:os";
import {
  createNotifiers,
  desktopOf,
  ownAncestors,
  processWitness,
  shownText,
  systemClock,
} from "../../broker/index.js";
import { createConnection } from "../mcp/connection.js";
import { claimStdout } from "../mcp/stdout.js";
import { lineSplitter } from "./frames/lines.js";
import { startUpstream, type Upstream, type UpstreamEnd } from "./frames/upstream-stdio.js";
import { type OpenGate, openGate } from "./gate.js";
import { readGateArguments } from "./gate-arguments.js";
import { identityOf } from "./identity.js";

/** The longest message that is read, in either direction. */
const mostBytes = 10 * 1024 * 1024;

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const usageError = 2;
/** By then the upstream was killed, and what waited is settled. Clients wait two seconds. */
const longestEndMs = 1_800;

/** Serves until the client leaves or the upstream ends; resolves with the exit code. `argv` is what stands after `gate`. */
export async function main(argv: readonly string[]): Promise<number> {
  const given = readGateArguments(argv, []);
  if (typeof given === "string") {
    process.stderr.write(`wisp gate: ${given}\n`);
    return usageError;
  }
  return usageError;
}
