/** Whether times can be compared: those of files with ours, those of requests with now, and now with a moment ago. */
import type { Clock, Request } from "../../broker/index.js";
import { type Check, ok, warning } from "./check.js";

/** Both clocks at one instant, in milliseconds. */
export interface Instant {
  readonly wall: number;
  readonly monotonic: number;
}

/** The clocks as they stand now. */
export function instantOf(clock: Pick<Clock, "now" | "monotonic">): Instant {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

/** Coarse clocks of file systems, and a slow disk, stay below this. */
const mostSkewMs = 2_000;

/** What was measured. */
export interface Measured {
  /** By how much a new file is younger than now; null where none could be made. */
  readonly skewMs: number | null;
  /** Between two looks by this command. */
  readonly first: Instant;
  readonly last: Instant;
  readonly requests: readonly Pick<Request, "id" | "createdAt">[];
}

/** One line; what is wrong is said in the order in which it misleads. */
export function checkClock({ skewMs, first, last, requests }: Measured): Check {
  const jumpMs = last.wall - first.wall - (last.monotonic - first.monotonic);
  const early = requests.filter(({ createdAt }) => createdAt > last.wall + mostSkewMs);
  const faults = [
    ...(Math.abs(jumpMs) > mostSkewMs ? [`the time of day jumped by ${secondsText(jumpMs)} just now`] : []),
    ...(skewMs !== null && Math.abs(skewMs) > mostSkewMs
      ? [`a file made now is dated ${secondsText(skewMs)} ${skewMs > 0 ? "ahead" : "behind"}`]
      : []),
    ...(early.length > 0 ? [`filed in the future: ${early.map(({ id }) => id).join(", ")}`] : []),
  ];
  if (faults.length === 0) return ok("clock", "the time of day, of files and of requests agree");
  return warning(
    "clock",
    `${faults.join("; ")}: what is stale or too late may be misjudged`,
    "timedatectl status",
  );
}

function secondsText(ms: number): string {
  return `${Math.abs(ms / 1_000).toFixed(1)} s`;
}
