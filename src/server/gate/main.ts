/**
 * `wisp gate`: the person in front of another MCP server, on stdio towards the client. Invariant: this process ends with
 * its client and with its upstream, and leaves neither the upstream nor anything that it started running.
 */
import type { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import {
  defaultSettings,
  expectWispError,
  type GateSettings,
  homeDirectoryOf,
  loadConfig,
  presets,
  resolveHome,
  rootSecretOf,
  shownText,
  systemClock,
} from "../../broker/index.js";
import { type ConnectionOptions, createConnection } from "../mcp/connection.js";
import { homeOf } from "../mcp/found-home.js";
import { loadRulesEarly, processOptions } from "../mcp/process-options.js";
import { claimStdout } from "../mcp/stdout.js";
import { type BearerRead, readBearer } from "./bearer.js";
import { createGatePolicy } from "./calls/create-gate-policy.js";
import { clientLook } from "./client-there.js";
import { startUpstream } from "./frames/upstream-stdio.js";
import { type GateArguments, readGateArguments } from "./gate-arguments.js";
import { identityIn, type UpstreamPlace } from "./identity.js";
import { presetOf } from "./presets/preset-of.js";
import { type ServedGate, type StartUpstream, serveGate } from "./serve-gate.js";
import { type StandardError, standardError } from "./standard-error.js";
import { createPins } from "./state/gate-pins.js";
import { pinsOf } from "./state/open-pins.js";
import { createStateBinding } from "./state/state-binding.js";

/** The longest message of a server that is read; whoever waits for a longer one would wait for ever, so that ends it. */
const mostUpstreamBytes = 128 * 1024 * 1024;

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const usageError = 2;
const unexpected = 1;
const compiledAfterBytes = 16_384;
/** By then the upstream was killed, and what waited is settled. Clients wait two seconds. */
const longestEndMs = 1_800;

/** Serves until the client leaves or the upstream ends; resolves with the exit code. `argv` is what stands after `gate`. */
export async function main(argv: readonly string[]): Promise<number> {
  // A gate makes one call now and then, each by the same functions. The engine compiles a function once it has run so many
  // bytes of its code, by default more than a gate comes to in hundreds of calls.
  setFlagsFromString(`--interrupt-budget=${compiledAfterBytes}`);
  // What a call leaves behind is gone with it: room for more of it would be kept, and never be needed.
  setFlagsFromString("--semi-space-growth-factor=1");
  const given = readGateArguments(argv, [...presets.keys()]);
  const { stdin, stdout, stderr } = process;
  const errors = standardError(stderr);
  if (typeof given === "string") {
    errors.say(given);
    return usageError;
  }
  const bearer = bearerOf(given);
  if (bearer?.kind === "wrong") {
    errors.say(shownText(`--bearer-${given.bearer?.kind === "file" ? "file" : "env"} ${bearer.why}`));
    return usageError;
  }
  const served = await serve(given, bearer?.token ?? null, claimStdout(stdout, stderr), errors);
  // What this process makes is for this person alone; what the server makes goes by the mask it always had.
  process.umask(0o077);
  leaveNothingRunning(served, errors);
  for (const signal of stopSignals) process.on(signal, () => served.stop(`the gate got ${signal}`));
  const status = await served.ended;
  stdin.destroy();
  return status;
}

function bearerOf({ bearer }: GateArguments): BearerRead | null {
  return bearer === null ? null : readBearer(bearer, process.env, process.cwd());
}

async function serve(
  given: GateArguments,
  bearer: string | null,
  output: Writable,
  errors: StandardError,
): Promise<ServedGate> {
  const { place, isReadOnly, hold } = given;
  const { say, pass } = errors;
  const options: ConnectionOptions = { ...processOptions(), say, groups: new Set(), umask: null, hold };
  const { directory, environment } = options;
  const connection = createConnection(options);
  const server = identityIn(given.name, place, options);
  const home = (homeOf(options).home ?? resolveHome({}, directory)).path;
  const preset = presetOf(given, { home, homeDirectory: homeDirectoryOf(environment), directory });
  const pins = createPins(pinsOf(server.name, options));
  const settings = (): GateSettings => connection.open(null).config.settings.gate;
  const areHintsTrusted = (): boolean => settings().trustAnnotations;
  const served = serveGate({
    ...{ server, connection, options, pins },
    policy: createGatePolicy({ server, preset, isReadOnly, directory, pins, areHintsTrusted }),
    states: (probe) =>
      createStateBinding({
        ...{ directory: preset === null ? directory : preset.start, probe },
        previewOf: (tool) => preset?.previewOf(tool) ?? null,
      }),
    limits: settings,
    input: process.stdin,
    output,
    isClientThere: clientLook(0),
    mostBytes: mostBytesIn(home),
    startUpstream: await starterOf(place, bearer, options, errors),
    say,
    onStray: pass,
    onEnding(status) {
      if (status !== null) process.exitCode = status;
      // Whatever still holds the process then must not keep it.
      systemClock.after(longestEndMs, () => process.exit());
    },
  });
  loadRulesEarly();
  return served;
}

/** It counts before the first message, so the file is read here once; nothing is made. */
function mostBytesIn(home: string): number {
  const keys = rootSecretOf({ path: home, ensureHome: () => home, clock: systemClock });
  try {
    return loadConfig(home, keys).settings.gate.maxFrameBytes;
  } catch (error) {
    // What is wrong with the home is told to the first call that needs it.
    expectWispError(error);
    return defaultSettings.gate.maxFrameBytes;
  }
}

async function starterOf(
  place: UpstreamPlace,
  bearer: string | null,
  options: ConnectionOptions,
  { say, pass: onComplaint }: StandardError,
): Promise<StartUpstream> {
  const { environment, directory, clock } = options;
  switch (place.kind) {
    case "command":
      return ({ lines, onFlow, onEnd }) =>
        startUpstream({
          ...{ argv: place.argv, environment, directory, clock },
          ...{ mostBytes: mostUpstreamBytes, lines, onFlow, onComplaint, onEnd },
        });
    case "address": {
      const { openHttpUpstream } = await import("./frames/upstream-http.js");
      return ({ lines, onLost, onEnd }) =>
        openHttpUpstream({
          ...{ url: place.url, bearer, clock, mostBytes: mostUpstreamBytes },
          ...{ lines, onLost, onEnd, say },
        });
    }
    default:
      return place satisfies never;
  }
}

/** However this process ends, short of SIGKILL. Of that, the end of its input tells the upstream. */
function leaveNothingRunning(served: ServedGate, { say }: StandardError): void {
  process.on("exit", () => served.kill());
  // A rejection that nobody handles comes here as well.
  process.on("uncaughtException", (error: unknown) => {
    served.kill();
    const what = error instanceof Error ? error.message : String(error);
    say(`a fault of its own ended it, and the server behind it: ${shownText(what)}`);
    process.exit(unexpected);
  });
}
