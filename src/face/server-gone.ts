/** Whether anybody is left of those who asked. Short: it stands in the hot program. */
import {
  type Home,
  isServerGone,
  livenessOf,
  ownIdentity,
  type Request,
  readServerRecord,
} from "../broker/index.js";
import type { Seat } from "./seat.js";

/** Is the server gone that asked `request`, as far as can be seen from here? */
export function hasServerGone(request: Request, home: Home, { clock }: Pick<Seat, "clock">): boolean {
  const own = ownIdentity();
  const record = readServerRecord(home, request.server.instance);
  return isServerGone(request, record, clock.now(), (one) => livenessOf(one, own));
}
