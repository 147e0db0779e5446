/** When waits end by themselves. Invariant: one timer whatever waits, each as long as it was to wait when it began. */
import type { Clock, Timer } from "../system/clock.js";
import { createDueQueue } from "./due-queue.js";

/** The waits that have not ended yet, whatever a wait is to the one who adds it. */
export interface Deadlines<Wait> {
  /** It ends after `lengthMs` of monotonic time; null waits for ever. */
  add(wait: Wait, lengthMs: number | null): void;
  /** Nothing happens for one that ended already. */
  remove(wait: Wait): void;
  /** When it ends, in monotonic milliseconds; infinite for one that ended, or that waits for ever. */
  dueAt(wait: Wait): number;
}

/** A timer for longer than this runs at once; waits of a month are armed again. */
const longestTimerMs = 0x7fffffff;

/** Calls `onDue` once for each wait that is still there when its time is over. */
export function createDeadlines<Wait>(clock: Clock, onDue: (wait: Wait) => void): Deadlines<Wait> {
  const queue = createDueQueue<Wait>();
  let timer: { readonly at: number; readonly timer: Timer } | null = null;

  function arm(): void {
    const first = queue.first();
    if (first !== null && timer !== null && timer.at <= first.at) return;
    timer?.timer.cancel();
    timer = null;
    if (first === null) return;
    const inMs = Math.min(Math.max(0, first.at - clock.monotonic()), longestTimerMs);
    timer = { at: first.at, timer: clock.after(inMs, run) };
  }

  function run(): void {
    timer = null;
    try {
      // A timer may fire a little early, or for a wait that was removed: the clock decides.
      for (let due = queue.first(); due !== null && due.at <= clock.monotonic(); due = queue.first()) {
        queue.remove(due.item);
        onDue(due.item);
      }
    } finally {
      arm();
    }
  }

  return {
    dueAt: queue.dueAt,
    add(wait, lengthMs) {
      if (lengthMs === null) return;
      queue.add(wait, lengthMs, clock.monotonic());
      arm();
    },
    remove(wait) {
      queue.remove(wait);
      // One that is left may be due later than the timer: that runs once for nothing, which costs less than arming anew.
      if (queue.first() === null) arm();
    },
  };
}
