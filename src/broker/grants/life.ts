/**
 * When something has expired, also for a process that did not see it begin. Invariant: within one boot no setting of
 * the wall clock lengthens a life, and what has expired for one process stays so for it.
 */

import * as s from "../request/shape.js";
import type { Clock } from "../system/clock.js";
import { machineUptimeMs } from "../system/uptime.js";
import type { Life, Moment } from "./grant-store.js";

const count = s.integer({ least: 0 });

/** A life as it stands in files. */
export const lifeSchema = s.strictObject({
  from: s.strictObject({ boot: s.string(), uptimeMs: count, at: count }),
  forMs: count,
});

/** Only what belongs to it. */
export function lifePart({ from: { boot, uptimeMs, at }, forMs }: Life): Life {
  return { from: { boot, uptimeMs, at }, forMs };
}

/** Tells the moment on a machine whose boot is called `boot`; that does not change while a process lives. */
export function momentsOf(
  clock: Clock,
  boot: string,
  uptimeMs: () => number = machineUptimeMs,
): () => Moment {
  return () => ({ boot, uptimeMs: uptimeMs(), at: clock.now() });
}

/** How much of a life is left, from 0 to `forMs`; null when it is over, or has not begun: then a clock was set. */
export function remainingMs({ from, forMs }: Life, now: Moment): number | null {
  const passed = passedMs(from, now);
  return passed !== null && passed <= forMs ? forMs - passed : null;
}

/** Is a life over? One that a clock says has not begun is not: what outlives it must not be cleared away for that. */
export function hasEnded({ from, forMs }: Life, now: Moment): boolean {
  return (passedMs(from, now) ?? 0) > forMs;
}

/** Lives as one process sees them. */
export interface LifeWatch {
  /** Is the life of what is called `id` not over? Once it was, it stays so, whatever the clocks say later. */
  isAlive(id: string, life: Life): boolean;
}

/** Remembers of each life that it saw when it ends by the monotonic clock; nothing moves that end away. */
export function watchLives(clock: Clock, moment: () => Moment): LifeWatch {
  const ends = new Map<string, number>();
  return {
    isAlive(id, life) {
      const now = clock.monotonic();
      const left = remainingMs(life, moment());
      const byMachine = left === null ? Number.NEGATIVE_INFINITY : now + left;
      const end = Math.min(byMachine, ends.get(id) ?? Number.POSITIVE_INFINITY);
      ends.set(id, end);
      return now <= end;
    },
  };
}

/** How much time has passed from one moment to another; null where a clock says that the other came first. */
export function passedMs(from: Moment, now: Moment): number | null {
  const areBootsKnown = from.boot !== "" && now.boot !== "";
  // Within one boot nobody can set what counts.
  if (areBootsKnown && from.boot === now.boot) return sinceOrNull(from.uptimeMs, now.uptimeMs);
  const byWall = sinceOrNull(from.at, now.at);
  if (byWall === null || !areBootsKnown) return byWall;
  // This boot is younger than what began in another one: whatever the wall clock says, at least its age has passed.
  return Math.max(byWall, now.uptimeMs);
}

function sinceOrNull(then: number, now: number): number | null {
  return now >= then ? now - then : null;
}
