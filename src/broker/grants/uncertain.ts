/**
 * What lies in `grants/` while `keys/spent/` is gone: nobody can say what of it was spent or taken back. Invariants: none
 * of it counts; and that is made anew only when all of it is off the disk, so that nothing counts once more.
 */
import { join } from "node:path";
import { syncDirectoryNow } from "../files/durable.js";
import { fileNameOf } from "../files/home-place.js";
import { lookAt } from "../files/look.js";
import { writeFault } from "../files/publish.js";
import { removeQuietly } from "../files/remove.js";
import { judgeDirectory } from "../files/safe-directory.js";
import { WispError } from "../request/errors.js";
import { idsIn, spentFor } from "./places.js";

/** Is there anything by which one could tell what in `directory` was spent? */
export function isSpentThere(directory: string): boolean {
  return lookAt(spentFor(directory)) !== null;
}

/** The ids of all that lies in `directory` and is uncertain; none while `keys/spent/` is there. */
export function uncertainGrants(directory: string): readonly string[] {
  // In this order: `keys/spent/` is made before anything is kept, so what is listed here was kept before it was missing.
  const ids = idsIn(directory).filter((id): id is string => id !== null && isFile(directory, id));
  return isSpentThere(directory) ? [] : ids;
}

/**
 * Removes what is uncertain, or only `ids` of it, and returns what was there; off the disk when this returns. Throws
 * channel_unsafe, channel_unavailable.
 */
export function removeUncertain(directory: string, ids = uncertainGrants(directory)): readonly string[] {
  if (ids.length === 0) return ids;
  judgeDirectory(directory);
  for (const id of ids) removeQuietly(join(directory, fileNameOf(id)));
  const left = ids.find((id) => isFile(directory, id));
  if (left !== undefined) {
    const path = join(directory, fileNameOf(left));
    throw new WispError("channel_unavailable", `${path} cannot be removed.`, {
      why: "What was spent is gone, so nobody can say whether this was.",
      details: { path },
    });
  }
  try {
    syncDirectoryNow(directory);
  } catch (error) {
    throw writeFault(directory, error);
  }
  return ids;
}

function isFile(directory: string, id: string): boolean {
  const stats = lookAt(join(directory, fileNameOf(id)));
  return stats !== null && !stats.isDirectory();
}
