/**
 * A person's no, remembered for a while. Invariant: an ask that is identical to one that was refused gets the same
 * answer, under whatever label it comes; asking until somebody gives in is not a way. A no that no call was there to
 * hear is kept until one hears it.
 */
import type { Likeness } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { Clock } from "../system/clock.js";

/** What is told again. */
export type Denial = Omit<Outcome, "scope" | "seconds" | "waits" | "redeemed">;

/** The noes of one approver. */
export interface Denials {
  /** A no that was told to whoever asked. */
  remember(likeness: Likeness, denial: Denial): void;
  /** A no that nobody heard: it waits to be told until then in monotonic milliseconds, and no shorter than one that was heard is remembered. */
  hold(likeness: Likeness, denial: Denial, until: number): void;
  /** The no that still stands against exactly this, or null. It counts as told from here on. */
  find(likeness: Likeness): Denial | null;
  clear(): void;
}

/** A caller could make a person say no any number of times; the oldest no is forgotten first. */
const mostRemembered = 1_000;

interface Remembered {
  readonly denial: Denial;
  readonly until: number;
}

/** Each no that was told stands for `seconds` of monotonic time, the last one included; 0 remembers none. */
export function createDenials(clock: Clock, seconds: number): Denials {
  /** All stand equally long, so the order in which they were told is the order in which they end. */
  const told = new Map<string, Remembered>();
  const untold = new Map<string, Remembered>();

  function stands({ until }: Remembered): boolean {
    return clock.monotonic() <= until;
  }

  function dropExpired(): void {
    for (const [key, one] of told) {
      if (stands(one)) return;
      told.delete(key);
    }
  }

  function remember(key: string, denial: Denial): void {
    untold.delete(key);
    if (seconds === 0) return;
    dropExpired();
    put(told, key, { denial, until: clock.monotonic() + seconds * 1_000 });
  }

  return {
    remember: (likeness, denial) => remember(keyOf(likeness), denial),
    hold(likeness, denial, until) {
      const key = keyOf(likeness);
      put(untold, key, { denial, until: Math.max(until, clock.monotonic() + seconds * 1_000) });
    },
    find(likeness) {
      const key = keyOf(likeness);
      const held = untold.get(key);
      if (held !== undefined && stands(held)) {
        remember(key, held.denial);
        return held.denial;
      }
      untold.delete(key);
      const found = told.get(key);
      return found !== undefined && stands(found) ? found.denial : null;
    },
    clear() {
      told.clear();
      untold.clear();
    },
  };
}

function put(map: Map<string, Remembered>, key: string, one: Remembered): void {
  map.delete(key);
  map.set(key, one);
  const [oldest] = map.keys();
  if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest);
}

function keyOf({ subject, state }: Likeness): string {
  return `${subject}${state}`;
}
