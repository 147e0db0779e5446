/**
 * What can be had once. A file is claimed by giving it a second name in a directory from which no name is ever
 * removed: over all processes and crashes, one claim of a name succeeds.
 */
import { linkSync } from "node:fs";
import { basename, join } from "node:path";
import { errnoOf } from "../request/errors.js";
import { syncDirectory } from "./durable.js";
import { lookAt } from "./look.js";
import { writeFault } from "./publish.js";

/** `taken`: somebody was first. `gone`: there is no such file any more. */
export type Claimed = "claimed" | "taken" | "gone";

/**
 * Claims the file `path` for its own name in `directory`, which must have been judged. When this resolves with
 * `claimed` the new name is on disk. Rejects with channel_unavailable, or channel_unsafe where nothing can be linked:
 * then nobody has it, but the name may stand all the same, so that nobody can claim it any more.
 */
export async function claimFile(path: string, directory: string): Promise<Claimed> {
  try {
    linkSync(path, join(directory, basename(path)));
    // Before a crash of the machine can forget the name, nothing may follow from having it.
    await syncDirectory(directory);
    return "claimed";
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EEXIST") return "taken";
    if (errno === "ENOENT" && lookAt(directory) !== null) return "gone";
    throw writeFault(directory, error);
  }
}
