/**
 * Whole outputs as private files below the home: `output/<request id>.stdout` and `.stderr`, and `<request id>.2.stdout`
 * and so on where one yes allowed several runs.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  readdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { ensureSafeDirectory, errnoOf, isIdentifier } from "../../broker/index.js";
import type { OutputStore } from "./capture.js";

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** So many outputs are kept, the newest: each may be large, and nothing else removes them. */
const mostKept = 20;

/** Keeps the output of the command that request `id` asked for. `home` is the directory the request was filed in. */
export function outputStore(home: string, id: string): OutputStore {
  return {
    create(stream) {
      // Checked before it becomes part of a path.
      if (!isIdentifier(id)) throw new TypeError("An output is kept under the id of a request.");
      const directory = join(home, "output");
      ensureSafeDirectory(directory);
      dropOldest(directory);
      const { path, file } = openNew(directory, id, stream);
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

/** More runs than this under one yes whose outputs all still lie there: somebody fills the directory on purpose. */
const mostNames = 1_000;

function openNew(
  directory: string,
  id: string,
  stream: string,
): { readonly path: string; readonly file: number } {
  for (let run = 1; ; run += 1) {
    const path = join(directory, run === 1 ? `${id}.${stream}` : `${id}.${run}.${stream}`);
    try {
      return { path, file: openSync(path, newFile, 0o600) };
    } catch (error) {
      if (errnoOf(error) !== "EEXIST" || run === mostNames) throw error;
    }
  }
}

/** Makes room for one more. */
function dropOldest(directory: string): void {
  const files = readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? [{ path, at: stats.mtimeMs }] : [];
  });
  files.sort((a, b) => b.at - a.at);
  for (const { path } of files.slice(mostKept - 1)) removeQuietly(path);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another server made the same room, or the disk fails: the command's output matters more.
  }
}

/** Written at once, on the thread: then memory stays bounded and the command waits for the disk, not the reverse. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
