/**
 * What stands above directories, kept from one call to the next. A directory lies in one other alone, and takes the way up
 * with it wherever it is moved: of the same directory, to which no link leads, the same is above it.
 */
import type { Stats } from "node:fs";

/** Which file it is. */
export type Identity = Pick<Stats, "dev" | "ino" | "birthtimeMs">;

/** Directories that are neither a certain other one nor below it, under whatever names. */
export interface Aboves {
  /** Was that kept of `path`, to which no link leads, when it was `above`; and of `directory`, when that was `own`? */
  isKnownApart(path: string, above: Identity, directory: string, own: Identity): boolean;
  keepApart(path: string, above: Identity, directory: string, own: Identity): void;
}

/** More directories than calls work in. */
const mostKept = 1_000;

/** Nothing is kept yet. */
export function createAboves(): Aboves {
  const kept = new Map<string, { readonly above: Identity; readonly own: Identity }>();
  // No path holds a NUL.
  const keyOf = (path: string, directory: string): string => `${path}\0${directory}`;
  return {
    isKnownApart(path, above, directory, own) {
      const known = kept.get(keyOf(path, directory));
      return known !== undefined && isSame(known.above, above) && isSame(known.own, own);
    },
    keepApart(path, above, directory, own) {
      if (!isSafe(above) || !isSafe(own)) return;
      if (kept.size >= mostKept) kept.clear();
      kept.set(keyOf(path, directory), { above: identityOf(above), own: identityOf(own) });
    },
  };
}

/** Beyond these a number stands for several. */
export function isSafe({ dev, ino }: Pick<Stats, "dev" | "ino">): boolean {
  return Number.isSafeInteger(dev) && Number.isSafeInteger(ino);
}

function isSame(a: Identity, b: Identity): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.birthtimeMs === b.birthtimeMs;
}

function identityOf({ dev, ino, birthtimeMs }: Identity): Identity {
  return { dev, ino, birthtimeMs };
}
