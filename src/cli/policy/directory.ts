/** Where a call would be made, as the server takes it. */
import { realpathSync } from "node:fs";

/** Where `directory` really is; as it is written where nothing can run in it. */
export function directoryAt(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch {
    // It does not exist, or cannot be entered: the server would refuse the call.
    return directory;
  }
}
