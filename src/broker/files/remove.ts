/** Removing what has become needless, where not being able to is no fault: it is tried again by a sweep. */
import { unlinkSync } from "node:fs";

/** Removes the file `path`; false when it was gone already, is a directory, or lies on a disk that fails. */
export function removeQuietly(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    // Whoever asked goes on without it; a file that stays is one that any sweep meets again.
    return false;
  }
}
