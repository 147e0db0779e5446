/** How long the machine has been up: what a wall clock that is set cannot change. */
import { uptime } from "node:os";

/** Whole milliseconds since the machine started, time while it is suspended included. The same for every process. */
export function machineUptimeMs(): number {
  return Math.floor(uptime() * 1_000);
}
