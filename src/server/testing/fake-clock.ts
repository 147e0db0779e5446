/**
 * A clock for an author's tests. Long waits pass only when a test says so: how long a person has, how long a call is held.
 * Short ones are real, for files are looked at by those.
 */
import { type Clock, systemClock, type Timer } from "../../broker/index.js";

/** Its monotonic time stands still but for what `advance` adds; its wall time is the machine's. */
export interface FakeClock extends Clock {
  /** Lets `ms` milliseconds pass, and runs what falls due meanwhile, in order. */
  advance(ms: number): void;
}

/** Nothing that decides how a call ends is so short. */
const shortMs = 1_000;

interface Waiting {
  readonly at: number;
  readonly run: () => void;
}

/** Begins at an arbitrary time. */
export function fakeClock(): FakeClock {
  const waiting = new Set<Waiting>();
  let monotonic = 0;

  function wait(delayMs: number, run: () => void): Timer {
    const one = { at: monotonic + delayMs, run };
    waiting.add(one);
    return { cancel: () => void waiting.delete(one) };
  }

  function repeat(periodMs: number, run: () => void): Timer {
    let timer = wait(periodMs, again);
    function again(): void {
      timer = wait(periodMs, again);
      run();
    }
    return { cancel: () => timer.cancel() };
  }

  /** The first that is due by `until`; null where none is. */
  function due(until: number): Waiting | null {
    const [first = null] = [...waiting].sort((one, other) => one.at - other.at);
    return first !== null && first.at <= until ? first : null;
  }

  return {
    now: () => systemClock.now(),
    monotonic: () => monotonic,
    after: (delayMs, run, isHolding) =>
      delayMs < shortMs ? systemClock.after(delayMs, run, isHolding) : wait(delayMs, run),
    every: (periodMs, run, isHolding) =>
      periodMs < shortMs ? systemClock.every(periodMs, run, isHolding) : repeat(periodMs, run),
    randomBytes: (size) => systemClock.randomBytes(size),
    advance(ms) {
      const until = monotonic + ms;
      for (let one = due(until); one !== null; one = due(until)) {
        waiting.delete(one);
        monotonic = one.at;
        one.run();
      }
      monotonic = until;
    },
  };
}
