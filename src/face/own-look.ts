/**
 * A look at this very process, where no server looks at whoever answers. Invariant: what a living server would refuse
 * because of where it comes from is refused here as well.
 */
import {
  type Home,
  isRefusedWithin,
  type OtherServer,
  otherServerOf,
  ownIdentity,
  processWitness,
  type Testimony,
  version,
} from "../broker/index.js";
import { configIn } from "./config.js";
import { liveServers, orphanedRecords } from "./live-servers.js";
import type { Seat } from "./seat.js";

/** What was seen of this process: its terminal, and whether it belongs to a client within which nobody answers. */
export function lookAtSelf(home: Home, seat: Pick<Seat, "clock" | "deviceName">): Testimony {
  const { settings } = configIn(home, seat.clock);
  const own = ownIdentity();
  const witness = processWitness({
    own,
    client: () => null,
    // Asked for this process's own client as well, which is nobody's: null. Others without a name have one here.
    isRefusedWithin: (client) => client !== null && isRefusedWithin(client, settings),
    others: () => ({
      servers: serversWithClient(home, seat),
      unread: 0,
    }),
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

/** An agent that ends its own server is still within its client, so that counts for as long as it lives. */
function serversWithClient(home: Home, seat: Pick<Seat, "clock">): readonly OtherServer[] {
  return [
    ...liveServers(home, seat).map(({ record }) => otherServerOf(record, unnamed)),
    ...orphanedRecords(home, seat).map(({ record }) => ({ ...otherServerOf(record, unnamed), isGone: true })),
  ];
}

/** Refused only where every client is. */
const unnamed = "a client without a name";
