/** A server of the broker inside a worker: who it is, its channel, and the faults it can be given. */
import { watch } from "node:fs";
import {
  blindWitness,
  DirectoryChannel,
  type Home,
  homeAt,
  ownIdentity,
  type ProcessIdentity,
  processWitness,
  type ServerRecord,
  serverPresence,
  systemClock,
  type Witness,
} from "../../src/broker/index.js";
import { nowUs } from "./worker.js";

/** How the watching of a server is spoilt on purpose. */
export type WatchFault =
  | "none"
  /** No events: the directory is polled. */
  | "polls"
  /** Events without names: each makes the server read the whole directory. */
  | "rescans"
  /** Every answer, whoever it is for, costs a millisecond. */
  | "hears everything";

export interface OpenedServer {
  readonly home: Home;
  readonly channel: DirectoryChannel;
  readonly server: Pick<ServerRecord, "pid" | "startedAt" | "boot" | "instance">;
}

/** What the server sees of the process that answers. */
export type Looking =
  /** Nothing: what the channel alone takes is measured. */
  | "nowhere"
  /** All that a server of a client with a shell looks at; it is taken all the same, for benchmarks have no terminal. */
  | "at the process";

export function openServer(homePath: string, fault: WatchFault, looking: Looking = "nowhere"): OpenedServer {
  const home = homeAt(homePath, false);
  const own = ownIdentity();
  const { pid, startedAt, boot, namespace } = own;
  const server = { pid, startedAt, boot, instance: newInstance() };
  const record = (): Omit<ServerRecord, "waiting"> => ({
    v: 1,
    ...server,
    namespace,
    parent: null,
    client: { name: "bench", version: "1.0.0" },
    home: home.path,
  });
  const channel = new DirectoryChannel({
    home,
    clock: systemClock,
    asker: {
      server,
      by: { pid, startedAt, tty: null, version: "0.1.0" },
      witness: looking === "nowhere" ? blindWitness : lookingWitness(own),
      presence: serverPresence({ home, clock: systemClock, record }),
    },
    onRefused: ({ id, reason }) => {
      throw new Error(`The answer to ${id} was refused: ${reason}.`);
    },
    ...startWatchOf(fault),
  });
  return { home, channel, server };
}

function lookingWitness(own: ProcessIdentity): Witness {
  const look = processWitness({ own, client: "bench", isRefusedWithin: () => true, others: () => [] });
  return (answer, request) => ({ ...look(answer, request), shortfall: null });
}

type StartWatch = NonNullable<ConstructorParameters<typeof DirectoryChannel>[0]["startWatch"]>;

function startWatchOf(fault: WatchFault): { readonly startWatch?: StartWatch } {
  switch (fault) {
    case "none":
      return {};
    case "polls":
      return {
        startWatch() {
          throw new Error("no watch is to be had");
        },
      };
    case "rescans":
      return {
        startWatch: (directory, onEvent) =>
          watch(directory, { persistent: false }, (_event, name) =>
            // Its own probe must come through, or it would poll instead.
            onEvent(name?.startsWith(".tmp.") === true ? name : null),
          ),
      };
    case "hears everything":
      return {
        startWatch: (directory, onEvent) =>
          watch(directory, { persistent: false }, (_event, name) => {
            if (name?.endsWith(".answer.json") === true) spin(1_000);
            onEvent(name);
          }),
      };
    default:
      return fault satisfies never;
  }
}

function spin(us: number): void {
  const until = nowUs() + us;
  while (nowUs() < until);
}

function newInstance(): string {
  return Buffer.from(systemClock.randomBytes(8)).toString("hex");
}
