/**
 * Places that no call reaches: what runs, who may come in, and the home of wisp. Invariant: as a path reads, and as it
 * leads, also where nothing is there yet.
 */
import { type Dirent, readdirSync } from "node:fs";
import { isAbsolute, join, parse, resolve, sep } from "node:path";
import { errnoOf } from "../../request/errors.js";
import { type CallLook, callLook } from "../call-look.js";
import { isBelow } from "../path-place.js";
import { absoluteOf, expanded, type FileSurroundings } from "./files-meant.js";

/** Names of directories that hold what runs, or who may come in. */
const guardedNames = new Set([".git", ".ssh"]);
/** What Windows calls them beside that, on its disks. */
const shortName = /^(git|ssh)~\d+$/;
const homeOfWisp = "the home of wisp";

/** What no call reaches. */
export interface Unreached {
  /** In words. */
  readonly place: string;
  /** What a caller that means well does instead: a sentence; null where there is nothing. */
  readonly instead: string | null;
}

/** The place in `path` that no call reaches, in words; null where there is none. What is no text names no file. */
export function guardedPlaceOf(path: unknown, around: FileSurroundings, look = callLook()): string | null {
  if (typeof path !== "string") return null;
  const meant = meantBy(path, around, look);
  for (const one of meant.includes(path) ? meant : [path, ...meant]) {
    const [found] = guardedNamesIn(one);
    if (found !== undefined) return found;
  }
  return meant.some((one) => isInHome(one, around, look)) ? homeOfWisp : null;
}

/**
 * Does a name in it stand for another entry of its directory, which is the same in normal form (Unicode's NFC) and not the
 * same characters? Some servers take that entry where the name itself is not there, and every look of ours sees nothing.
 */
export function isWrittenOtherwise(path: unknown, around: FileSurroundings, look = callLook()): boolean {
  const whole = absoluteOf(path, around);
  // What the system finds there is there by each of these names.
  if (whole === null || look.isFound(whole)) return false;
  let directory = parse(whole).root;
  for (const name of whole.slice(directory.length).split(sep)) {
    const next = join(directory, name);
    if (!look.isThere(next)) {
      const normal = name.normalize("NFC");
      const entries = entriesIn(directory);
      // In a directory that cannot be read nobody can say that it does not.
      return entries === null || entries.some((entry) => entry.name.normalize("NFC") === normal);
    }
    directory = next;
  }
  return false;
}

/** The same for a path whose whole tree the call takes elsewhere: what lies below it is taken along. */
export function guardedPlaceBelow(path: unknown, around: FileSurroundings, look = callLook()): string | null {
  if (typeof path !== "string") return null;
  const meant = meantBy(path, around, look);
  const isHolding = (place: string): boolean =>
    [place, look.real(place)].some((one) => one !== null && meant.some((tree) => isBelow(one, tree)));
  if (homesOf(around).some(isHolding)) return homeOfWisp;
  return isHolding(join(around.homeDirectory, ".ssh")) ? ".ssh" : null;
}

/** More is not looked through while somebody waits. */
const mostEntries = 5_000;

/** Does a `.git` or `.ssh` lie below it? What cannot be looked through to its end counts as that one does. */
export function holdsGuarded(path: unknown, around: FileSurroundings): boolean {
  const whole = absoluteOf(path, around);
  if (whole === null) return true;
  const open = [whole];
  let looked = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = entriesIn(next);
    if (entries === null) return true;
    looked += entries.length;
    if (looked > mostEntries) return true;
    for (const entry of entries) {
      if (guardedNamesIn(entry.name).length > 0) return true;
      if (entry.isDirectory()) open.push(join(next, entry.name));
    }
  }
  return false;
}

/** Null for a directory that cannot be read; none for what is no directory, or is not there. */
function entriesIn(path: string): readonly Dirent[] | null {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const errno = errnoOf(error);
    return errno === "ENOTDIR" || errno === "ENOENT" ? [] : null;
  }
}

/** As it is written and as it leads. Where a relative one starts is for the server to say: at any of these. */
function meantBy(path: string, around: FileSurroundings, look: CallLook): readonly string[] {
  const whole = expanded(path, around);
  if (isAbsolute(whole)) return waysTo(resolve(whole), look);
  const written = new Set([around.directory, ...around.roots].map((start) => resolve(start, whole)));
  return [...new Set([...written].flatMap((one) => waysTo(one, look)))];
}

function waysTo(path: string, look: CallLook): readonly string[] {
  const landing = look.landing(path);
  return landing === null || landing === path ? [path] : [path, landing];
}

/**
 * On many disks `.GIT` is the same directory, a dot or blank at the end is dropped, what follows a colon names a part of
 * the file, and signs that nobody sees do not count.
 */
function guardedNamesIn(path: string): readonly string[] {
  // Most paths: plain letters, and nothing that any of these names could be made of.
  if (isAscii.test(path) && !/git|ssh/i.test(path)) return [];
  return path.split(/[/\\]/).flatMap((name) => {
    const plain = name
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .toLowerCase()
      .replace(/:.*$/s, "")
      .replace(/[. ]+$/, "");
    if (guardedNames.has(plain)) return [plain];
    const [, long] = shortName.exec(plain) ?? [];
    return long === undefined ? [] : [`.${long}`];
  });
}

const isAscii = /^[\0-\x7f]*$/;

/** By its name, and as the same directory under another one: in other case, or as Windows shortens it. */
function isInHome(path: string, around: FileSurroundings, look: CallLook): boolean {
  return homesOf(around).some(
    (home) => isBelow(path, home) || isBelow(path, look.real(home) ?? home) || look.isWithin(path, home),
  );
}

/** Beside the one in use the usual one: what is kept there decides wherever no other is named. */
function homesOf({ home, homeDirectory }: FileSurroundings): readonly string[] {
  const usual = join(homeDirectory, ".wisp");
  return home === usual ? [home] : [home, usual];
}
