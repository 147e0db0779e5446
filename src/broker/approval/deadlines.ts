/**
 * When waits end by themselves. Invariant: one timer whatever waits. All waits of an approver are equally long, so
 * the order in which they begin is the order in which they end, and neither adding nor removing looks at others.
 */
import type { Clock, Timer } from "../system/clock.js";

/** The waits that have not ended yet, whatever a wait is to the one who adds it. */
export interface Deadlines<Wait> {
  add(wait: Wait): void;
  /** Nothing happens for one that ended already. */
  remove(wait: Wait): void;
  /** When it ends, in monotonic milliseconds; infinite for one that ended, or that waits for ever. */
  dueAt(wait: Wait): number;
}

/** A timer for longer than this runs at once; waits of a month are armed again. */
const longestTimerMs = 0x7fffffff;

/** Calls `onDue` once for each wait still there after `lengthMs` of monotonic time; null waits for ever. */
export function createDeadlines<Wait>(
  clock: Clock,
  lengthMs: number | null,
  onDue: (wait: Wait) => void,
): Deadlines<Wait> {
  const dueAt = new Map<Wait, number>();
  let timer: Timer | null = null;

  function arm(): void {
    const first = dueAt.values().next();
    if (timer !== null || first.done === true) return;
    const inMs = first.value - clock.monotonic();
    timer = clock.after(Math.min(Math.max(0, inMs), longestTimerMs), run);
  }

  function run(): void {
    timer = null;
    try {
      for (const [wait, at] of dueAt) {
        // A timer may fire a little early, or for a wait that was removed: the clock decides.
        if (at > clock.monotonic()) return;
        dueAt.delete(wait);
        onDue(wait);
      }
    } finally {
      arm();
    }
  }

  return {
    dueAt: (wait) => dueAt.get(wait) ?? Number.POSITIVE_INFINITY,
    add(wait) {
      if (lengthMs === null) return;
      dueAt.set(wait, clock.monotonic() + lengthMs);
      arm();
    },
    remove(wait) {
      dueAt.delete(wait);
      if (dueAt.size > 0) return;
      timer?.cancel();
      timer = null;
    },
  };
}
