/** What a home keeps beyond the calls that made it, as a person's command opens it: judged, and swept. */
import {
  ensureHome,
  type Home,
  isHomeMade,
  isServerGone,
  type LateParts,
  livenessOf,
  type Moment,
  momentsOf,
  openGrantStore,
  openLateRequests,
  ownIdentity,
  readServerRecord,
  recordedOf,
  rootSecretOf,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import { auditIn } from "./kept-log.js";
import type { Seat } from "./seat.js";
import { openWaiting, type Sitting, type Waiting } from "./waiting.js";

/** What was kept, and what answers to it are given with. */
export interface KeptParts extends LateParts {
  readonly moment: () => Moment;
}

/** The same, and what of the channel a command needs beside it. */
export interface Kept extends KeptParts {
  readonly home: Home;
  readonly waiting: Waiting;
}

/** Throws channel_unsafe, channel_unavailable. Makes nothing, and clears away what has expired as far as it can. */
export function openKept(seat: Sitting): Kept {
  const waiting = openWaiting(seat);
  return { home: waiting.home, waiting, ...keptIn(waiting.home, seat, seat.via ?? "cli") };
}

/** The same of a home that was judged. `session` is who writes down what becomes of it. */
export function keptIn(home: Home, { clock }: Pick<Seat, "clock">, session: FaceVia): KeptParts {
  const own = ownIdentity();
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const moment = momentsOf(clock, own.boot);
  const keys = rootSecretOf(place);
  const options = { ...place, moment, keys };
  const grants = openGrantStore({
    ...options,
    // Whatever a person's command keeps has a life of its own: that of the request.
    ttlSeconds: 0,
    recorded: (id) => recordedOf(home.path, id, keys),
    isServerGone: (server) =>
      isServerGone({ server, createdAt: 0 }, readServerRecord(home, server.instance), clock.now(), (one) =>
        livenessOf(one, own),
      ),
  });
  // It files none.
  const late = openLateRequests({ ...options, lateSeconds: 0 });
  const audit = auditIn(place, session, keys);
  if (isHomeMade(home)) {
    grants.expire();
    late.sweep();
  }
  return { moment, grants, late, audit, clock };
}
