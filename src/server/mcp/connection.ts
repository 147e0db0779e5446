/**
 * One connection and what it opened. Invariant: nothing is opened before the first ask. Clients start servers only
 * to look at them, and such a start must leave no file, timer or watch.
 */
import type { FactStanding, FactStore } from "../../broker/index.js";
import { type Asking, type AskingOptions, type Opened, openAsking } from "./asking.js";
import { createOpenForms, type OpenForms } from "./dialog-2026.js";
import { doctorLineOf, factsOf, homeOf } from "./found-home.js";
import { createHolds, type Holds } from "./hold.js";
import type { Peer } from "./peer.js";

/** What a server was started with, and what its commands share. */
export interface ConnectionOptions extends AskingOptions {
  /** The process groups that run; whoever ends this process ends what is left of them. */
  readonly groups: Set<number>;
  /** The mask for files that a command makes: the one this process was started with. Null leaves its own. */
  readonly umask: number | null;
  /** For how many seconds calls are held, as set-up wrote it beside the client's own limit; null where it did not. */
  readonly hold: number | null;
}

/** Between one client and what asks on its behalf. */
export interface Connection {
  /** The calls that are held, and the forms that are with the client. */
  readonly holds: Holds;
  readonly forms: OpenForms;
  /** The facts of the home, for reading: makes nothing. Where no home can be named, all that reads them throws why. */
  facts(): FactStore;
  /** How the facts that this connection proposed stand; opens nothing. */
  proposed(): readonly FactStanding[];
  /** The command that tells a person what is wrong with the home, safe to show. */
  doctorLine(): string;
  /** For each ask: opens what asking needs, once. `client` is who asks, for the record that others read. */
  open(client: Peer["client"]): Asking;
  /** What is open; null before the first ask. Opens nothing. */
  opened(): Asking | null;
  /** Keeps `close` waiting for `call`, which is told by its own signal to end. */
  track<Result>(call: Promise<Result>): Promise<Result>;
  /** Settles what waits as withdrawn, then waits for the calls that were still there. Idempotent. */
  close(why: string): Promise<void>;
}

/** A connection that has opened nothing yet. */
export function createConnection(options: ConnectionOptions): Connection {
  const calls = new Set<Promise<unknown>>();
  let opened: Opened | null = null;
  let store: FactStore | null = null;
  let closed: Promise<void> | null = null;

  async function closeAll(why: string): Promise<void> {
    await Promise.all([opened?.asking.approver.close(why), opened?.asking.questioner.close(why)]);
    await opened?.asking.keeper.close();
    await Promise.allSettled([...calls, opened?.notices.close()]);
    opened?.channel?.close();
    await opened?.audit.close();
  }

  function facts(): FactStore {
    store ??= factsOf(homeOf(options), options.clock);
    return store;
  }

  const holds = createHolds(options.clock);

  return {
    holds,
    forms: createOpenForms(options.clock, holds),
    facts,
    proposed: () => opened?.asking.keeper.standings() ?? [],
    doctorLine: () => doctorLineOf(homeOf(options), options),
    open(client) {
      opened ??= openAsking(options, client, facts());
      opened.hear(client);
      opened.upkeep();
      return opened.asking;
    },
    opened: () => opened?.asking ?? null,
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
