/** The wall clock of this process, as somebody sets it; everything that goes by it sees that, libraries included. */
import { onTestFinished, vi } from "vitest";

export interface ShiftedWallClock {
  /** So far from the true time, in milliseconds. */
  set(ms: number): void;
}

/** Right until it is set, and again when the running test has ended. */
export function shiftedWallClock(): ShiftedWallClock {
  const trueNow = Date.now.bind(Date);
  let shift = 0;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => trueNow() + shift);
  onTestFinished(() => spy.mockRestore());
  return {
    set(ms) {
      shift = ms;
    },
  };
}
