/** Requests whose agent stopped waiting: nothing runs when they are answered, and that must be known before. */
import { type FoundServer, type Home, isDetached, type Request, readServerRecord } from "../broker/index.js";

/** The ids of those among `requests`, by the word of their servers' records. Each record is read once. */
export function detachedIds(requests: readonly Request[], home: Home): readonly string[] {
  const records = new Map<string, FoundServer | null>();
  const recordOf = (instance: string): FoundServer | null => {
    const known = records.get(instance);
    const found = known === undefined ? readServerRecord(home, instance) : known;
    records.set(instance, found);
    return found;
  };
  return requests
    .filter((request) => isDetached(request, recordOf(request.server.instance)))
    .map(({ id }) => id);
}

/** What a yes to such a request does; completes "the agent stopped waiting; …". How long is its server's to know. */
export const keptText = "a yes now is kept for its next identical call (5 min unless configured otherwise)";
