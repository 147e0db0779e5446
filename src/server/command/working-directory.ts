/**
 * The directory that a command runs in: where it really is, which one it is, and a hold on it. Invariant: what was judged
 * and shown is the directory that it runs in, whatever its names lead to by then.
 */
import { type BigIntStats, closeSync, constants, openSync, realpathSync, statSync } from "node:fs";
import { errnoOf } from "../../broker/index.js";

/** Device and inode as decimal text. */
export interface DirectoryIdentity {
  readonly device: string;
  readonly inode: string;
}

/** What `stats` say of which file it is. */
export function identityOf({ dev, ino }: BigIntStats): DirectoryIdentity {
  return { device: String(dev), inode: String(ino) };
}

/** Is it the same one? */
export function isSameIdentity(one: DirectoryIdentity, other: DirectoryIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}

/** Through no link any more: one that is turned later leads nowhere else. `path` is absolute; throws the system error. */
export function realDirectory(path: string): string {
  return realpathSync.native(path);
}

/** Does `path`, a real one, still lead through no link? */
export function isStillReal(path: string): boolean {
  try {
    return realDirectory(path) === path;
  } catch {
    // It is gone, or cannot be entered any more.
    return false;
  }
}

/** A directory to start a process in. */
export interface HeldDirectory {
  /** Where a process that this one starts finds it. */
  readonly path: string;
  /** A second time it does nothing. */
  readonly release: () => void;
}

/**
 * Holds the directory at `path` open, so that a process started in it is in that one and in none that has taken its name
 * since. By its name alone where the system shows no descriptors as files, where this account may enter and not list it, and
 * where another one is there by now: whoever looks at it after this sees that.
 */
export function holdDirectory(path: string, identity: DirectoryIdentity): HeldDirectory {
  let file = opened(path);
  const release = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const held = `/proc/self/fd/${file}`;
  if (file !== null && isAt(held, identity)) return { path: held, release };
  release();
  return { path, release };
}

function opened(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function isAt(path: string, identity: DirectoryIdentity): boolean {
  try {
    return isSameIdentity(identityOf(statSync(path, { bigint: true })), identity);
  } catch {
    // There is no such place here, or this account may not look at it.
    return false;
  }
}
