/** Files of this machine that the arguments of a call name: which of them no call may reach, and what a call does to them. */
import { lstatSync, statSync } from "node:fs";
import { dirname, isAbsolute, resolve, sep } from "node:path";
import { errnoOf } from "../../request/errors.js";
import { realPathOf } from "../path-look.js";

/** Where files are, for what a call names. */
export interface FileSurroundings {
  /** The path of the home of wisp. */
  readonly home: string;
  readonly homeDirectory: string;
  /** Where the server works. */
  readonly directory: string;
  /** Directories that the server was started for: absolute paths. */
  readonly roots: readonly string[];
  /** Does the server see the files of this machine, under the same paths? In a container it does not. */
  readonly areFilesHere: boolean;
}

/** Names of directories that hold what runs, or who may come in. */
const guardedNames = new Set([".git", ".ssh"]);

/** The place in `path` that no call reaches, in words; null where there is none. What is no text names no file. */
export function guardedPlaceOf(path: unknown, around: FileSurroundings): string | null {
  if (typeof path !== "string") return null;
  const whole = expanded(path, around);
  // Where a relative one starts is for the server to say: at any of these.
  const written = [around.directory, ...around.roots].map((start) => resolve(start, whole));
  const meant = [...written, ...written.map(realPathOf)].filter((one) => one !== null);
  const found = [path, ...meant].flatMap(namesIn).find((name) => guardedNames.has(name));
  if (found !== undefined) return found;
  const homes = [around.home, realPathOf(around.home)].filter((home) => home !== null);
  const isOurs = meant.some((one) => homes.some((home) => isBelow(one, home)));
  return isOurs ? "the home of wisp" : null;
}

/** On many disks `.GIT` is the same directory, and a dot or blank at the end is dropped. */
function namesIn(path: string): readonly string[] {
  return path.split(/[/\\]/).map((name) => name.toLowerCase().replace(/[. ]+$/, ""));
}

/** May something that is not empty stand there? What cannot be told counts as that it does. */
export function mayReplace(path: unknown, around: FileSurroundings): boolean {
  const file = absoluteOf(path, around);
  if (file === null) return true;
  try {
    return statSync(file).size > 0;
  } catch (error) {
    return errnoOf(error) !== "ENOENT" || isLink(file);
  }
}

/** Are the two below different directories of the first level? What cannot be told counts as that they are. */
export function crossesTop(from: unknown, to: unknown, around: FileSurroundings): boolean {
  const [source, target] = [absoluteOf(from, around), absoluteOf(to, around)];
  return source === null || target === null || topOf(source, around) !== topOf(target, around);
}

/** Below a root the directory there, or the root for what stands in it; elsewhere the directory of the file. */
function topOf(path: string, { roots }: FileSurroundings): string {
  const real = realPathOf(path) ?? path;
  const all = roots.map((root) => realPathOf(root) ?? root).filter((root) => isBelow(real, root));
  const [root] = all.sort((a, b) => b.length - a.length);
  if (root === undefined) return dirname(real);
  const rest = real
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== "");
  return rest.length > 1 ? `${root}${sep}${rest[0]}` : root;
}

/** Null for what is no path, or which only the server knows from where it starts. */
function absoluteOf(path: unknown, around: FileSurroundings): string | null {
  if (!around.areFilesHere || typeof path !== "string" || path.includes("\0")) return null;
  const whole = expanded(path, around);
  return isAbsolute(whole) ? resolve(whole) : null;
}

function expanded(path: string, { homeDirectory }: FileSurroundings): string {
  return path === "~" || path.startsWith("~/") ? `${homeDirectory}${path.slice(1)}` : path;
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
