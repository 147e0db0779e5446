/**
 * What stands under the paths of one call, each looked at once: its verdict then takes every path to lead to one place.
 * Invariant: what is said of a path is what the system itself would say of it, link by link.
 */
import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Aboves, createAboves, type Identity, isSafe } from "./aboves.js";
import { landingOf, realPathOf } from "./path-look.js";
import type { PathLook } from "./path-place.js";

/** Looks for one call. Never throws. */
export interface CallLook extends PathLook {
  /** To be called first for a path that is mostly there: what stands above it is known then, too. */
  readonly follow: (path: string) => void;
  /** Where what is written to it comes to stand, also through links that lead nowhere yet; null where that cannot be told. */
  readonly landing: (path: string) => string | null;
  /** A link that leads nowhere is there, and what cannot be looked at may be. */
  readonly isThere: (path: string) => boolean;
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

/** What looks ask the system. */
export interface SystemLook {
  /** Undefined says that nothing stands there. Throws for what cannot be looked at. */
  readonly lstat: (path: string) => Stats | undefined;
  /** Where what is there leads; null for all else. */
  readonly real: (path: string) => string | null;
}

/** What the system of this machine says. */
export const systemLook: SystemLook = {
  lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
  real(path) {
    try {
      return realpathSync.native(path);
    } catch {
      // Nothing is there, or it is not ours to look at: name by name more can be told.
      return null;
    }
  },
};

/** Begins with no path known. */
export function callLook(system: SystemLook = systemLook): CallLook {
  return createCallLooks(system)();
}

/** Looks, each for one call. From one to the next nothing is known of a path but what `createAboves` keeps. */
export function createCallLooks(system: SystemLook = systemLook): () => CallLook {
  const aboves = createAboves();
  return () => lookOf(system, aboves);
}

function lookOf(system: SystemLook, aboves: Aboves): CallLook {
  const looks = new Map<string, Seen>();
  const reals = new Map<string, string | null>();
  /** Plain paths of which the system says that they lead to themselves, so that no link stands on them. */
  const straight: string[] = [];

  function seen(path: string): Seen {
    const before = looks.get(path);
    if (before !== undefined) return before;
    let found: Seen;
    try {
      found = system.lstat(path) ?? "nothing";
    } catch {
      found = null;
    }
    looks.set(path, found);
    return found;
  }

  /** Is it there, and is neither it nor what is above it a link? False also for what was not looked at. */
  function isStraight(path: string): boolean {
    if (path === "") return false;
    for (const one of straight) {
      if (one.startsWith(path) && (one.length === path.length || one.charCodeAt(path.length) === slash))
        return true;
    }
    return path === "/";
  }

  function real(path: string): string | null {
    if (isStraight(path)) return path;
    const before = reals.get(path);
    if (before !== undefined) return before;
    const found = isPlain(path) ? plainReal(path) : realPathOf(path);
    reals.set(path, found);
    return found;
  }

  /** Of a plain path, as all those above it are: mostly many stand in one directory, and each of them is one look then. */
  function plainReal(path: string): string | null {
    if (isStraight(path)) return path;
    const before = reals.get(path);
    if (before !== undefined) return before;
    const found = stepped(path) ?? realPathOf(path);
    reals.set(path, found);
    return found;
  }

  /** As the system follows a path: what is above it, and its own name; null where it is a link, or more has to be known. */
  function stepped(path: string): string | null {
    const parent = plainParentOf(path);
    const above = wholeReal(parent);
    if (above === null) return null;
    // Below what is not there nothing is.
    if (looks.get(parent) === "nothing") looks.set(path, "nothing");
    const stats = seen(path);
    if (stats === null || (stats !== "nothing" && stats.isSymbolicLink())) return null;
    return above === parent ? path : `${above === "/" ? "" : above}${path.slice(path.lastIndexOf("/"))}`;
  }

  /** One question for all of a plain path, and only where that is not answered name by name. */
  function wholeReal(path: string): string | null {
    if (isStraight(path)) return path;
    const before = reals.get(path);
    if (before !== undefined) return before;
    // What is not there is no answer to.
    const found = looks.get(path) === "nothing" ? null : system.real(path);
    if (found === path) {
      straight.push(path);
      return path;
    }
    const real = found ?? missing(path);
    reals.set(path, real);
    return real;
  }

  /** Of what is not there: name by name from the root, where nothing is below the first that is missing. */
  function missing(path: string): string | null {
    for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1)) {
      const above = path.slice(0, end);
      if (isStraight(above)) continue;
      const stats = seen(above);
      if (stats === null || (stats !== "nothing" && stats.isSymbolicLink())) return realPathOf(path);
      if (stats !== "nothing") continue;
      looks.set(path, "nothing");
      return path;
    }
    const stats = seen(path);
    return stats === "nothing" ? path : realPathOf(path);
  }

  /** Links followed; null for what is not there, or is not ours to look at. */
  function identity(path: string): Identity | null {
    const stats = seen(path);
    if (stats === "nothing" || stats === null) return null;
    return stats.isSymbolicLink() ? throughLink(path) : stats;
  }

  /** Is one of `path` and those above it the directory `own`, which stands at `directory`? */
  function isAbove(path: string, directory: string, own: Identity): boolean {
    // Written out where it can be: dirname looks at each character.
    const above = isPlain(path) ? plainParentOf : dirname;
    for (let one = path; ; one = above(one)) {
      const found = identity(one);
      const isAlike = found !== null && found.ino === own.ino && found.dev === own.dev;
      if (isAlike && (isSafe(own) || isSameExactly(one, directory))) return true;
      if (one === above(one)) return false;
    }
  }

  return {
    follow(path) {
      // Where that is known already, one look is left.
      if (isPlain(path) && !isStraight(plainParentOf(path))) wholeReal(path);
    },
    real,
    landing: (path) => real(path) ?? landingOf(path),
    isThere: (path) => isStraight(path) || seen(path) !== "nothing",
    isLink(path) {
      if (isStraight(path)) return false;
      const stats = seen(path);
      return stats === null || (stats !== "nothing" && stats.isSymbolicLink());
    },
    hasOtherNames(path) {
      const stats = seen(path);
      return stats === null || (stats !== "nothing" && stats.isFile() && stats.nlink > 1);
    },
    isFound: (path) => isStraight(path) || identity(path) !== null,
    isWithin(path, directory) {
      const own = identity(directory);
      if (own === null) return false;
      const parent = plainParentOf(path);
      const above = isStraight(path) && path !== "/" ? identity(parent) : null;
      if (above === null || !aboves.isKnownApart(parent, above, directory, own)) {
        if (isAbove(path, directory, own)) return true;
        if (above !== null) aboves.keepApart(parent, above, directory, own);
        return false;
      }
      const found = identity(path);
      return found !== null && found.ino === own.ino && found.dev === own.dev;
    },
  };
}

const slash = 0x2f;

/** Elsewhere the real path is written as the names stand on the disk, in their own case: the system alone knows those. */
const areNamesAsWritten = process.platform === "linux";
/** Of a longer one the system says nothing. In characters, each of which is up to four bytes. */
const longestPlain = 1_000;
const plainPath = /^\/(?:(?!\.{1,2}(?:\/|$))[^/\0]+(?:\/(?!$)|$))*$/;

/** Is it absolute, without `.`, `..` and empty names? */
function isPlain(path: string): boolean {
  return areNamesAsWritten && path.length <= longestPlain && plainPath.test(path);
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

function isSameExactly(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    // It changed while it was looked at; before that they were the same, as far as could be told.
    return true;
  }
}
