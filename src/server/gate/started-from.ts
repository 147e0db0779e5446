/**
 * Does what a command starts depend on the directory that it is started in? Where that cannot be ruled out by its words, and
 * by what lies there, it does: a repository that somebody else wrote may hold another program under the same ones.
 */
import { existsSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { mayReplace, projectsAround } from "./around-npm.js";
import { behind, npmWord } from "./presets/npm-word.js";

/** Both are absolute; `home` is the person's. */
export interface StartedFrom {
  readonly directory: string;
  readonly home: string;
}

/** Looks at names, and at what packages say of themselves. */
export function dependsOnDirectory(
  [program, ...rest]: readonly string[],
  { directory, home }: StartedFrom,
): boolean {
  const name = basename(program ?? "");
  if (rest.every(isFixed)) return readingThere.has(name);
  const isReplaced = fetching.get(name);
  if (isReplaced === undefined) return true;
  const isHere = (word: string): boolean =>
    partsOf(word).some((part) => existsSync(resolve(directory, part)));
  return rest.some((word) => !isFixed(word) && isHere(word)) || isReplaced(rest, directory, home);
}

/** Without a word they start what a file of the directory says: a task, a script, a program. */
const readingThere: ReadonlySet<string> = new Set([
  ...[
    "make",
    "gmake",
    "bmake",
    "nmake",
    "ninja",
    "scons",
    "waf",
    "just",
    "task",
    "go-task",
    "mage",
    "rake",
    "jake",
  ],
  ...[
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "grunt",
    "gulp",
    "nodemon",
    "vite",
    "cargo",
    "makers",
    "tox",
    "nox",
    "doit",
  ],
  ...[
    "gradle",
    "gradlew",
    "mvn",
    "mvnw",
    "ant",
    "sbt",
    "lein",
    "mill",
    "bazel",
    "bloop",
    "air",
    "modd",
    "tilt",
  ],
  ...["nix", "nix-shell", "nix-build", "devenv", "devbox", "direnv", "mise", "asdf", "flox", "pixi", "hatch"],
  ...["uv", "poetry", "pdm", "pipenv", "rye", "composer", "bundle", "mix", "dotnet", "deno", "procodile"],
  ...["foreman", "overmind", "hivemind", "honcho", "docker-compose", "podman-compose", "vagrant"],
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
