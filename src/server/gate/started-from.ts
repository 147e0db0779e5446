/**
 * Does what a command starts depend on the directory that it is started in? Where that cannot be ruled out by its words, it
 * does: a repository that somebody else wrote may hold another program under the same ones.
 */
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/** `directory` is absolute. Looks at names only; nothing is opened. */
export function dependsOnDirectory([program, ...rest]: readonly string[], directory: string): boolean {
  if (rest.every(isFixed)) return false;
  const around = fetching.get(basename(program ?? ""));
  if (around === undefined) return true;
  const isHere = (word: string): boolean =>
    partsOf(word).some((part) => existsSync(resolve(directory, part)));
  return rest.some((word) => !isFixed(word) && isHere(word)) || isFound(around, directory);
}

/** The same wherever it is read: an absolute path, or the name of an option with nothing behind it. */
function isFixed(word: string): boolean {
  return isAbsolute(word) || /^(?:-[A-Za-z]|--[A-Za-z][A-Za-z-]*)$/.test(word);
}

/** What may be a path in it. */
function partsOf(word: string): readonly string[] {
  return [word, ...word.split("=").slice(1)].filter((part) => part !== "");
}

/** What a program looks for from the directory upwards, and what in the directory alone, before it fetches a package. */
interface Around {
  readonly above: readonly string[];
  readonly here: readonly string[];
}

const npm: Around = { above: ["package.json", "node_modules"], here: [".npmrc", "bunfig.toml"] };
const python: Around = { above: ["pyproject.toml", "uv.toml"], here: [".venv", ".python-version"] };

/** Programs that fetch the package they start by its name, unless something around the directory says another. */
const fetching = new Map([
  ["npx", npm],
  ["bunx", npm],
  ["pnpx", npm],
  ["uvx", python],
]);

function isFound({ above, here }: Around, directory: string): boolean {
  if (here.some((name) => existsSync(join(directory, name)))) return true;
  for (let place = directory; ; place = dirname(place)) {
    if (above.some((name) => existsSync(join(place, name)))) return true;
    if (place === dirname(place)) return false;
  }
}
