/**
 * What stands under the paths of one call, each looked at once: its verdict then takes every path to lead to one place.
 * Invariant: what is said of a path is what the system itself would say of it, link by link.
 */
import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { landingOf, realPathOf } from "./path-look.js";
import type { PathLook } from "./path-place.js";

/** Looks for one call. Never throws. */
export interface CallLook extends PathLook {
  /** Where what is written to it comes to stand, also through links that lead nowhere yet; null where that cannot be told. */
  readonly landing: (path: string) => string | null;
  /** Does it stand there, links followed, for certain? */
  readonly isFound: (path: string) => boolean;
  /**
   * Is `path`, or any directory above it as it is written, the one at `directory`, under whatever names, links followed? What is
   * not there, or not ours to look at, is none.
   */
  readonly isWithin: (path: string, directory: string) => boolean;
}

/** What one look gives: null for what cannot be looked at. */
type Seen = Stats | "nothing" | null;

/** Begins with no path known. `lstat` is the system's; undefined says that nothing stands there. */
export function callLook(lstat: (path: string) => Stats | undefined = lstatOf): CallLook {
  const looks = new Map<string, Seen>();
  const reals = new Map<string, string | null>();

  function seen(path: string): Seen {
    const before = looks.get(path);
    if (before !== undefined) return before;
    let found: Seen;
    try {
      found = lstat(path) ?? "nothing";
    } catch {
      found = null;
    }
    looks.set(path, found);
    return found;
  }

  function real(path: string): string | null {
    const before = reals.get(path);
    if (before !== undefined) return before;
    if (isPlain(path)) return plainReal(path);
    const found = realPathOf(path);
    reals.set(path, found);
    return found;
  }

  /** Of a plain path, as all those above it are. */
  function plainReal(path: string): string | null {
    const before = reals.get(path);
    if (before !== undefined) return before;
    const found = path === "/" ? path : (stepped(path) ?? realPathOf(path));
    reals.set(path, found);
    return found;
  }

  /** As the system follows a path, one name after the other; null where it is a link, or more has to be known. */
  function stepped(path: string): string | null {
    const at = path.lastIndexOf("/");
    const parent = at === 0 ? "/" : path.slice(0, at);
    const above = plainReal(parent);
    if (above === null) return null;
    // Below what is not there nothing is.
    if (looks.get(parent) === "nothing") looks.set(path, "nothing");
    const stats = seen(path);
    if (stats === null || (stats !== "nothing" && stats.isSymbolicLink())) return null;
    return above === parent ? path : `${above === "/" ? "" : above}${path.slice(at)}`;
  }

  /** Links followed; null for what is not there, or is not ours to look at. */
  function identity(path: string): Pick<Stats, "dev" | "ino"> | null {
    const stats = seen(path);
    if (stats === "nothing" || stats === null) return null;
    return stats.isSymbolicLink() ? throughLink(path) : stats;
  }

  return {
    real,
    landing: (path) => real(path) ?? landingOf(path),
    isThere: (path) => seen(path) !== "nothing",
    isLink(path) {
      const stats = seen(path);
      return stats === null || (stats !== "nothing" && stats.isSymbolicLink());
    },
    hasOtherNames(path) {
      const stats = seen(path);
      return stats === null || (stats !== "nothing" && stats.isFile() && stats.nlink > 1);
    },
    isFound: (path) => identity(path) !== null,
    isWithin(path, directory) {
      const own = identity(directory);
      // Written out where it can be: dirname looks at each character.
      const above = isPlain(path) ? plainParentOf : dirname;
      for (let one = path; own !== null; one = above(one)) {
        const found = identity(one);
        const isAlike = found !== null && found.ino === own.ino && found.dev === own.dev;
        if (isAlike && (isSafe(own) || isSameExactly(one, directory))) return true;
        if (one === above(one)) return false;
      }
      return false;
    },
  };
}

function lstatOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Elsewhere the real path is written as the names stand on the disk, in their own case: the system alone knows those. */
const areNamesAsWritten = process.platform === "linux";
/** Of a longer one, in bytes, the system says nothing. */
const longestPlain = 4_095;
const plainPath = /^\/(?:(?!\.{1,2}(?:\/|$))[^/\0]+(?:\/(?!$)|$))*$/;

/** Is it absolute, without `.`, `..` and empty names? */
function isPlain(path: string): boolean {
  return areNamesAsWritten && isShort(path) && plainPath.test(path);
}

/** A character is up to three bytes for each of its units. */
function isShort(path: string): boolean {
  return path.length <= longestPlain / 3 || Buffer.byteLength(path) <= longestPlain;
}

function plainParentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function throughLink(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // What is not ours to look at is no directory that we know.
    return null;
  }
}

/** Beyond these a number stands for several. */
function isSafe({ dev, ino }: Pick<Stats, "dev" | "ino">): boolean {
  return Number.isSafeInteger(dev) && Number.isSafeInteger(ino);
}

function isSameExactly(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    // It changed while it was looked at; before that they were the same, as far as could be told.
    return true;
  }
}
