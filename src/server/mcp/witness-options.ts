/** What this server knows when it looks at a process that answers. */
import {
  type Clock,
  type Home,
  isRecordGone,
  isRefusedWithin,
  livenessOf,
  otherServerOf,
  type ProcessIdentity,
  type Settings,
  serverRecords,
  type WitnessOptions,
} from "../../broker/index.js";
import type { Callers } from "./callers.js";

/** Where a connection asks from, and on whose behalf. */
export interface WitnessParts {
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  readonly callers: Callers;
  /** As they are at each look. */
  readonly settings: () => Settings;
}

/** For the server that files in `home`. Records of other servers are read anew at each look; only live ones count. */
export function witnessOptions(home: Home, parts: WitnessParts): WitnessOptions {
  const { clock, identity, callers, settings } = parts;
  const records = serverRecords(home, clock);
  return {
    own: identity,
    client: () => callers.chosen()?.name ?? null,
    isRefusedWithin: (name) => isRefusedWithin(name, settings()),
    others() {
      const { servers, unread } = records();
      const live = servers.filter(
        (found) => !isRecordGone(found, clock.now(), (one) => livenessOf(one, identity)),
      );
      return { servers: live.map(({ record }) => otherServerOf(record)), unread };
    },
  };
}
