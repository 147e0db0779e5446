/**
 * Directories that only their owner can enter. Invariant: no function here or above puts a private file into a
 * directory that was not judged first; modes are never widened.
 */
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { errnoOf, WispError } from "../request/errors.js";
import { shellQuoted } from "../request/shell-quote.js";

/** Makes `path` with mode 0700 in one call where it is missing, then judges it. Its parent must exist. */
export function ensureSafeDirectory(path: string): void {
  if (lstatOf(path) === null) makeDirectory(path);
  judgeDirectory(path);
}

/**
 * Throws channel_unsafe when `path` is a link, no directory, another owner's, open to group or others, below a
 * parent that others can write, or on a network file system; channel_unavailable when it is missing.
 */
export function judgeDirectory(path: string, fileSystemOf: (path: string) => number = typeOf): void {
  const stats = lstatOf(path);
  if (stats === null)
    throw new WispError("channel_unavailable", `${path} does not exist.`, { details: { path } });
  if (stats.isSymbolicLink()) throw unsafe(path, "is a symbolic link", `rm ${shellQuoted(path)}`);
  if (!stats.isDirectory())
    throw unsafe(path, "is not a directory", `mv ${shellQuoted(path)} ${shellQuoted(`${path}.old`)}`);
  const uid = process.geteuid?.();
  if (uid !== undefined && stats.uid !== uid) {
    throw unsafe(
      path,
      `belongs to user ${stats.uid}, not to you (${uid})`,
      `sudo chown -R ${uid} ${shellQuoted(path)}`,
    );
  }
  if ((stats.mode & 0o700) !== 0o700) {
    throw unsafe(path, `is closed to its owner (mode ${octal(stats)})`, `chmod 700 ${shellQuoted(path)}`);
  }
  if ((stats.mode & 0o077) !== 0)
    throw unsafe(path, `${openTo(stats)} (mode ${octal(stats)})`, `chmod 700 ${shellQuoted(path)}`);
  judgeParent(path, uid);
  judgeFileSystem(path, fileSystemOf);
}

/** The same for one that may not be made yet: false where nothing stands. */
export function judgeIfMade(path: string): boolean {
  if (lstatOf(path) === null) return false;
  judgeDirectory(path);
  return true;
}

/**
 * Judges where `path`, which is missing, is to be made: throws channel_unavailable when its parent is missing, no
 * directory, or not ours to write; channel_unsafe as `judgeDirectory` does for the parent.
 */
export function judgePlaceOf(path: string): void {
  const parent = dirname(path);
  try {
    if (!statSync(parent).isDirectory()) throw noPlace(path, `${parent} is not a directory`);
    accessSync(parent, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof WispError) throw error;
    const errno = errnoOf(error);
    throw noPlace(path, errno === "ENOENT" ? `${parent} does not exist` : `${parent}: ${errno}`);
  }
  judgeParent(path, process.geteuid?.());
  judgeFileSystem(parent, typeOf);
}

function noPlace(path: string, why: string): WispError {
  return new WispError("channel_unavailable", `${path} cannot be made: ${why}.`, {
    fix: "Make its parent directory, or set WISP_HOME to another path.",
    details: { path },
  });
}

/** Numbers of network file systems in `statfs`: neither their links nor their change events can be relied on. */
const networkFileSystems = new Map<number, string>([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x5346414f, "AFS"],
  [0x73757245, "Coda"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
]);

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Losing the race to make it is not an error: whoever made it is judged next.
    if (errnoOf(error) === "EEXIST") return;
    throw new WispError("channel_unavailable", `Cannot make the directory ${path} (${errnoOf(error)}).`, {
      cause: error,
      details: { path },
    });
  }
  // A strict umask can take away the owner's own bits; only those are repaired, and only on what was just made.
  const made = lstatOf(path);
  if (made?.isDirectory() === true && (made.mode & 0o700) !== 0o700) chmodSync(path, 0o700);
}

function judgeParent(path: string, uid: number | undefined): void {
  const parent = dirname(path);
  // Links are followed here: a home directory may be reached through one, and what matters is who can write there.
  const stats = statSync(parent);
  const isSticky = (stats.mode & 0o1000) !== 0;
  if ((stats.mode & 0o022) !== 0 && !isSticky) {
    throw unsafe(
      parent,
      `${openTo(stats)}, so others could replace ${path}`,
      `chmod go-w ${shellQuoted(parent)}`,
    );
  }
  if (uid !== undefined && uid !== 0 && stats.uid !== uid && stats.uid !== 0) {
    throw unsafe(
      parent,
      `belongs to user ${stats.uid}, who could replace ${path}`,
      "set WISP_HOME to a directory of yours",
    );
  }
}

/** The kernel's number of the file system; 0 where the numbers mean something else. */
function typeOf(path: string): number {
  return process.platform === "linux" ? statfsSync(path).type : 0;
}

function judgeFileSystem(path: string, fileSystemOf: (path: string) => number): void {
  const name = networkFileSystems.get(fileSystemOf(path));
  if (name !== undefined) {
    throw unsafe(
      path,
      `is on a network file system (${name})`,
      "set WISP_HOME to a directory on a local disk",
    );
  }
}

function lstatOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return null;
    throw new WispError("channel_unavailable", `Cannot look at ${path} (${errno}).`, {
      cause: error,
      details: { path },
    });
  }
}

function unsafe(path: string, what: string, fix: string): WispError {
  return new WispError("channel_unsafe", `${path} ${what}.`, {
    why: "Somebody else could read or replace what waits there, so nothing is asked through it.",
    fix,
    details: { path },
  });
}

function openTo(stats: Stats): string {
  return (stats.mode & 0o007) !== 0 ? "is open to other users" : "is open to its group";
}

function octal(stats: Stats): string {
  return (stats.mode & 0o7777).toString(8).padStart(4, "0");
}
