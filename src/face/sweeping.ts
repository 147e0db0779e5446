/** Clearing away what nobody stands behind any more, as a face does it: best effort, and written down. */
import {
  type CarryOut,
  type Home,
  type Listing,
  livenessOf,
  type OnDecidedFact,
  ownIdentity,
  type ProcessIdentity,
  type SoughtProcess,
  type Swept,
  sweep,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import type { SweepingSeat } from "./seat.js";

/**
 * Returns what sweeps once, given how to list what waits, and says what was done. It never throws. `given` are the hashes
 * of the answers that this process gave (`AnsweringOptions`).
 */
export function createSweeping(
  home: Home,
  seat: SweepingSeat,
  session: FaceVia,
  given: ReadonlySet<string>,
): (list: () => Listing) => readonly Swept[] {
  const { clock } = seat;
  // Read once, and only when there is a server to look up.
  let own: ProcessIdentity | null = null;
  const liveness = (one: SoughtProcess) => {
    own ??= ownIdentity();
    return livenessOf(one, own);
  };
  const note = noterOf(home, seat, session);
  const onDecidedFact = carrierOf(home, seat, session, given);
  return (list) => {
    try {
      const swept = sweep({ home, clock, instance: null, liveness, onDecidedFact }, list());
      if (swept.length > 0) note(swept);
      return swept;
    } catch {
      // Best effort: a directory that cannot be swept can still be listed, and the next face tries again.
      return [];
    }
  };
}

/** Seals take longer to load than a verb to run: most sweeps find nothing. */
function noterOf(home: Home, seat: SweepingSeat, session: FaceVia): (swept: readonly Swept[]) => void {
  let noting: Promise<(swept: readonly Swept[]) => Promise<void>> | null = null;
  return (swept) => {
    noting ??= import("./swept-log.js").then((log) => log.sweptInto(home, seat, session));
    noting
      .then((note) => note(swept))
      .catch(() => {
        // What was swept is gone whether or not it could be written down.
      });
  };
}

/** Seals, the configuration and looking at processes take longer to load than a verb to run: most sweeps need none. */
function carrierOf(
  home: Home,
  seat: SweepingSeat,
  session: FaceVia,
  given: ReadonlySet<string>,
): OnDecidedFact {
  let carrying: Promise<CarryOut> | null = null;
  return (request, answer) => {
    carrying ??= import("./left-facts.js").then((left) => left.carrierIn(home, seat, session, given));
    carrying
      .then((carryOut) => carryOut(request, answer))
      .catch(() => {
        // It stays where it is for the next sweep.
      });
  };
}
