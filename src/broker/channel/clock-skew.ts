/** Whether the clock of the file system is ours. Writes nothing but a probe, and removes it. */
import { lstatSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryPrefix } from "../files/publish.js";
import type { Clock } from "../system/clock.js";

/**
 * Milliseconds by which a file that is made now in `directory` is younger than now; negative where it is older. Throws the
 * system error where the directory cannot be written.
 */
export function measureSkew(directory: string, clock: Clock): number {
  const path = join(directory, `${temporaryPrefix}${Buffer.from(clock.randomBytes(8)).toString("hex")}`);
  writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  try {
    return lstatSync(path).mtimeMs - clock.now();
  } finally {
    unlinkSync(path);
  }
}
