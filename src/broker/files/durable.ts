/** Lines and names that outlive a crash of the machine. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  type fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { WispError } from "../request/errors.js";
import { shellQuoted } from "../request/shell-quote.js";

const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** A file that is open for appending. Whoever opened it closes it. */
export interface Appended {
  readonly file: number;
  readonly stats: BigIntStats;
}

/**
 * Opens the private file `path` for reading and appending, made with mode 0600 where it is missing. Throws the system
 * error, or audit_unavailable for a file that is not a private regular file of ours.
 */
export function openAppending(path: string): Appended {
  const file = openSync(path, appending, 0o600);
  try {
    const stats = fstatSync(file, { bigint: true });
    refuseForeignFile(path, stats);
    if ((stats.mode & 0o600n) === 0o600n) return { file, stats };
    fchmodSync(file, 0o600);
    return { file, stats: fstatSync(file, { bigint: true }) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Appends `text` whole, or nothing of it. Throws the system error. */
export function appendWhole(file: number, size: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  try {
    // One write: whoever reads meanwhile sees it whole or not at all.
    if (writeSync(file, bytes) === bytes.length) return;
  } catch (error) {
    cutTo(file, size);
    throw error;
  }
  cutTo(file, size);
  throw new Error("The disk took only a part of a line.");
}

function cutTo(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
  } catch {
    // What stays behind the last newline is cut off by whoever writes next.
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

function refuseForeignFile(path: string, stats: BigIntStats): void {
  const own = process.geteuid?.();
  const isOwn = own === undefined || stats.uid === BigInt(own);
  if (stats.isFile() && isOwn && (stats.mode & 0o077n) === 0n) return;
  throw new WispError("audit_unavailable", `${path} is not a private file of yours.`, {
    fix: stats.isFile() ? `chmod 600 ${shellQuoted(path)}` : `Move ${shellQuoted(path)} away.`,
  });
}
