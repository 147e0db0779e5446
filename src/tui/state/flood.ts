/** Who asks so much that nobody can read it: one row stands for all of it, so that others are still seen. */
import { type Request, shownText } from "../../broker/index.js";
import type { Asked } from "./model.js";

/** More than this many within a minute are too many. */
const mostAsks = 5;
const minuteMs = 60_000;

/** One thread of one client, safe to print. A client that names no thread is one thread. */
function threadKeyOf(request: Request): string {
  return keysOf(request).thread;
}

/** The row for many in which `request` stands where its thread asks too much: of each kind one, for a no is of one kind. */
export function rowKeyOf(request: Request): string {
  return keysOf(request).row;
}

interface Keys {
  readonly thread: string;
  readonly row: string;
}

function keysOf(request: Request): Keys {
  const known = keys.get(request);
  if (known !== undefined) return known;
  const { client, caller, thread, kind } = request;
  const asker = [client?.name ?? null, client === null ? caller : null, thread];
  const made = {
    thread: shownText(JSON.stringify(["many", ...asker])),
    row: shownText(JSON.stringify(["many", kind, ...asker])),
  };
  keys.set(request, made);
  return made;
}

/** Made once for each request: the queue is put in order anew with everything that comes or goes. */
const keys = new WeakMap<Request, Keys>();

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
 * All requests of each row for many, by its key: those of one kind of a thread that asked too much. What was answered
 * meanwhile counts as asked: whoever answers quickly sees as well that it is too much. One that waits alone needs no row
 * for many.
 */
export function floodsOf(
  requests: readonly Request[],
  past: ReadonlyMap<string, Asked>,
): ReadonlyMap<string, readonly Request[]> {
  if (requests.length + past.size <= mostAsks) return new Map();
  const threads = grouped(requests, threadKeyOf);
  const answered = new Map(past);
  for (const { id } of requests) answered.delete(id);
  const earlier = grouped([...answered.values()], ({ thread }) => thread);
  const flooding = [...threads].filter(
    ([key, waiting]) => waiting.length > 1 && isFlood([...waiting, ...(earlier.get(key) ?? [])]),
  );
  const rows = flooding.flatMap(([, waiting]) => [...grouped(waiting, rowKeyOf)]);
  return new Map(rows.filter(([, waiting]) => waiting.length > 1));
}

function grouped<One>(all: readonly One[], keyOf: (one: One) => string): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return groups;
}

/** Did more than `mostAsks` come within any one minute? */
function isFlood(asked: readonly Pick<Asked, "createdAt">[]): boolean {
  const times = asked.map(({ createdAt }) => createdAt).sort((one, other) => one - other);
  return times.some((time, index) => {
    const first = times[index - mostAsks];
    return first !== undefined && time - first < minuteMs;
  });
}
