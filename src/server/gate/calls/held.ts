/**
 * How much the calls that wait for a person may take of this process: nothing behind them waits, so nothing else keeps a
 * client from writing more. Invariant: one call alone is held, however large; where others are, no more than this.
 */

/** So many bytes of calls, as they were written: more than thirty that are as large as a request can be. */
export const mostHeldBytes = 32 * 1_024 * 1_024;
/** What is kept of each beside what was written. */
const besideBytes = 16 * 1_024;

/** Of one gate. */
export interface Held {
  /** Room for a call of so many bytes, and what ends it, which does nothing a second time; null where there is none for now. */
  take(bytes: number): (() => void) | null;
}

/** Nothing is held yet. */
export function createHeld(): Held {
  let held = 0;
  return {
    take(bytes) {
      const size = bytes + besideBytes;
      if (held > 0 && held + size > mostHeldBytes) return null;
      held += size;
      let isOver = false;
      return () => {
        if (!isOver) held -= size;
        isOver = true;
      };
    },
  };
}
