/** The end of a connection, while requests wait. */
import type { ServerDecision } from "../request/answer.js";
import type { Clock } from "../system/clock.js";

/**
 * Settling takes a moment each, and a client waits two seconds before it kills: of the newest so many, as far as the time
 * goes, every face learns at once and a person may answer late. The others are left to a sweep.
 */
const mostSettledAtEnd = 256;
const longestSettlingMs = 1_000;
/** So many are brought to their end together, each whole: what is not begun when the time is over is left as it was. */
const settledTogether = 16;

/** One that waits, as far as its end goes. */
interface Waiting {
  end(decision: ServerDecision, note: string): void;
  ended(): Promise<void>;
  leaveToSweep(note: string): void;
}

/** Withdraws all of `waits`, which are in the order in which they began, the newest first. */
export async function withdrawNewest(waits: Iterable<Waiting>, why: string, clock: Clock): Promise<void> {
  const until = clock.monotonic() + longestSettlingMs;
  const waiting = [...waits].reverse();
  let begun = 0;
  while (begun < Math.min(waiting.length, mostSettledAtEnd) && clock.monotonic() < until) {
    const some = waiting.slice(begun, begun + settledTogether);
    begun += some.length;
    for (const wait of some) wait.end("withdrawn", why);
    await Promise.allSettled(some.map((wait) => wait.ended()));
  }
  for (const wait of waiting.slice(begun)) wait.leaveToSweep(why);
}

/** What must be over before a connection is: what calls are told, and the end of what no call waits for. */
export interface Tracking {
  /** Returns `one`, which `settled` waits for from here on. */
  track<Result>(one: Promise<Result>): Promise<Result>;
  /** Resolves when what was tracked by now is over, however that ended. */
  settled(): Promise<void>;
}

/** Tracks nothing yet. */
export function createTracking(): Tracking {
  const ending = new Set<Promise<unknown>>();
  return {
    track(one) {
      const tracked = one.finally(() => ending.delete(tracked));
      ending.add(tracked);
      return tracked;
    },
    async settled() {
      await Promise.allSettled(ending);
    },
  };
}
