/** The only place with wall time, monotonic time, timers and randomness; everything else is handed a `Clock`. */
import { randomBytes } from "node:crypto";

/** Something that will run. To cancel it twice, or after it ran, does nothing. */
export interface Timer {
  cancel(): void;
}

/** All that the program knows of time and chance, so that a test can hold both still. */
export interface Clock {
  /** Epoch milliseconds, for what people and other programs read. Never decides a deadline. */
  now(): number;
  /** Milliseconds from an arbitrary start, never backwards; time while the machine is suspended does not count. */
  monotonic(): number;
  /** Runs `run` once after `delayMs`. Does not keep the process alive unless `isHolding`. */
  after(delayMs: number, run: () => void, isHolding?: boolean): Timer;
  /** Runs `run` every `periodMs` until cancelled. Does not keep the process alive unless `isHolding`. */
  every(periodMs: number, run: () => void, isHolding?: boolean): Timer;
  randomBytes(size: number): Uint8Array;
}

/** The machine's own. Its random bytes are fit for secrets. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): its module costs a command that a person waits for half a millisecond.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after(delayMs, run, isHolding = false) {
    const timer = setTimeout(run, delayMs);
    if (!isHolding) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  every(periodMs, run, isHolding = false) {
    const timer = setInterval(run, periodMs);
    if (!isHolding) timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
  randomBytes: (size) => randomBytes(size),
};
