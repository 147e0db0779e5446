/**
 * A person's no, remembered for a while. Invariant: an ask that is identical to one that was refused gets the same
 * answer, under whatever label it comes; asking until somebody gives in is not a way.
 */
import type { Likeness } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { Clock } from "../system/clock.js";

/** What is told again. */
export type Denial = Pick<Outcome, "name" | "via" | "note" | "unseenMs" | "request">;

/** The noes of one approver. */
export interface Denials {
  remember(likeness: Likeness, denial: Denial): void;
  /** The no that still stands against exactly this, or null. */
  find(likeness: Likeness): Denial | null;
  clear(): void;
}

/** A caller could make a person say no any number of times; the oldest no is forgotten first. */
const mostRemembered = 1_000;

interface Remembered {
  readonly denial: Denial;
  readonly until: number;
}

/** Each no stands for `seconds` of monotonic time, the last one included; 0 remembers nothing. */
export function createDenials(clock: Clock, seconds: number): Denials {
  /** All stand equally long, so the order in which they were given is the order in which they end. */
  const remembered = new Map<string, Remembered>();

  function stands({ until }: Remembered): boolean {
    return clock.monotonic() <= until;
  }

  function dropExpired(): void {
    for (const [key, one] of remembered) {
      if (stands(one)) return;
      remembered.delete(key);
    }
  }

  return {
    remember(likeness, denial) {
      if (seconds === 0) return;
      dropExpired();
      const key = keyOf(likeness);
      remembered.delete(key);
      remembered.set(key, { denial, until: clock.monotonic() + seconds * 1_000 });
      const [oldest] = remembered.keys();
      if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
    },
    find(likeness) {
      const found = remembered.get(keyOf(likeness));
      return found !== undefined && stands(found) ? found.denial : null;
    },
    clear: () => remembered.clear(),
  };
}

function keyOf({ subject, state }: Likeness): string {
  return `${subject}${state}`;
}
