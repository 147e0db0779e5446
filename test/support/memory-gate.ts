/** A gate in this process, between a raw client and a scripted upstream, with a throw-away home. */

import { onTestFinished } from "vitest";
import type { AuditLog } from "../../src/broker/audit/audit-log.js";
import { WispError } from "../../src/broker/request/errors.js";
import { createGatePolicy } from "../../src/server/gate/calls/create-gate-policy.js";
import type { GatePolicy } from "../../src/server/gate/calls/gate-policy.js";
import type { LimitSettings } from "../../src/server/gate/calls/limits.js";
import type { Pins } from "../../src/server/gate/calls/pinned.js";
import type { StateBinding } from "../../src/server/gate/calls/state-binding.js";
import type { ServerIdentity } from "../../src/server/gate/calls/tool-subject.js";
import { type GateParts, type OpenGate, openGate } from "../../src/server/gate/gate.js";
import { createPins } from "../../src/server/gate/state/gate-pins.js";
import type { Probe } from "../../src/server/gate/state/probe.js";
import { createStateBinding } from "../../src/server/gate/state/state-binding.js";
import type { Asking } from "../../src/server/mcp/asking.js";
import { createConnection } from "../../src/server/mcp/connection.js";
import { writeAcceptedConfig } from "./config-files.js";
import { callsOf, type EraServer, type Revision } from "./era-call.js";
import { type Face, openFace } from "./face.js";
import { connectionOptions, type MemoryServerOptions, makePlaces, type Places } from "./mcp-server.js";
import { memoryPins } from "./memory-pins.js";
import { RawClient, showsForms } from "./raw-client.js";
import { ScriptedUpstream } from "./scripted-upstream.js";
import { upstreamLine } from "./upstream-line.js";

export interface MemoryGate extends Places {
  readonly gate: OpenGate;
  readonly client: RawClient;
  /** Lines as the client got them, in order, newline included. */
  readonly lines: readonly string[];
  readonly upstream: ScriptedUpstream;
  readonly face: Face;
  readonly said: readonly string[];
  /** Appends of the gate's own to the log that fail, by the durability they ask for; those of the approver go on. */
  failing: "none" | "durable" | "plain";
  /** What durable ones wait for; null for nothing. */
  beforeDurable: (() => Promise<void>) | null;
  /** Calls a tool of the upstream as a client of this revision does, without waiting. */
  readonly call: EraServer["call"];
  /** The upstream ends. */
  ends(): Promise<void>;
}

export interface MemoryGateOptions extends MemoryServerOptions {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** `gatedServer` unless the test says otherwise. */
  readonly server?: ServerIdentity;
  readonly policy?: GatePolicy;
  readonly pins?: Pins;
  /** Is handed what makes calls that only look. */
  readonly states?: (probe: Probe) => StateBinding;
  readonly isReadOnly?: boolean;
  readonly limits?: Partial<LimitSettings>;
  /** Does it turn out only later whether a message arrived, as over HTTP? */
  readonly isHandedLater?: boolean;
  /** The places of an earlier gate, whose home this one has as well. */
  readonly places?: Places;
}

/** The server of every gate here. */
export const gatedServer = { name: "fs", hash: "5e".repeat(32), text: "node fs.mjs (5e5e5e5e5e5e)" };

/** Opens a gate, and introduces the client where its revision asks for that. It ends with the running test. */
export async function openGateIn(revision: Revision, options: MemoryGateOptions = {}): Promise<MemoryGate> {
  const { capabilities = showsForms } = options;
  const places = options.places ?? makePlaces();
  const said: string[] = [];
  const lines: string[] = [];
  const client = new RawClient((message) => {
    // As a pipe does it: after whoever writes is done.
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    setImmediate(() => gate.fromClient(line));
  });
  const upstream = new ScriptedUpstream((line) =>
    setImmediate(() => gate.fromUpstream(...upstreamLine(line))),
  );
  const gate = openGate({
    ...memoryGateParts(places, options, said, () => memory),
    toClient(line) {
      const text = line.toString();
      lines.push(text);
      setImmediate(() => client.receive(JSON.parse(text)));
    },
    toUpstream: (line) => upstream.take(line) && (options.isHandedLater === true ? "later" : true),
  });
  const memory: MemoryGate = {
    ...{ ...places, gate, client, lines, upstream, said },
    face: openFace(places.home),
    ...{ failing: "none", beforeDurable: null },
    call: (args, token, tool = "write_file") => callsOf(client, revision, capabilities)(args, token, tool),
    async ends() {
      upstream.isGone = true;
      await gate.lost("the upstream server ended with 1");
    },
  };
  onTestFinished(async () => {
    await gate.close("the test is over");
    places.remove();
  });
  if (revision !== "2026-07-28") await client.initialize({ capabilities, revision });
  return memory;
}

/** What a gate in these places is made of, but for its two sides; what it says is added to `said`. */
export function memoryGateParts(
  places: Places,
  options: MemoryGateOptions,
  said: string[],
  log: () => LogFaults = () => ({ failing: "none", beforeDurable: null }),
): Omit<GateParts, "toClient" | "toUpstream"> {
  if (options.config !== undefined) writeAcceptedConfig(places.home, options.config);
  const known = {
    ...connectionOptions(places, options),
    ...{ groups: new Set<number>(), say: (line: string) => void said.push(line) },
  };
  const connection = createConnection(known);
  const { pins = createPins(memoryPins()), server = gatedServer } = options;
  return {
    ...{ server, pins, options: known },
    connection: { ...connection, open: (who) => withAudit(connection.open(who), log) },
    policy:
      options.policy ??
      createGatePolicy({
        ...{ server, preset: null, directory: places.work, pins },
        ...{ isReadOnly: options.isReadOnly ?? false, areHintsTrusted: () => false },
      }),
    states:
      options.states ??
      ((probe) => createStateBinding({ directory: places.work, previewOf: () => null, probe })),
    limits: () => ({ asksPerMinute: 60, maxConcurrentWrites: 16, ...options.limits }),
    onStray: (line) => void said.push(line.toString()),
    onWaiting: () => undefined,
  };
}

type LogFaults = Pick<MemoryGate, "failing" | "beforeDurable">;

/** `asking` whose log fails or waits where the test says so. */
function withAudit(asking: Asking, log: () => LogFaults): Asking {
  const append: AuditLog["append"] = async (events, durability) => {
    if (durability === "durable") await log().beforeDurable?.();
    if (log().failing === durability) {
      throw new WispError("audit_unavailable", "The audit log cannot be written.");
    }
    return asking.audit.append(events, durability);
  };
  return Object.create(asking, { audit: { value: { append } } }) as Asking;
}
