/** Where paths lead on this machine. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { errnoOf } from "../request/errors.js";
import type { PathLook } from "./path-place.js";

/** Looks at the files themselves; never throws. */
export const pathLook: PathLook = { real: realPathOf, isThere, isLink, hasOtherNames };

/** The real path, links followed, also of what is not there yet; null where that cannot be told. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || isThere(path)) return null;
    return missingPathOf(isAbsolute(path) ? path : `${process.cwd()}/${path}`);
  }
}

/** Of what is not there: down from the root to the last that is, since below that there may be thousands of names. */
function missingPathOf(path: string): string | null {
  let there = 1;
  for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1)) {
    if (!isThere(path.slice(0, end))) break;
    there = end;
  }
  try {
    return join(realpathSync.native(path.slice(0, there)), path.slice(there));
  } catch {
    // A link that leads nowhere, or it changed while it was looked at, or is not ours to look at.
    return null;
  }
}

/** More links after one another are followed by no system. */
const mostLinks = 40;

/**
 * Where what is written to `path` comes to stand, also through links that lead nowhere yet; null where that cannot be told.
 */
export function landingOf(path: string, links = mostLinks): string | null {
  const real = realPathOf(path);
  if (real !== null) return real;
  try {
    const parent = dirname(path);
    const above = parent === path ? parent : landingOf(parent, links);
    if (above === null) return null;
    const written = join(above, basename(path));
    const stats = lstatSync(written, { throwIfNoEntry: false });
    if (stats === undefined) return written;
    if (!stats.isSymbolicLink() || links === 0) return null;
    return landingOf(resolve(above, readlinkSync(written)), links - 1);
  } catch {
    // It changed while it was looked at, or is not ours to look at.
    return null;
  }
}

/** A link that leads nowhere yet is there: what is written through it lands where it points. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What cannot be looked at may be there.
    return true;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    // What cannot be looked at may be one.
    return true;
  }
}

function hasOtherNames(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.nlink > 1;
  } catch {
    // What cannot be looked at may have any number of names.
    return true;
  }
}
