/** The servers that live, as far as this process can tell, and those that left their client behind. */
import {
  type FoundServer,
  type Home,
  isRecordGone,
  livenessOf,
  lookForServers,
  ownIdentity,
  parentLiveness,
  serverRecords,
} from "../broker/index.js";
import type { Seat } from "./seat.js";

/** The records of all that have asked in `home` and are not gone. */
export function liveServers(home: Home, { clock }: Pick<Seat, "clock">): readonly FoundServer[] {
  const own = ownIdentity();
  const canServe = lookForServers();
  // A record that names a person's shell as a server is somebody's lie; the servers pass it over, too.
  const isLie = ({ record: { pid, boot, namespace } }: FoundServer): boolean =>
    boot === own.boot && namespace === own.namespace && !canServe(pid);
  return serverRecords(home, clock)().servers.filter(
    (found) => !isRecordGone(found, clock.now(), (one) => livenessOf(one, own)) && !isLie(found),
  );
}

/** The records of those that are gone, and that were started by a process that still lives, as far as it says so. */
export function orphanedRecords(home: Home, { clock }: Pick<Seat, "clock">): readonly FoundServer[] {
  const own = ownIdentity();
  return serverRecords(home, clock)().servers.filter(
    (found) =>
      livenessOf(found.record, own) === "gone" &&
      parentLiveness(found, (one) => livenessOf(one, own)) === "alive",
  );
}
