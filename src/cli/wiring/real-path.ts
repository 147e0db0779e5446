/** Which file the words of an entry lead to. */
import { realpathSync } from "node:fs";

/** `path` with links followed; what is not there leads nowhere else, and stays as it is. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It may also have gone since it was looked for.
    return path;
  }
}
