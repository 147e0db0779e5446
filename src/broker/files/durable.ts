/** Lines and names that outlive a crash of the machine. */
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { WispError } from "../request/errors.js";
import { shellQuoted } from "../request/shell-quote.js";

const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * Appends `lines` (each ending in a newline) to the private file `path`, made with mode 0600 where it is missing.
 * The write itself happens before the first await, so the order of calls is the order in the file; with
 * `isDurable` the data and, for a new file, its name are on disk when the promise resolves. Rejects with the
 * system error, or with audit_unavailable for a file that is not a private regular file of ours.
 */
export async function appendLines(path: string, lines: string, isDurable: boolean): Promise<void> {
  const file = openSync(path, appending, 0o600);
  try {
    const stats = fstatSync(file);
    refuseForeignFile(path, stats.isFile(), stats.uid, stats.mode);
    if ((stats.mode & 0o600) !== 0o600) fchmodSync(file, 0o600);
    const bytes = Buffer.from(isTorn(file, stats.size) ? `\n${lines}` : lines, "utf8");
    // One write for all lines: with O_APPEND the lines of several processes never mix.
    if (writeSync(file, bytes) !== bytes.length)
      throw new Error(`The disk took only a part of a line of ${path}.`);
    if (isDurable) await synced(file, fdatasync);
    // Lines on disk are lost all the same while the name of their file is not.
    if (stats.size === 0) await syncDirectory(dirname(path));
  } finally {
    closeSync(file);
  }
}

/**
 * Resolves when `sync` has put the open `file` on disk; rejects with the system error. Not `promisify`: every command
 * would load `node:util` for it.
 */
export function synced(file: number, sync: typeof fsync | typeof fdatasync): Promise<void> {
  return new Promise((resolve, reject) => {
    sync(file, (error) => (error ? reject(error) : resolve()));
  });
}

/** Puts the names in `path` on disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await synced(directory, fsync);
  } finally {
    closeSync(directory);
  }
}

/** The same for what is rare and must not be interrupted: nothing else runs meanwhile. */
export function syncDirectoryNow(path: string): void {
  const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function refuseForeignFile(path: string, isFile: boolean, uid: number, mode: number): void {
  const own = process.geteuid?.();
  const isPrivate = isFile && (own === undefined || uid === own) && (mode & 0o077) === 0;
  if (isPrivate) return;
  throw new WispError("audit_unavailable", `${path} is not a private file of yours.`, {
    fix: isFile ? `chmod 600 ${shellQuoted(path)}` : `Move ${shellQuoted(path)} away.`,
  });
}

/** A crash in the middle of a line must not swallow the next one. */
function isTorn(file: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}
