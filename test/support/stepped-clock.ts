/**
 * A clock whose timers are real, so that files and processes are waited for as ever, and whose monotonic time stands
 * still but for what a test adds: what came after 3 ms came after 3 ms on the busiest machine.
 */
import { type Clock, systemClock } from "../../src/broker/system/clock.js";

export interface SteppedClock extends Clock {
  advance(ms: number): void;
}

export function steppedClock(): SteppedClock {
  let monotonic = 1_000;
  return {
    ...systemClock,
    monotonic: () => monotonic,
    advance(ms) {
      monotonic += ms;
    },
  };
}
