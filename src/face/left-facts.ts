/**
 * What a face does about facts that were decided while their server was gone: its own answers, and those that somebody
 * else got no further with. A program of its own: a face loads it when it finds one.
 */
import {
  type AnsweredBy,
  type CarryOut,
  createLeftFacts,
  ensureHome,
  type Home,
  leftPlaceIn,
  livenessOf,
  openAuditLog,
  openFactStore,
  ownIdentity,
  recordedOf,
  rootSecretOf,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import { lookAtSelf } from "./own-look.js";
import type { SweepingSeat } from "./seat.js";

/** Carries out what was decided in `home`, which was judged. `session` is who writes that down. */
export function carrierIn(home: Home, seat: SweepingSeat, session: FaceVia): CarryOut {
  const { clock } = seat;
  const own = ownIdentity();
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const isOwn = ({ pid, startedAt }: AnsweredBy): boolean => pid === own.pid && startedAt === own.startedAt;
  const facts = openFactStore({ ...place, keys: rootSecretOf(place) });
  // Where no server ever asks nobody else would.
  facts.sweep();
  return createLeftFacts({
    place: leftPlaceIn(home, clock),
    facts,
    audit: openAuditLog({ home: place.ensureHome, clock, session }),
    clock,
    session,
    isRecorded: (id, hash) => recordedOf(home.path, id)?.approvals.includes(hash) ?? false,
    whoIs(by) {
      if (isOwn(by)) return "this process";
      // It answered in this home, so its number is looked for among those of this machine.
      return livenessOf({ ...own, pid: by.pid, startedAt: by.startedAt }, own) === "alive" ? "alive" : "gone";
    },
    lookAtSelf: () => lookAtSelf(home, seat),
  });
}
