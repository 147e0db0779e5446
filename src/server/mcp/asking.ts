/**
 * Opens what a server needs to ask a person: the configuration, the approver, and around it channel, audit log and
 * server record.
 */
import {
  type Approver,
  type AuditEvent,
  type AuditLog,
  type Channel,
  type Clock,
  createApprover,
  createUpkeep,
  DirectoryChannel,
  type Home,
  type LoadedConfig,
  livenessOf,
  loadConfig,
  newIdentifier,
  openAuditLog,
  ownIdentity,
  ownParent,
  type ProcessIdentity,
  resolveHome,
  serverPresence,
  shownText,
  version,
  WispError,
  type Witness,
  type WitnessOptions,
} from "../../broker/index.js";
import type { OutputStore } from "../command/capture.js";
import { outputStore } from "../command/output-store.js";
import { wispLine } from "../command/wisp-line.js";
import type { Peer } from "./peer.js";
import { recordHome } from "./record-home.js";
import { witnessOptions } from "./witness-options.js";

/** What one call of a tool needs in order to ask, and to leave a record. */
export interface Asking {
  readonly approver: Approver;
  readonly audit: AuditLog;
  /** As it was read for this connection. */
  readonly config: LoadedConfig;
  /** The home, where it is not the default; a dialog names it. Null for the default, and where there is none. */
  readonly home: string | null;
  /** The command that answers request `id` from any terminal, safe to show. */
  readonly answeringLine: (id: string) => string;
  /** The command that tells a person what is wrong with asking and how to repair it, safe to show. */
  readonly doctorLine: string;
  /** Where the command of a request keeps output that is too long to show. */
  readonly outputs: (request: string | null) => OutputStore;
}

/** What a server was started with, as far as asking depends on it. */
export interface AskingOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory the server was started in, absolute. */
  readonly directory: string;
  readonly clock: Clock;
  /** Makes what looks at the process behind each answer. */
  readonly createWitness: (options: WitnessOptions) => Witness;
}

interface Ways {
  /** To be closed when nothing is asked any more; null where the dialog alone asks. */
  readonly channel: Channel | null;
  /** To be called with each ask: sweeps now and then what other servers left behind. */
  readonly upkeep: () => void;
}

/** What a connection has opened, and closes at its end. */
export interface Opened extends Ways {
  readonly asking: Asking;
}

/**
 * For the first ask: makes the home and reads the configuration in it, and no more. `client` is who asks, for the record
 * that other processes read.
 */
export function openAsking(options: AskingOptions, client: Peer["client"]): Opened {
  const { clock } = options;
  const identity = ownIdentity();
  const { pid, startedAt, boot } = identity;
  const instance = newIdentifier((size) => clock.randomBytes(size), instanceLength);
  const found = homeOf(options);
  const { home } = found;
  const records = recordHome(home, resolveHome({}, options.directory), clock);
  const audit = openAuditLog({ home: records.make, clock, session: instance });
  const config = loadConfig(records.choose().path);
  const { approval } = config.settings;
  const asker = { clock, audit, identity, instance, client, config, createWitness: options.createWitness };
  const { channel, upkeep } = waysOf(found, asker);
  const server = { pid, startedAt, boot, instance };
  const approver = createApprover({
    channel,
    audit,
    clock,
    server,
    version,
    timeoutSeconds: approval.timeoutSeconds,
    declineMemorySeconds: approval.declineMemorySeconds,
    unseenAnswerMs: approval.unseenAnswerMs,
    dialogCounts: (level) => approval.require[level] === "dialog",
  });
  const outputs = (request: string | null): OutputStore => ({
    create: (stream) => outputStore(records.make(), request ?? "").create(stream),
  });
  const named = home === null || home.isDefault ? null : home.path;
  const answeringLine = (id: string): string => shownText(wispLine(["approvals", "approve", id], named));
  // Also a home that cannot be used is named: what is wrong with it is the question.
  const meant = home === null ? (options.environment.WISP_HOME ?? null) : named;
  const doctorLine = shownText(wispLine(["doctor"], meant));
  const asking = { approver, audit, config, home: named, answeringLine, doctorLine, outputs };
  return { asking, channel, upkeep };
}

/** As long as the format of the channel says. */
const instanceLength = 16;

/** The home that the environment names, or why there is none. */
function homeOf({ environment, directory }: AskingOptions): HomeOrFault {
  try {
    return { home: resolveHome(environment, directory), fault: null };
  } catch (error) {
    if (!(error instanceof WispError)) throw error;
    return { home: null, fault: error };
  }
}

type HomeOrFault =
  | { readonly home: Home; readonly fault: null }
  | { readonly home: null; readonly fault: WispError };

interface Asker {
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly identity: ProcessIdentity;
  readonly instance: string;
  readonly client: Peer["client"];
  readonly config: LoadedConfig;
  readonly createWitness: AskingOptions["createWitness"];
}

function waysOf(found: HomeOrFault, asker: Asker): Ways {
  if (!asker.config.settings.approval.outOfBand) return { channel: null, upkeep: () => undefined };
  return found.home === null ? unusable(found.fault) : usable(found.home, asker);
}

function usable(home: Home, asker: Asker): Ways {
  const { clock, audit, identity, instance, client, createWitness } = asker;
  const { pid, startedAt, boot } = identity;
  const record = () => ({
    v: 1 as const,
    ...identity,
    instance,
    parent: ownParent(),
    client,
    home: home.path,
  });
  const channel = new DirectoryChannel({
    home,
    clock,
    asker: {
      server: { pid, startedAt, boot, instance },
      by: { pid, startedAt, tty: null, version },
      presence: serverPresence({ home, clock, record }),
      witness: createWitness(witnessOptions(home, asker)),
    },
    onRefused: ({ id, reason, movedTo, testimony }) =>
      note(audit, [
        {
          kind: "answer.refused",
          call: id,
          verified: testimony?.seen ?? {},
          details: { reason: shownText(reason), movedTo },
        },
      ]),
  });
  const upkeep = createUpkeep({
    home,
    clock,
    channel,
    instance,
    liveness: (one) => livenessOf(one, identity),
    onSwept: (swept) =>
      note(
        audit,
        swept.map(({ id, what }) => ({ kind: "request.swept", call: id, verified: { what } })),
      ),
  });
  return { channel, upkeep };
}

/** A channel that asks nobody: the approver then leaves it to the dialog, or refuses with the reason. */
function unusable(fault: WispError): Ways {
  const refuse = (): never => {
    throw fault;
  };
  const channel: Channel = {
    file: refuse,
    pending: refuse,
    answer: refuse,
    slot: refuse,
    retract: refuse,
    take: refuse,
    withdraw: refuse,
    settle: refuse,
    refusal: refuse,
    receipt: refuse,
    isThere: refuse,
    changes: () => () => undefined,
    close: () => undefined,
  };
  return { channel, upkeep: () => undefined };
}

/** Writes down what has happened already, whether or not that can be written. */
function note(audit: AuditLog, events: readonly AuditEvent[]): void {
  audit.append(events, "plain").catch(() => {
    // A log that cannot be written shows at the next decision, which then runs nothing.
  });
}
