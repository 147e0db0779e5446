/** What a home keeps of requests beyond the calls that made them: the secret, approvals, late requests, used states; facts are swept with them. */
import {
  type Clock,
  type ConsumedStates,
  ensureHome,
  type FactStore,
  type GrantStore,
  type Home,
  isServerGone,
  type LateRequests,
  livenessOf,
  momentsOf,
  openConsumedStates,
  openGrantStore,
  openLateRequests,
  type ProcessIdentity,
  type RootSecret,
  readServerRecord,
  recordedOf,
  rootSecretOf,
  type Settings,
} from "../../broker/index.js";

/** Opened for one connection; nothing of it is made before something is kept. */
export interface Keeping {
  readonly secret: RootSecret;
  readonly consumed: ConsumedStates;
  readonly grants: GrantStore;
  readonly late: LateRequests;
  /** To be called with each ask: clears away now and then what has expired. Never throws. */
  readonly tidy: () => void;
}

/** For whom something is kept, and for how long. */
export interface KeepingParts {
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  /** As they are when something is kept. */
  readonly settings: () => Pick<Settings["approval"], "ttlSeconds" | "lateSeconds">;
  /** Of the same home. */
  readonly facts: Pick<FactStore, "sweep">;
}

/** What lies there costs nothing but a listing; a connection that asks all day looks at it a few times an hour. */
const tidyEveryMs = 10 * 60_000;

/** Reads and makes nothing yet. */
export function openKeeping(home: Home, { clock, identity, settings, facts }: KeepingParts): Keeping {
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const moment = momentsOf(clock, identity.boot);
  const secret = rootSecretOf(place);
  const kept = { ...place, moment, keys: secret };
  const consumed = openConsumedStates({ ...place, moment });
  const late = openLateRequests({
    ...kept,
    get lateSeconds() {
      return settings().lateSeconds;
    },
  });
  const grants = openGrantStore({
    ...kept,
    get ttlSeconds() {
      return settings().ttlSeconds;
    },
    recorded: (id) => recordedOf(home.path, id, secret),
    // A rule lives with its connection. Where nobody can look that up, only its server's own record speaks for it.
    isServerGone: (server) =>
      isServerGone({ server, createdAt: 0 }, readServerRecord(home, server.instance), clock.now(), (one) =>
        livenessOf(one, identity),
      ),
  });
  const tidy = createTidying(clock, () => {
    grants.expire();
    late.sweep();
    consumed.sweep();
    // After the ask that called for it, which has no use for them: many drops take longer to read than a request to file.
    clock.after(0, () => facts.sweep());
  });
  return { secret, consumed, grants, late, tidy };
}

/** Runs `clear` at the first call and then a few times an hour at most. */
export function createTidying(clock: Clock, clear: () => unknown): () => void {
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() - tidiedAt < tidyEveryMs) return;
    tidiedAt = clock.monotonic();
    clear();
  };
}
