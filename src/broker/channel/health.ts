/** Whether a watch tells of changes, for a person who looks for a fault. Writes nothing but a probe, and removes it. */
import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryPrefix } from "../files/publish.js";
import { rawWatch, type StartWatch } from "../files/raw-watch.js";
import type { Clock } from "../system/clock.js";
import { probeMs } from "./watch.js";

/**
 * Milliseconds from a change in `directory` to its event, or null where no event comes in time or no watch is to be
 * had: there the directory is polled. Throws the system error where the directory cannot be written.
 */
export function measureWatch(
  directory: string,
  clock: Clock,
  startWatch: StartWatch = rawWatch,
): Promise<number | null> {
  const name = `${temporaryPrefix}${Buffer.from(clock.randomBytes(8)).toString("hex")}`;
  const path = join(directory, name);
  return new Promise((resolve, reject) => {
    let changedAt = clock.monotonic();
    let watcher: { close(): void } | null = null;
    const timer = clock.after(probeMs, () => finish(() => resolve(null)), true);
    function finish(end: () => void): void {
      timer.cancel();
      watcher?.close();
      end();
    }
    const onEvent = (seen: string | null): void => {
      if (seen === name) finish(() => resolve(clock.monotonic() - changedAt));
    };
    try {
      watcher = startWatch(directory, onEvent, () => finish(() => resolve(null)));
    } catch {
      // EMFILE, ENOSPC and the like: the same as a watch that says nothing.
      finish(() => resolve(null));
      return;
    }
    try {
      changedAt = clock.monotonic();
      writeFileSync(path, "", { flag: "wx", mode: 0o600 });
      unlinkSync(path);
    } catch (error) {
      finish(() => reject(error));
    }
  });
}
