/** What a server does about facts that were decided while their own server was gone. It gives no answers itself. */
import {
  type AuditLog,
  type Clock,
  createLeftFacts,
  ensureHome,
  type FactStore,
  factAnswersRecordedOf,
  type Home,
  leftPlaceIn,
  livenessOf,
  type OnDecidedFact,
  type ProcessIdentity,
  rootSecretOf,
} from "../../broker/index.js";

/** In whose name they are carried out, and where they are kept then. */
export interface LeftFactOptions {
  readonly clock: Clock;
  readonly audit: AuditLog;
  /** Of the same home. */
  readonly facts: FactStore;
  readonly identity: ProcessIdentity;
  /** Of the server. */
  readonly instance: string;
}

/** For what a sweep finds in `home`. Opens nothing before the first. */
export function leftFactsIn(
  home: Home,
  { clock, audit, facts, identity, instance }: LeftFactOptions,
): OnDecidedFact {
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  const carryOut = createLeftFacts({
    place: leftPlaceIn(home, clock),
    facts,
    audit,
    clock,
    session: instance,
    recorded: (ids) => factAnswersRecordedOf(home.path, ids, keys),
    whoIs({ pid, startedAt }) {
      // It answered in this home, so its number is looked for among those of this machine.
      return livenessOf({ ...identity, pid, startedAt }, identity) === "alive" ? "alive" : "gone";
    },
    lookAtSelf: null,
  });
  return (request, answer) => void carryOut(request, answer);
}
