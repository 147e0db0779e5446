/**
 * How much of a person's attention, and of the server behind the gate, calls may take. Whoever floods a person gets a yes
 * in the end, so asks come out of a bucket. Invariant: a call that asks nobody anew takes nothing out of it.
 */
import type { Clock } from "../../../broker/index.js";

/** Of one gate. */
export interface Limits {
  /**
   * Takes one ask for the call known by `key`; null, or in how many milliseconds there is one again. Nothing is taken for a
   * key that somebody is being asked about.
   */
  ask(key: string): number | null;
  /** A person is asked about `key`, until `over` is called with it. */
  asked(key: string): void;
  /** Nobody is asked about `key` any more. */
  over(key: string): void;
  /** What was taken for `key` was not needed: nobody was asked. */
  giveBack(key: string): void;
  /** Resolves when one more call may be let through, with what ends it. Rejects with the reason of `signal`. */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** What counts at this moment. */
export interface LimitSettings {
  readonly asksPerMinute: number;
  readonly maxConcurrentWrites: number;
}

/** So many asks may come at once, after a while without any. */
const burst = 30;
const minuteMs = 60_000;

/** `settings` is read anew for each call. */
export function createLimits(settings: () => LimitSettings, clock: Clock): Limits {
  const waiting = new Set<string>();
  // In parts of an ask, a minute's worth of them to one, so that no rounding makes a caller wait longer than it was told.
  let left = burst * minuteMs;
  let filledAt = clock.monotonic();
  let inside = 0;
  const queue: (() => void)[] = [];

  function fill(perMinute: number): void {
    const now = clock.monotonic();
    left = Math.min(burst * minuteMs, left + (now - filledAt) * perMinute);
    filledAt = now;
  }

  function leave(): void {
    inside -= 1;
    const { maxConcurrentWrites } = settings();
    while (inside < maxConcurrentWrites) {
      const next = queue.shift();
      if (next === undefined) return;
      inside += 1;
      next();
    }
  }

  function once(then: () => void): () => void {
    let isDone = false;
    return () => {
      if (!isDone) then();
      isDone = true;
    };
  }

  return {
    ask(key) {
      if (waiting.has(key)) return null;
      const { asksPerMinute } = settings();
      fill(asksPerMinute);
      if (left >= minuteMs) {
        left -= minuteMs;
        return null;
      }
      return Math.ceil((minuteMs - left) / asksPerMinute);
    },
    asked: (key) => void waiting.add(key),
    over: (key) => void waiting.delete(key),
    giveBack(key) {
      if (!waiting.has(key)) left = Math.min(burst * minuteMs, left + minuteMs);
    },
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (inside < settings().maxConcurrentWrites) {
        inside += 1;
        return Promise.resolve(once(leave));
      }
      return new Promise((resolve, reject) => {
        const next = (): void => {
          signal.removeEventListener("abort", gone);
          resolve(once(leave));
        };
        const gone = (): void => {
          queue.splice(queue.indexOf(next), 1);
          reject(signal.reason);
        };
        signal.addEventListener("abort", gone, { once: true });
        queue.push(next);
      });
    },
  };
}
