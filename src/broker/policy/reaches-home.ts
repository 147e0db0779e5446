/**
 * Does a call get at the home of wisp? By any word that may be a path: as it is written, where links lead it, what a glob in
 * it may stand for, from the directory of the call and from any other that the call names. It errs towards asking.
 */
import { dirname, resolve } from "node:path";
import type { PathLook } from "./path-place.js";
import { nameOf } from "./programs.js";
import { isGlob, isStandingFor } from "./shell-glob.js";

/** The places of the person that are guarded. */
export interface Guarded {
  /** The path of the home of wisp. */
  readonly home: string;
  readonly homeDirectory: string;
}

/** Where the call works. */
export interface CallPlace {
  readonly directory: string;
  readonly look: PathLook;
}

/** What a call says that may name files. */
export interface Said {
  /** The words of each command, joined by blanks, or texts among the arguments of a tool: paths may stand anywhere in them. */
  readonly texts: readonly string[];
  /** The words themselves, and these texts: each may be a path with blanks and signs in it, that no shell takes apart. */
  readonly wholes: readonly string[];
}

/** Judges a call by what it says. */
export function reachesHome(
  { texts, wholes }: Said,
  { directory, look }: CallPlace,
  guarded: Guarded,
): boolean {
  const home = homeOf(guarded, look);
  if (home.holds(look.real(directory) ?? directory)) return true;
  const isHereAbove = home.isBelow(directory);
  const known = new Map<string, readonly string[]>();
  const bases = new Set([directory]);
  const parted: Reading = { words: new Set(), leads, isBelow: home.isBelow, holds: home.holds };
  const whole: Reading = {
    ...{ words: new Set(), leads: leadsAsItStands },
    ...{ isBelow: home.isBelowExactly, holds: home.holdsExactly },
  };
  for (const text of texts) {
    if (text.includes("WISP_HOME")) return true;
    const expanded = withHome(text, guarded);
    if (home.isNamedIn(expanded)) return true;
    const isAbove = isOneAbove(pathsIn(expanded), parted);
    if (parted.words.size > mostLookedAt) return true;
    if ((isAbove || (isHereAbove && isWithoutOperand(expanded))) && isRecursive(expanded)) return true;
  }
  const all = texts.join(" ");
  let addresses = 0;
  for (const word of wholes) {
    addresses += word.match(/file:/gi)?.length ?? 0;
    if (addresses > mostAddresses) return true;
    // Not everybody reads a ~ as the home.
    const forms = new Set([word, withHome(word, guarded)]);
    const isAbove = isOneAbove([...forms].flatMap(wholePathsIn), whole);
    if (whole.words.size > mostLookedAt) return true;
    if (isAbove && isRecursive(all)) return true;
  }
  for (const base of bases) {
    for (const reading of [parted, whole]) {
      for (const word of reading.words) if (reading.leads(word, base).some(reading.holds)) return true;
    }
  }
  return false;

  /** Does one of `some` name a directory above the home? Then others may start there. Keeps all of them. */
  function isOneAbove(some: readonly string[], { words, leads, isBelow }: Reading): boolean {
    let isAbove = false;
    for (const word of some) {
      words.add(word);
      if (words.size > mostLookedAt) return isAbove;
      for (const path of leads(word, directory)) {
        if (!isBelow(path)) continue;
        bases.add(path);
        isAbove = true;
      }
    }
    return isAbove;
  }

  /** Of a glob the directories before it: what stands for it lies there. */
  function realOf(path: string): string | null {
    const at = path.search(/[*?[]/);
    if (at === -1) return realIn(path, look);
    const end = path.lastIndexOf("/", at);
    const above = realIn(path.slice(0, end) || "/", look);
    return above === null ? null : resolve(above, path.slice(end + 1));
  }

  /** As it reads, and where it really is, by either reading of a `..` in it. */
  function leads(word: string, base: string): readonly string[] {
    return ledTo(word.startsWith("/") ? word : `${base}/${word}`, "", realOf);
  }

  function leadsAsItStands(word: string, base: string): readonly string[] {
    if (word.startsWith("/")) return ledTo(word, "\0", (path) => realIn(path, look));
    const written = `${base}/${word}`;
    // Below what is not there nothing is, but by the names; and most of a text is no path.
    const isNowhere = !isFirstThere(word, base);
    if (isNowhere && !word.includes("..")) return [written];
    return ledTo(written, "\0", (path) => (isNowhere && path === written ? null : realIn(path, look)));
  }

  function isFirstThere(word: string, base: string): boolean {
    const end = word.indexOf("/");
    const first = end === -1 ? word : word.slice(0, end);
    return first.length <= longestName && look.isThere(`${base}/${first}`);
  }

  function ledTo(path: string, how: string, real: (path: string) => string | null): readonly string[] {
    const key = `${path}${how}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const read = isWrittenOut.test(path) ? path : resolve(path);
    // The system goes up from where a link leads; who writes the path out first goes up by its names.
    const ways = path === read ? [path] : [path, read];
    const found = [...new Set([read, ...ways.flatMap((way) => (mayBeThere(way) ? (real(way) ?? []) : []))])];
    known.set(key, found);
    return found;
  }
}

/** No `.`, `..` and empty name is in it, and no slash at its end. */
const isWrittenOut = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/;

/** Words, and where each of them leads from a directory. */
interface Reading {
  readonly words: Set<string>;
  readonly leads: (word: string, base: string) => readonly string[];
  readonly isBelow: (path: string) => boolean;
  readonly holds: (path: string) => boolean;
}

/** No system finds a longer one. In characters, each of which is a byte or more. */
const longestPath = 4_096;
const longestName = 255;

function mayBeThere(path: string): boolean {
  return path.length <= longestPath && path.split("/").every((name) => name.length <= longestName);
}

function withHome(text: string, { homeDirectory }: Guarded): string {
  if (!text.includes("~") && !text.includes("$")) return text;
  return text.replace(/(?<![^\s='"@])(?:~|\$HOME|\$\{HOME\})(?=\/|$|\s)/g, () => homeDirectory);
}

/** A command that is meant well names fewer; of one that names more, nobody has looked at the rest. */
const mostLookedAt = 8_192;
/** The same of addresses of files, each of which is decoded. */
const mostAddresses = 64;

/** Words that may be paths, and what stands behind a sign or an option within them. */
function pathsIn(text: string): readonly string[] {
  if (plainWord.test(text)) return [text];
  const words = text.split(partingSigns).filter((word) => word !== "");
  return words.flatMap((word) => {
    if (!word.startsWith("-")) return [word];
    const joined = /^-[A-Za-z](.+)$/.exec(word)?.[1];
    return joined === undefined ? [] : [joined];
  });
}

/**
 * What of a word may be a path that `pathsIn` takes apart: all of it, and what stands behind an option or a sign. As an address
 * of a file it is read as such.
 */
function wholePathsIn(word: string): readonly string[] {
  if (plainWord.test(word)) return [];
  const from = Math.max(0, word.length - longestPath);
  const behind = [...word.slice(from).matchAll(partingSigns)].map(({ index }) => from + index + 1);
  const starts = new Set([0, ...(word.startsWith("-") ? [2] : []), ...behind]);
  const paths = [...starts].map((start) => word.slice(start)).filter((path) => path !== "");
  return [...paths.filter(isPathLike), ...filesAddressedIn(word)];
}

/** Most of what stands behind a sign in a text of some length is too long to be the name of anything. */
function isPathLike(text: string): boolean {
  return text.length <= longestName || (text.length <= longestPath && text.includes("/"));
}

/** What parts words, and paths within them. */
const partingSigns = /[\s'"=:;&|<>()@,]/g;

function filesAddressedIn(word: string): readonly string[] {
  return [...word.matchAll(/file:(?:\/\/[^/]*)?(?=\/)/gi)].flatMap(({ index, 0: { length } }) => {
    const path = word.slice(index + length, index + length + 3 * longestPath);
    const decoded = [path, path.replace(/[?#].*$/s, "")].map((one) =>
      one.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
        Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
      ),
    );
    return decoded.filter((one) => one.length <= longestPath);
  });
}

/** Nothing in it parts one word from the next, or begins an option. */
const plainWord = /^[\w./][\w./-]*$/;

interface GuardedHome {
  /** Is it the home, or in it, as far as a glob in it may stand for that? */
  holds(path: string): boolean;
  /** Is the home somewhere below it? */
  isBelow(path: string): boolean;
  /** The same of a path in which no sign stands for anything else. */
  holdsExactly(path: string): boolean;
  isBelowExactly(path: string): boolean;
  /** Does it stand in `text` as a whole path, or the beginning of one? */
  isNamedIn(text: string): boolean;
}

/** By each of its names: as it was given, where it really is, and where it is for whoever gives none. */
function homeOf({ home, homeDirectory }: Guarded, look: PathLook): GuardedHome {
  const standard = `${homeDirectory === "/" ? "" : homeDirectory}/.wisp`;
  const given = home === standard ? [home] : [home, standard];
  const names = [...new Set(given.flatMap((one) => [one, look.real(one) ?? one]))];
  const holdsExactly = (path: string): boolean =>
    names.some((name) => path === name || path.startsWith(`${name}/`));
  const isBelowExactly = (path: string): boolean =>
    path === "/" || names.some((name) => name.startsWith(`${path}/`));
  return {
    holdsExactly,
    isBelowExactly,
    holds: (path) =>
      isGlob(path)
        ? names.some((name) => isOnTheWay(path, name) && !isShorter(path, name))
        : holdsExactly(path),
    isBelow: (path) =>
      isGlob(path)
        ? names.some((name) => isOnTheWay(path, name) && isShorter(path, name))
        : isBelowExactly(path),
    isNamedIn: (text) => names.some((name) => stands(text, name)),
  };
}

function partsOf(path: string): readonly string[] {
  return path === "/" ? [""] : path.split("/");
}

function isShorter(path: string, name: string): boolean {
  return partsOf(path).length < partsOf(name).length;
}

/** Do `path` and the home agree as far as the shorter of them goes? */
function isOnTheWay(path: string, name: string): boolean {
  const others = partsOf(name);
  return partsOf(path).every((part, index) => {
    const other = others[index];
    return other === undefined || part === other || (isGlob(part) && isStandingFor(part, other));
  });
}

function stands(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    if (!/[A-Za-z0-9_.-]/.test(text.charAt(at + path.length))) return true;
  }
  return false;
}

/** Programs that go down into a directory which they are given, or hand it on whole. */
const goingDown = new Set(
  (
    "tar bsdtar find fd fdfind rsync zip 7z 7za 7zz rg ag ack du tree scp mv ln docker podman nerdctl unshare bwrap chroot " +
    "ditto rclone jar zipfile tarfile pax borg restic aws mksquashfs mkisofs genisoimage xorriso"
  ).split(" "),
);

function isRecursive(text: string): boolean {
  const words = text.split(/\s+/);
  return words.some(
    (word) => goingDown.has(nameOf(word)) || /^-[A-Za-z]*[rRa]|^--(?:recursive|archive|no-index)/.test(word),
  );
}

/** `rg x` and `find` go down where they are. */
function isWithoutOperand(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
  return words.length <= 2 && words.some((word) => goingDownHere.has(nameOf(word)));
}

const goingDownHere = new Set("find fd fdfind rg ag ack du tree grep egrep fgrep ls".split(" "));

/** Where `path` really is, links followed; null where that cannot be told. */
function realIn(path: string, look: PathLook): string | null {
  const above = dirname(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  // Mostly many stand in one directory, and a link is told from them by one look.
  if (name === "" || name === "." || name === ".." || look.isLink(path)) return look.real(path);
  const parent = look.real(above);
  return parent === null ? null : `${parent === "/" ? "" : parent}/${name}`;
}
