/**
 * A clock whose long waits pass only when a test says so, and whose short ones are real: channels look at files by
 * those. Monotonic time stands still but for what a test adds.
 */
import { systemClock, type Timer } from "../../src/broker/system/clock.js";
import { FakeClock } from "./fake-clock.js";

/** Nothing that decides how a call ends is so short; whatever looks at files is. */
const shortMs = 1_000;

export class PatientClock extends FakeClock {
  override now(): number {
    return systemClock.now();
  }

  override after(delayMs: number, run: () => void): Timer {
    return delayMs < shortMs ? systemClock.after(delayMs, run) : super.after(delayMs, run);
  }

  override every(periodMs: number, run: () => void): Timer {
    return periodMs < shortMs ? systemClock.every(periodMs, run) : super.every(periodMs, run);
  }

  override randomBytes(size: number): Uint8Array {
    return systemClock.randomBytes(size);
  }
}
