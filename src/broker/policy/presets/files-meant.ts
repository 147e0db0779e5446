/** Files of this machine that the arguments of a call name, and what a call does to them. */
import { statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { errnoOf } from "../../request/errors.js";
import { callLook } from "../call-look.js";
import { isThere, landingOf, realPathOf } from "../path-look.js";
import { isBelow } from "../path-place.js";

/** Where files are, for what a call names. */
export interface FileSurroundings {
  /** The path of the home of wisp. */
  readonly home: string;
  readonly homeDirectory: string;
  /** Where the server works. */
  readonly directory: string;
  /** Directories that its command names: absolute paths. Where it works is none of them, unless the command says so. */
  readonly roots: readonly string[];
  /** Does the server see the files of this machine, under the same paths? In a container it does not. */
  readonly areFilesHere: boolean;
}

/** May something that is not empty stand there? What cannot be told counts as that it does. */
export function mayReplace(path: unknown, around: FileSurroundings): boolean {
  const file = absoluteOf(path, around);
  if (file === null) return true;
  try {
    return statSync(file).size > 0;
  } catch (error) {
    return errnoOf(error) !== "ENOENT" || isThere(file);
  }
}

/** May a directory stand there? What cannot be told counts as that one does. */
export function mayHoldMore(path: unknown, around: FileSurroundings): boolean {
  const whole = absoluteOf(path, around);
  return whole === null || mayBeDirectory(whole);
}

/** Are the two below different directories of the first level? What cannot be told counts as that they are. */
export function crossesTop(from: unknown, to: unknown, around: FileSurroundings): boolean {
  const [source, target] = [absoluteOf(from, around), absoluteOf(to, around)];
  if (source === null || target === null) return true;
  const top = topOf(source, around);
  return top === null || top !== topOf(target, around);
}

/**
 * Below a root the directory there, or the root for a file that stands in it. Null for a root itself, and elsewhere: what is
 * of the first level there nobody says.
 */
function topOf(path: string, { roots }: FileSurroundings): string | null {
  const real = landingOf(path) ?? path;
  const all = realOnes(roots).filter((root) => isBelow(real, root));
  const [root] = all.sort((a, b) => b.length - a.length);
  if (root === undefined) return null;
  const [first, ...rest] = real
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== "");
  if (first === undefined) return null;
  // A directory of the first level is moved whole.
  return rest.length > 0 || mayBeDirectory(real) ? `${root}${sep}${first}` : root;
}

function realOnes(directories: readonly string[]): readonly string[] {
  return directories.map((directory) => realPathOf(directory) ?? directory);
}

/** Is it the directory that the server works in, or one that its command names? Of what cannot be told: no. */
export function isNamedPlace(path: unknown, around: FileSurroundings): boolean {
  if (!around.areFilesHere || typeof path !== "string" || path.includes("\0")) return false;
  const real = realPathOf(resolve(around.directory, expanded(path, around)));
  return [around.directory, ...around.roots].some((root) => real !== null && realPathOf(root) === real);
}

/** Is it one of the directories that the command names, or below one, by where it leads? Of what cannot be told: no. */
export function isBelowRoots(path: unknown, around: FileSurroundings, look = callLook()): boolean {
  if (typeof path !== "string" || path.includes("\0")) return false;
  const whole = expanded(path, around);
  if (!isAbsolute(whole)) return false;
  if (!around.areFilesHere) return around.roots.some((root) => isBelow(resolve(whole), root));
  const real = look.landing(resolve(whole));
  return real !== null && around.roots.some((root) => isBelow(real, look.real(root) ?? root));
}

/** Does only the server know what it means? It starts relative ones where it likes, and takes what is no text for who knows what. */
export function isRelativePath(path: unknown, around: FileSurroundings): boolean {
  return typeof path !== "string" || !isAbsolute(expanded(path, around));
}

/** The absolute path; null for what is no path, or which only the server knows from where it starts. */
export function absoluteOf(path: unknown, around: FileSurroundings): string | null {
  if (!around.areFilesHere || typeof path !== "string" || path.includes("\0")) return null;
  const whole = expanded(path, around);
  return isAbsolute(whole) ? resolve(whole) : null;
}

/** With the home directory for a `~`, as servers read it. */
export function expanded(path: string, { homeDirectory }: Pick<FileSurroundings, "homeDirectory">): string {
  return path === "~" || path.startsWith("~/") ? `${homeDirectory}${path.slice(1)}` : path;
}

function mayBeDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return errnoOf(error) !== "ENOENT";
  }
}
