/** What this server knows when it looks at a process that answers. */
import {
  type Clock,
  foundServers,
  type Home,
  isRecordGone,
  isRefusedWithin,
  type LoadedConfig,
  livenessOf,
  type OtherServer,
  type ProcessIdentity,
  type ServerRecord,
  type WitnessOptions,
} from "../../broker/index.js";
import type { Peer } from "./peer.js";

/** Where a connection asks from, and on whose behalf. */
export interface WitnessParts {
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  readonly client: Peer["client"];
  readonly config: LoadedConfig;
}

/** For the server that files in `home`. Records of other servers are read anew at each look; only live ones count. */
export function witnessOptions(home: Home, parts: WitnessParts): WitnessOptions {
  const { clock, identity, client, config } = parts;
  return {
    own: identity,
    client: nameOf(client),
    isRefusedWithin: (name) => isRefusedWithin(name, config.settings),
    others: () =>
      foundServers(home)
        .filter((found) => !isRecordGone(found, clock.now(), (one) => livenessOf(one, identity)))
        .map(({ record }) => otherServerOf(record)),
  };
}

function otherServerOf({ pid, startedAt, boot, namespace, parent, client }: ServerRecord): OtherServer {
  return { pid, startedAt, boot, namespace, parent, client: nameOf(client) };
}

function nameOf(client: Peer["client"]): string | null {
  return client?.name ?? null;
}
