/** The file of a program, as far as a yes for longer than a connection depends on it. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isBelow } from "./path-place.js";

/** What is known of a file beside its path; all numbers as decimal text, times in nanoseconds. */
export interface ProgramState {
  readonly device: string;
  readonly inode: string;
  readonly size: string | number;
  readonly mtime: string;
  /** When anything of the file last changed: nobody can set this time. */
  readonly changedAt: string;
}

/** It in one text: another file, and one that was edited or made to look as before, has another. */
export function programIdentity({ device, inode, size, mtime, changedAt }: ProgramState): string {
  return `device ${device} inode ${inode} size ${size} mtime ${mtime} ctime ${changedAt}`;
}

/** What is put there is the machine's, not the agent's, also where the account may write it. */
const systemPlaces = "/bin /sbin /usr /opt /nix/store /gnu/store /snap /System /Library /Applications".split(
  " ",
);

/**
 * May whoever works in `directory` change what the program does? So it is where it lies there or below, and where this
 * account may write it, or put another in its place, outside of the system's directories. What cannot be looked at is so.
 */
export function isProgramOpen(path: string, directory: string): boolean {
  try {
    const real = realpathSync.native(path);
    if (isBelow(path, directory) || isBelow(real, realpathSync.native(directory))) return true;
    if (systemPlaces.some((place) => isBelow(real, place))) return false;
    // Whoever owns it can make it writable.
    return statSync(real).uid === process.geteuid?.() || [real, dirname(real)].some(mayWrite);
  } catch {
    return true;
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
