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
  openRememberedRules,
  ownIdentity,
  type RememberedRules,
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
  readonly remembered: RememberedRules;
}

/** Throws channel_unsafe, channel_unavailable. Makes nothing, and clears away what has expired as far as it can. */
export function openKept(seat: Sitting): Kept {
  const waiting = openWaiting(seat);
  const { home } = waiting;
  return { home, waiting, remembered: rulesIn(home, seat), ...keptIn(home, seat, seat.via ?? "cli") };
}

function rulesIn(home: Home, { clock }: Pick<Seat, "clock">): RememberedRules {
  const own = ownIdentity();
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  return openRememberedRules({
    ...place,
    keys: rootSecretOf(place),
    own,
    liveness: (one) => livenessOf(one, own),
  });
}

/** What yeses left behind in a home that was judged, for whoever only looks: nothing is cleared away. */
export function leftIn(
  home: Home,
  seat: Pick<Seat, "clock">,
): Pick<Kept, "grants" | "remembered" | "moment"> {
  const { grants, moment } = partsIn(home, seat, "cli");
  return { grants, moment, remembered: rulesIn(home, seat) };
}

/** The same of a home that was judged. `session` is who writes down what becomes of it. */
export function keptIn(home: Home, seat: Pick<Seat, "clock">, session: FaceVia): KeptParts {
  const parts = partsIn(home, seat, session);
  if (isHomeMade(home)) {
    parts.grants.expire();
    parts.late.sweep();
  }
  return parts;
}

function partsIn(home: Home, { clock }: Pick<Seat, "clock">, session: FaceVia) {
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
  return { moment, grants, late, audit, clock };
}
