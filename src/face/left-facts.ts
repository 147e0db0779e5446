/**
 * What a face does about facts that were decided while their server was gone: its own answers, and those that somebody
 * else got no further with. A program of its own: a face loads it when it finds one.
 */
import {
  type CarryOut,
  createLeftFacts,
  factAnswersRecordedOf,
  type Home,
  leftPlaceIn,
  livenessOf,
  ownIdentity,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import { factsIn } from "./kept-facts.js";
import { lookAtSelf } from "./own-look.js";
import type { SweepingSeat } from "./seat.js";

/**
 * Carries out what was decided in `home`, which was judged. `session` is who writes that down, `given` the hashes of the
 * answers that this process gave.
 */
export function carrierIn(
  home: Home,
  seat: SweepingSeat,
  session: FaceVia,
  given: ReadonlySet<string>,
): CarryOut {
  const { clock } = seat;
  const own = ownIdentity();
  const { facts, audit, keys } = factsIn(home, seat, session);
  // Where no server ever asks nobody else would.
  facts.sweep();
  return createLeftFacts({
    place: leftPlaceIn(home, clock),
    facts,
    audit,
    clock,
    session,
    recorded: (ids) => factAnswersRecordedOf(home.path, ids, keys),
    whoIs(by, hash) {
      // That an answer names this process anybody can write. What this process gave it knows.
      if (given.has(hash)) return "this process";
      // It answered in this home, so its number is looked for among those of this machine.
      return livenessOf({ ...own, pid: by.pid, startedAt: by.startedAt }, own) === "alive" ? "alive" : "gone";
    },
    lookAtSelf: () => lookAtSelf(home, seat),
  });
}

/** Does the store of `home` hold what the answer with this `hash` decided about `id`? Throws channel_unsafe, channel_unavailable. */
export function isCarriedOut(
  id: string,
  hash: string,
  home: Home,
  seat: Pick<SweepingSeat, "clock">,
  session: FaceVia,
): boolean {
  const { kept, dropped } = factsIn(home, seat, session).facts.list();
  return (
    kept.some((fact) => fact.id === id && fact.keptBy.answer === hash) ||
    dropped.some((fact) => fact.id === id && fact.droppedBy.answer === hash)
  );
}
