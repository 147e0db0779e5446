/** The servers that live, as far as this process can tell. */
import {
  type FoundServer,
  type Home,
  isRecordGone,
  livenessOf,
  lookForServers,
  ownIdentity,
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
