/** Whole outputs as private files below the home: `output/<request id>.stdout` and `.stderr`. */
import { closeSync, constants, fchmodSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ensureSafeDirectory, isIdentifier } from "../../broker/index.js";
import type { OutputStore } from "./capture.js";

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Keeps the output of the command that request `id` asked for. `home` is the directory the request was filed in. */
export function outputStore(home: string, id: string): OutputStore {
  return {
    create(stream) {
      // Checked before it becomes part of a path.
      if (!isIdentifier(id)) throw new TypeError("An output is kept under the id of a request.");
      const directory = join(home, "output");
      ensureSafeDirectory(directory);
      const path = join(directory, `${id}.${stream}`);
      const file = openSync(path, newFile, 0o600);
      // A strict umask may have taken the owner's own bits.
      fchmodSync(file, 0o600);
      return {
        path,
        append: (bytes) => writeWhole(file, bytes),
        close: () => closeSync(file),
      };
    },
  };
}

/** Written at once, on the thread: then memory stays bounded and the command waits for the disk, not the reverse. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
