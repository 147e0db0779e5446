/** Who called on one connection. A client can give another name with each call, as what stands before several does. */
import type { Peer } from "./peer.js";

/** The names that were heard, as far as they matter to who may answer. */
export interface Callers {
  /** To be called with the client of each ask. */
  readonly hear: (client: Peer["client"]) => void;
  /** The first within which nobody answers; where there is none, the first of all. */
  readonly chosen: () => Peer["client"];
}

/** Of a connection whose first ask is for `first`; `isRefused` says within whom nobody answers, by their name. */
export function callersOf(first: Peer["client"], isRefused: (name: string | null) => boolean): Callers {
  // What was refused stays refused: the next call could bear any other name.
  let chosen = first;
  const isRefusing = (client: Peer["client"]): boolean => isRefused(client?.name ?? null);
  return {
    hear(client) {
      if (client?.name === chosen?.name) return;
      if (!isRefusing(chosen) && isRefusing(client)) chosen = client;
    },
    chosen: () => chosen,
  };
}
