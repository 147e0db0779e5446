/** Who asks so much that nobody can read it: one row stands for all of it, so that others are still seen. */
import { type Request, shownText } from "../../broker/index.js";
import type { Asked } from "./model.js";

/** More than this many within a minute are too many. */
const mostAsks = 5;
const minuteMs = 60_000;

/** One thread of one client, safe to print. A client that names no thread is one thread. */
export function threadKeyOf(request: Request): string {
  const known = threadKeys.get(request);
  if (known !== undefined) return known;
  const { client, caller, thread } = request;
  const key = shownText(
    JSON.stringify(["many", client?.name ?? null, client === null ? caller : null, thread]),
  );
  threadKeys.set(request, key);
  return key;
}

/** Made once for each request: the queue is put in order anew with everything that comes or goes. */
const threadKeys = new WeakMap<Request, string>();

/** `past` with `gone`, which waits no longer, and without what is too old at `now` to count. */
export function withPast(
  past: ReadonlyMap<string, Asked>,
  gone: readonly Request[],
  now: number,
): ReadonlyMap<string, Asked> {
  if (gone.length === 0 && past.size === 0) return past;
  const asked = gone.map((request): [string, Asked] => [
    request.id,
    { thread: threadKeyOf(request), createdAt: request.createdAt },
  ]);
  return new Map([...past, ...asked].filter(([, { createdAt }]) => now - createdAt < minuteMs));
}

/**
 * All requests of each thread that asked too much, by its key. What was answered meanwhile counts as asked: whoever
 * answers quickly sees as well that it is too much. One that waits alone needs no row for many.
 */
export function floodsOf(
  requests: readonly Request[],
  past: ReadonlyMap<string, Asked>,
): ReadonlyMap<string, readonly Request[]> {
  if (requests.length + past.size <= mostAsks) return new Map();
  const threads = new Map<string, Request[]>();
  for (const request of requests) {
    const key = threadKeyOf(request);
    const known = threads.get(key);
    if (known === undefined) threads.set(key, [request]);
    else known.push(request);
  }
  const answered = new Map(past);
  for (const { id } of requests) answered.delete(id);
  const earlier = new Map<string, Asked[]>();
  for (const one of answered.values()) {
    const others = earlier.get(one.thread);
    if (others === undefined) earlier.set(one.thread, [one]);
    else others.push(one);
  }
  return new Map(
    [...threads].filter(
      ([key, waiting]) => waiting.length > 1 && isFlood([...waiting, ...(earlier.get(key) ?? [])]),
    ),
  );
}

/** Did more than `mostAsks` come within any one minute? */
function isFlood(asked: readonly Pick<Asked, "createdAt">[]): boolean {
  const times = asked.map(({ createdAt }) => createdAt).sort((one, other) => one - other);
  return times.some((time, index) => {
    const first = times[index - mostAsks];
    return first !== undefined && time - first < minuteMs;
  });
}
