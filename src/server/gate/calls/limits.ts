/**
 * How much of a person's attention, and of the server behind the gate, calls may take. Whoever floods a person gets a yes
 * in the end, so asks come out of a bucket. Invariant: a call that asks nobody anew takes nothing out of it.
 */
import type { Clock } from "../../../broker/index.js";

/** One call that may ask a person. */
export interface AskTicket {
  /**
   * A person is asked about it, until `over`, and no longer than until `endsAt`, in monotonic milliseconds; null for an ask
   * without end. Whoever is asked about it already is not asked again, and then it costs nothing.
   */
  asked(endsAt: number | null): void;
  /** Nobody is asked about it any more. */
  over(): void;
  /** The call is over. What was taken for it and asked nobody is given back. */
  done(): void;
}

/** Of one gate. */
export interface Limits {
  /** Takes one ask for the call known by `key`; or in how many milliseconds there is one again. */
  ask(key: string): AskTicket | number;
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
  /** By their keys, when the asks that wait are over whoever collects the answer. */
  const waiting = new Map<string, number>();
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

  function isWaiting(key: string): boolean {
    return (waiting.get(key) ?? Number.NEGATIVE_INFINITY) > clock.monotonic();
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

  function giveBack(): void {
    left = Math.min(burst * minuteMs, left + minuteMs);
  }

  function ticket(key: string, isTaken: boolean): AskTicket {
    let hasTaken = isTaken;
    return {
      asked(endsAt) {
        const isJoining = isWaiting(key);
        if (isJoining && hasTaken) giveBack();
        // The ask that it was to join is over by now: it is a debt.
        if (!isJoining && !hasTaken) left -= minuteMs;
        hasTaken = false;
        // Nobody may ever come for their answers.
        for (const other of waiting.keys()) if (!isWaiting(other)) waiting.delete(other);
        waiting.set(key, endsAt ?? Number.POSITIVE_INFINITY);
      },
      over: () => void waiting.delete(key),
      done() {
        if (hasTaken) giveBack();
        hasTaken = false;
      },
    };
  }

  return {
    ask(key) {
      if (isWaiting(key)) return ticket(key, false);
      const { asksPerMinute } = settings();
      fill(asksPerMinute);
      if (left < minuteMs) return Math.ceil((minuteMs - left) / asksPerMinute);
      left -= minuteMs;
      return ticket(key, true);
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
