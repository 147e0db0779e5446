/**
 * A look at this very process, where no server looks at whoever answers. Invariant: what a living server would refuse
 * because of where it comes from is refused here as well.
 */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import {
  agentAbove,
  canFindUnasked,
  type Home,
  isRefusedWithin,
  type OtherServer,
  otherServerOf,
  ownIdentity,
  processWitness,
  resolveHome,
  runningServers,
  type StartedIn,
  shownText,
  startedServers,
  type Testimony,
  version,
} from "../broker/index.js";
import { configIn } from "./config.js";
import { liveServers, orphanedRecords } from "./live-servers.js";
import type { Seat } from "./seat.js";

/** What was seen of this process: its terminal, and whether it belongs to a client within which nobody answers. */
export function lookAtSelf(home: Home, seat: LookingSeat): Testimony {
  return lookAmong(home, seat, () => []);
}

/**
 * The same for what lasts: accepting, configuring, forgetting. A request proves that its client asked; here nobody need have
 * asked, so this looks for agents besides: the client of a server of this home that wrote no record yet, and any program
 * above this one that is known to be an agent. Nothing that is configured makes these two count for less.
 */
export function lookForLasting(home: Home, seat: LookingSeat, canFind = canFindUnasked()): LastingTestimony {
  return { ...lookedForLasting(home, seat), unlooked: canFind ? null : unlooked };
}

/** `unlooked` is what nobody could look for here, for a person; null where nothing is left out. */
export interface LastingTestimony extends Testimony {
  readonly unlooked: string | null;
}

const unlooked =
  "Servers of this home that have not asked yet were not looked for: this system does not tell how a program was started.";

function lookedForLasting(home: Home, seat: LookingSeat): Testimony {
  const testimony = lookAmong(home, seat, () => unaskedServers(home, seat));
  if (testimony.shortfall !== null) return testimony;
  const above = agentIn();
  if (above === "unseen") return { ...testimony, shortfall: "process_unseen" };
  if (above === null) return testimony;
  return {
    verified: { ...testimony.verified, ancestry: false },
    seen: { ...testimony.seen, within: shownText(above) },
    shortfall: "within_client",
  };
}

type LookingSeat = Pick<Seat, "clock" | "deviceName">;

function lookAmong(home: Home, seat: LookingSeat, besides: () => readonly OtherServer[]): Testimony {
  const { settings } = configIn(home, seat.clock);
  const own = ownIdentity();
  const witness = processWitness({
    own,
    client: () => null,
    // Asked for this process's own client as well, which is nobody's: null. Others without a name have one here.
    isRefusedWithin: (client) => client === unasked || (client !== null && isRefusedWithin(client, settings)),
    others: () => ({ servers: [...serversWithClient(home, seat), ...besides()], unread: 0 }),
  });
  const { pid, startedAt } = own;
  const testimony = witness({ by: { pid, startedAt, tty: seat.deviceName(), version } });
  if (testimony.shortfall !== null) return testimony;
  // It is within no client that counts. Whether it is within another one nobody looked.
  return {
    ...testimony,
    verified: { ...testimony.verified, ancestry: null },
    seen: { ...testimony.seen, client: [], within: null },
  };
}

/** Running servers of `home` without a record. Of one with a record it is known what its client calls itself. */
function unaskedServers(home: Home, seat: LookingSeat): readonly OtherServer[] {
  const recorded = new Set(serversWithClient(home, seat).map(({ pid, startedAt }) => `${pid} ${startedAt}`));
  return runningServers(ownIdentity(), (started) => isSameHome(started, home), unasked).filter(
    ({ pid, startedAt }) => !recorded.has(`${pid} ${startedAt}`),
  );
}

/** A server of ours that runs with another home than the one that was asked for. */
export interface ServerElsewhere {
  readonly pid: number;
  /** Its home, as its environment says; hostile text. */
  readonly path: string;
}

/** Those of which can be seen that they do: nothing that is asked through them is shown in `home`. Never throws. */
export function serversElsewhere(home: Home): readonly ServerElsewhere[] {
  try {
    return startedServers(ownIdentity())
      .filter(({ started }) => !isSameHome(started, home))
      .map(({ pid, started }) => ({ pid, path: homeOf(started) }));
  } catch {
    // Where processes cannot be asked, nothing is known of them.
    return [];
  }
}

/** Do these variables of another process name this home, in whatever way? */
function isSameHome(started: StartedIn, { path }: Home): boolean {
  const other = homeOf(started);
  return other === path || placeOf(other) === placeOf(path);
}

/** Without a word of theirs it is the usual one. */
function homeOf({ wispHome, home }: StartedIn): string {
  if (wispHome !== "") return wispHome;
  return home === "" ? resolveHome({}, "/").path : join(home, ".wisp");
}

function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function agentIn(): string | "unseen" | null {
  try {
    return agentAbove(process.pid)?.agent ?? null;
  } catch {
    // What cannot be looked at is not enough.
    return "unseen";
  }
}

/** An agent that ends its own server is still within its client, so that counts for as long as it lives. */
function serversWithClient(home: Home, seat: Pick<Seat, "clock">): readonly OtherServer[] {
  return [
    ...liveServers(home, seat).map(({ record }) => otherServerOf(record, unnamed)),
    ...orphanedRecords(home, seat).map(({ record }) => ({ ...otherServerOf(record, unnamed), isGone: true })),
  ];
}

/** Refused only where every client is. */
const unnamed = "a client without a name";
/** Whatever a record says under this name is refused as well, which lets nobody in. */
const unasked = "a client that has not asked yet";
