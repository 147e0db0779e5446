/**
 * What one connection needs to ask a person: approver, channel and audit log. Invariant: nothing of it exists before
 * the first ask. Clients start servers only to look at them, and such a start must leave no file, timer or watch.
 */
import {
  type Approver,
  type AuditLog,
  type Channel,
  type Clock,
  createApprover,
  DirectoryChannel,
  ensureHome,
  type Home,
  newIdentifier,
  openAuditLog,
  ownIdentity,
  ownParent,
  type RefusedAnswer,
  resolveHome,
  serverPresence,
  shownText,
  version,
  WispError,
} from "../../broker/index.js";
import type { OutputStore } from "../command/capture.js";
import { outputStore } from "../command/output-store.js";
import type { Peer } from "./peer.js";

export interface ConnectionOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory the server was started in, absolute. */
  readonly directory: string;
  readonly clock: Clock;
  /** How long a person has; 0 waits for ever. */
  readonly timeoutSeconds: number;
  /** The process groups that run; whoever ends this process ends what is left of them. */
  readonly groups: Set<number>;
  /** The mask for files that a command makes: the one this process was started with. Null leaves its own. */
  readonly umask: number | null;
}

/** What is there once something was asked. */
export interface Asking {
  readonly approver: Approver;
  readonly audit: AuditLog;
  /** The home, where it is not the default; a dialog names it. Null for the default, and where there is none. */
  readonly home: string | null;
  /** Where the command of a request keeps output that is too long to show. */
  readonly outputs: (request: string | null) => OutputStore;
}

export interface Connection {
  /** Opens what asking needs, once. `client` is who connected, for the record that other processes read. */
  open(client: Peer["client"]): Asking;
  /** Keeps `close` waiting for `call`, which is told by its own signal to end. */
  track<Result>(call: Promise<Result>): Promise<Result>;
  /** Settles what waits as withdrawn, then waits for the calls that were still there. Idempotent. */
  close(why: string): Promise<void>;
}

export function createConnection(options: ConnectionOptions): Connection {
  const calls = new Set<Promise<unknown>>();
  let opened: Opened | null = null;
  let closed: Promise<void> | null = null;

  async function closeAll(why: string): Promise<void> {
    await opened?.asking.approver.close(why);
    await Promise.allSettled(calls);
    opened?.channel.close();
  }

  return {
    open(client) {
      opened ??= openAsking(options, client);
      return opened.asking;
    },
    track(call) {
      const settled = call.finally(() => calls.delete(settled));
      calls.add(settled);
      return settled;
    },
    close(why) {
      closed ??= closeAll(why);
      return closed;
    },
  };
}

interface Opened {
  readonly asking: Asking;
  readonly channel: Channel;
}

function openAsking(options: ConnectionOptions, client: Peer["client"]): Opened {
  const { clock, timeoutSeconds } = options;
  const identity = ownIdentity();
  const { pid, startedAt, boot } = identity;
  const instance = newIdentifier((size) => clock.randomBytes(size), instanceLength);
  const server = { pid, startedAt, boot, instance };
  const { home, fault } = homeOf(options);
  const audit = openAuditLog({ home: () => recordHome(home, options), clock, session: instance });
  const openChannel = (home: Home): Channel => {
    const record = () => ({
      v: 1 as const,
      ...identity,
      instance,
      parent: ownParent(),
      client,
      home: home.path,
    });
    const presence = serverPresence({ home, clock, record });
    const asker = { server, by: { pid, startedAt, tty: null, version }, presence };
    return new DirectoryChannel({ home, clock, asker, onRefused: (refused) => noteRefused(audit, refused) });
  };
  const channel = home === null ? unusableChannel(fault) : openChannel(home);
  const approver = createApprover({ channel, audit, clock, server, version, timeoutSeconds });
  const outputs = (request: string | null): OutputStore => ({
    create: (stream) => outputStore(recordHome(home, options), request ?? "").create(stream),
  });
  const named = home === null || home.isDefault ? null : home.path;
  return { channel, asking: { approver, audit, home: named, outputs } };
}

/** As long as the format of the channel says. */
const instanceLength = 16;

/** The home that the environment names, or why there is none. */
function homeOf({ environment, directory }: ConnectionOptions): HomeOrFault {
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

/**
 * Where decisions and long outputs are written down. Of a home that is refused nothing may be touched, yet a dialog
 * can still decide; then they go to the default home, because a decision that stands nowhere lets nothing run.
 */
function recordHome(home: Home | null, { directory, clock }: ConnectionOptions): string {
  const standard = resolveHome({}, directory);
  if (home === null) return ensureHome(standard, clock);
  try {
    return ensureHome(home, clock);
  } catch (error) {
    if (home.isDefault) throw error;
    return ensureHome(standard, clock);
  }
}

/** A channel that asks nobody: the approver then leaves it to the dialog, or refuses with the reason. */
function unusableChannel(fault: WispError): Channel {
  const refuse = (): never => {
    throw fault;
  };
  return {
    file: refuse,
    pending: refuse,
    answer: refuse,
    slot: refuse,
    retract: refuse,
    take: refuse,
    withdraw: refuse,
    settle: refuse,
    receipt: refuse,
    changes: () => () => undefined,
    close: () => undefined,
  };
}

function noteRefused(audit: AuditLog, { id, reason, movedTo }: RefusedAnswer): void {
  const event = {
    kind: "answer.refused",
    call: id,
    details: { reason: shownText(reason), movedTo },
  } as const;
  audit.append([event], "plain").catch(() => {
    // The answer stays refused; a log that cannot be written shows at the next decision, which then runs nothing.
  });
}
