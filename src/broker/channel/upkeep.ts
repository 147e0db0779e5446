/**
 * What a server does for the directory it asks through. Where no face ever runs nobody else would sweep: receipts,
 * and requests of servers that died, would lie there for ever.
 */
import type { Clock } from "../system/clock.js";
import type { Channel } from "./channel.js";
import { type SweepOptions, type Swept, sweep } from "./sweep.js";

/** What a sweep needs, where it finds what waits, and who hears of it. */
export interface UpkeepOptions extends SweepOptions {
  readonly channel: Channel;
  /** Told what each sweep did, when it did something. */
  readonly onSwept: (swept: readonly Swept[]) => void;
}

/** Sweeps at the first call and then at most once a minute; call it with every ask. Never throws. */
export function createUpkeep(options: UpkeepOptions): () => void {
  const { channel, clock, onSwept } = options;
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() < nextAt) return;
    nextAt = clock.monotonic() + periodMs;
    later(clock, () => {
      try {
        const swept = sweep(options, channel.pending());
        if (swept.length > 0) onSwept(swept);
      } catch {
        // An unsafe or unreadable directory: the ask itself says so, in its own words.
      }
    });
  };
}

const periodMs = 60_000;

/** After the ask that called for it: with many requests waiting a sweep takes longer than filing one. */
function later(clock: Clock, run: () => void): void {
  clock.after(0, run);
}
