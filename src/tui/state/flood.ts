/** Who asks so much that nobody can read it: one row stands for all of it, so that others are still seen. */
import { type Request, shownText } from "../../broker/index.js";

/** More than this many within a minute are too many. */
const mostAsks = 5;
const minuteMs = 60_000;

/** One thread of one client, safe to print. A client that names no thread is one thread. */
export function threadKeyOf({ client, caller, thread }: Request): string {
  return shownText(JSON.stringify(["many", client?.name ?? null, client === null ? caller : null, thread]));
}

/** All requests of each thread that asked too much, by its key. */
export function floodsOf(requests: readonly Request[]): ReadonlyMap<string, readonly Request[]> {
  if (requests.length <= mostAsks) return new Map();
  const threads = new Map<string, Request[]>();
  for (const request of requests) {
    const key = threadKeyOf(request);
    const known = threads.get(key);
    if (known === undefined) threads.set(key, [request]);
    else known.push(request);
  }
  return new Map([...threads].filter(([, asked]) => isFlood(asked)));
}

/** Did more than `mostAsks` come within any one minute? */
function isFlood(requests: readonly Request[]): boolean {
  const times = requests.map(({ createdAt }) => createdAt).sort((one, other) => one - other);
  return times.some((time, index) => {
    const first = times[index - mostAsks];
    return first !== undefined && time - first < minuteMs;
  });
}
