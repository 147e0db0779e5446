/** The servers that live, as far as this process can tell. */
import {
  type FoundServer,
  foundServers,
  type Home,
  isRecordGone,
  livenessOf,
  ownIdentity,
} from "../broker/index.js";
import type { Terminal } from "./terminal.js";

/** The records of all that have asked in `home` and are not gone. */
export function liveServers(home: Home, { clock }: Pick<Terminal, "clock">): readonly FoundServer[] {
  const own = ownIdentity();
  return foundServers(home).filter(
    (found) => !isRecordGone(found, clock.now(), (one) => livenessOf(one, own)),
  );
}
