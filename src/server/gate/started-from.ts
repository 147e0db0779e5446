/**
 * Does what a command starts depend on the directory that it is started in? A repository that somebody else wrote may hold
 * another program under the same words. Invariant: it does, unless the words and what lies there rule it out.
 */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { mayReplace, projectsAround } from "./around-npm.js";
import { behind, npmWord } from "./presets/npm-word.js";
import { programName, readingThere } from "./reading-there.js";

/** Both are absolute; `home` is the person's. */
export interface StartedFrom {
  readonly directory: string;
  readonly home: string;
}

/** `found` is the path of the program, null where there is none. Looks at names, and at what packages say of themselves. */
export function dependsOnDirectory(
  [program = "", ...rest]: readonly string[],
  found: string | null,
  { directory, home }: StartedFrom,
): boolean {
  if (found !== null && isChosenThere(found)) return true;
  const isReplaced = fetching.get(basename(program));
  if (isReplaced === undefined) return !isOwn([program, ...rest]);
  const isHere = (word: string): boolean =>
    partsOf(word).some((part) => existsSync(resolve(directory, part)));
  const isStarting = (word: string): boolean => readingThere.has(programName(word.replace(/(?<=.)@.*$/, "")));
  if (rest.some((word) => isStarting(word) || (!isFixed(word) && isHere(word)))) return true;
  return isReplaced(rest, directory, home);
}

/** Tools that keep several versions put a program there which looks into the directory for the one to start. */
function isChosenThere(path: string): boolean {
  return basename(dirname(path)) === "shims" || path.split("/").includes(".volta");
}

/**
 * A server by itself, which is handed no file that it might start. What is known to start such a file is as much as that file,
 * where it is told so by an absolute path and by options that name nothing else.
 */
function isOwn([program = "", ...words]: readonly string[]): boolean {
  const name = programName(program);
  if (isAbsolute(program) && isChosenThere(program)) return false;
  const harmless = starting.get(name);
  if (harmless !== undefined) {
    const at = words.findIndex((word) => !harmless.has(word));
    return isAbsolute(words[at] ?? "") && isOwn(words.slice(at));
  }
  const isServer = isAbsolute(program) || /^mcp-|-mcp(?:-|$)/.test(name);
  return isServer && !readingThere.has(name) && words.every((word) => isFixed(word) && !isFile(word));
}

/** What is not there starts nothing. */
function isFile(word: string): boolean {
  if (!isAbsolute(word)) return false;
  try {
    return statSync(word, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return true;
  }
}

/** They start the file that stands first in their words, and these options change nothing of what. */
const starting: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "node",
    new Set([
      ...["--no-warnings", "--no-deprecation", "--enable-source-maps"],
      ...["--trace-warnings", "--trace-uncaught"],
      ...["--trace-deprecation", "--expose-gc", "--experimental-strip-types", "--use-system-ca"],
    ]),
  ],
  ["python", new Set(["-u", "-I", "-E", "-s", "-S", "-B", "-O", "-q", "-P"])],
  ["java", new Set(["-jar"])],
  ...["ruby", "perl"].map((name) => [name, new Set(["-w"])] as const),
  ...["sh", "bash", "dash"].map((name) => [name, new Set(["-e", "-u"])] as const),
  ...["php", "env", "nice", "nohup", "setsid", "sudo"].map((name) => [name, new Set<string>()] as const),
]);

/** The same wherever it is read: an absolute path, or the name of an option with nothing behind it. */
function isFixed(word: string): boolean {
  return isAbsolute(word) || /^(?:-[A-Za-z]|--[A-Za-z][A-Za-z-]*)$/.test(word);
}

/** What may be a path in it. */
function partsOf(word: string): readonly string[] {
  return [word, ...word.split(/[=@:\s]+/)].filter((part) => part !== "");
}

type IsReplaced = (words: readonly string[], directory: string, home: string) => boolean;

/** Programs that fetch the package they start by its name, and whether something there would be started instead. */
const fetching: ReadonlyMap<string, IsReplaced> = new Map<string, IsReplaced>([
  ["npx", byNpm([], false)],
  ["npm", byNpm(["exec", "x"], true)],
  // What they look for is not known as well: any project is taken for one that replaces.
  ["bunx", (_words, directory) => isInProject(directory)],
  ["pnpx", (_words, directory) => isInProject(directory)],
  // Tools of uv are its person's: it reads no file of the directory for them, and takes no environment of it.
  ["uvx", () => false],
  ["uv", (words) => behind(words, ["tool run"]).length === 0],
]);

function byNpm(verbs: readonly string[], readsOn: boolean): IsReplaced {
  return (words, directory, home) => {
    const word = npmWord(words, { verbs, readsOn });
    if (word === null) return verbs.length > 0 || isInProject(directory);
    return mayReplace(word, directory, home);
  };
}

function isInProject(directory: string): boolean {
  const isConfigured = [".npmrc", "bunfig.toml"].some((name) => existsSync(join(directory, name)));
  return isConfigured || projectsAround(directory).length > 0;
}
