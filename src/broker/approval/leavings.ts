/** Requests that ended and that nobody said no to: a person may answer them late, and is not told of the same twice. */

import type { Bound, LateRequest, LateRequests } from "../grants/grant-store.js";
import { expectWispError } from "../request/errors.js";
import { canBeAnsweredLate } from "./bound.js";

/** The part of an approver that leaves them behind. */
export interface Leavings {
  /** Keeps one that has just ended, as far as that can be done. */
  leave(late: Omit<LateRequest, "life">): Promise<void>;
  /**
   * How long ago, if it still counts, a banner told a person of a request for the same that ended, here or in another
   * process; else null. Call when it was filed anew: earlier ones, however old, are to be answered no more. A yes to them
   * would let through a call beside the one that waits.
   */
  succeed(bound: Bound): number | null;
  /** A person said no to it: what ended of it before is to be answered no more. */
  forget(bound: Bound): void;
}

/** Where there is no place for them, none is left. */
export function createLeavings(late: LateRequests | null): Leavings {
  function succeed(bound: Bound): number | null {
    if (late === null) return null;
    const { ids, toldMsAgo } = late.alike(bound);
    for (const id of ids) late.remove(id);
    return toldMsAgo;
  }

  return {
    async leave(one) {
      try {
        await late?.file(one, canBeAnsweredLate(one.request));
      } catch (error) {
        // It is as if it had ended where nothing is kept: the next call asks.
        expectWispError(error);
      }
    },
    succeed,
    forget: (bound) => void succeed(bound),
  };
}
