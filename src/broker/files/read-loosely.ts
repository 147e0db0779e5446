/**
 * Files of other programs, whose owner, mode and place are none of our business: nothing is decided by what they say.
 * Opened once and without blocking, and only so much of it is read.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** The bytes of the regular file at `path`, which a link may lead to; null where there is none of at most `most` bytes. */
export function readLoosely(path: string, most: number): Uint8Array | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // It is not there, or not ours to read: both are nothing that can be told of it.
    return null;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > most) return null;
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
