/** A clock that moves only when a test says so; wall time and monotonic time can be moved apart. */
import type { Clock, Timer } from "../../src/broker/system/clock.js";

interface Waiting {
  readonly at: number;
  readonly periodMs: number | null;
  readonly run: () => void;
}

export class FakeClock implements Clock {
  #monotonic = 1_000;
  #wallOffset = 1_790_000_000_000;
  #seed = 1;
  readonly #timers = new Map<number, Waiting>();
  #nextTimer = 0;

  now(): number {
    return Math.round(this.#monotonic + this.#wallOffset);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#add({ at: this.#monotonic + delayMs, periodMs: null, run });
  }

  every(periodMs: number, run: () => void): Timer {
    return this.#add({ at: this.#monotonic + periodMs, periodMs, run });
  }

  /** A repeatable sequence; each byte differs from its neighbours. */
  randomBytes(size: number): Uint8Array {
    const bytes = new Uint8Array(size);
    for (let index = 0; index < size; index += 1) {
      // Math.imul: an ordinary product passes 2^53, and the sequence would soon go round in a short circle.
      this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      bytes[index] = (this.#seed >> 16) & 0xff;
    }
    return bytes;
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** In how many milliseconds each timer runs next, for whoever waits until one of several is there. */
  get dueIn(): readonly number[] {
    return [...this.#timers.values()].map(({ at }) => at - this.#monotonic);
  }

  /** Moves both times forward and runs what falls due, in order. */
  advance(ms: number): void {
    const until = this.#monotonic + ms;
    for (let due = this.#nextDue(until); due !== null; due = this.#nextDue(until)) {
      const [key, timer] = due;
      this.#monotonic = Math.max(this.#monotonic, timer.at);
      this.#timers.delete(key);
      if (timer.periodMs !== null) this.#timers.set(key, { ...timer, at: timer.at + timer.periodMs });
      timer.run();
    }
    this.#monotonic = until;
  }

  /** Somebody sets the wall clock; nothing that measures durations may notice. */
  jumpWallClock(ms: number): void {
    this.#wallOffset += ms;
  }

  #add(timer: Waiting): Timer {
    const key = this.#nextTimer;
    this.#nextTimer += 1;
    this.#timers.set(key, timer);
    return { cancel: () => void this.#timers.delete(key) };
  }

  #nextDue(until: number): [number, Waiting] | null {
    let first: [number, Waiting] | null = null;
    for (const entry of this.#timers) {
      if (entry[1].at <= until && (first === null || entry[1].at < first[1].at)) first = entry;
    }
    return first;
  }
}
