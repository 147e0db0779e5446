/** What the tests of this project are called. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));

interface Listed {
  /** With the titles of the groups around it before it, separated by ` > `. */
  readonly name: string;
  readonly file: string;
}

/** What was collected of some test files. */
export interface Titles {
  /** In all of them, each with the titles of the groups around it. */
  readonly all: readonly string[];
  /** In `file` alone, likewise. */
  of(file: string): readonly string[];
  /** Does `file` have a test with exactly this title? A group's title is none. */
  has(file: string, title: string): boolean;
}

/**
 * Collects the tests of `files`, named from the root of the project, without running them. As vitest does it, because
 * nobody else knows what a table makes of a title with placeholders.
 */
export async function titlesOf(files: readonly string[]): Promise<Titles> {
  const directory = mkdtempSync(join(tmpdir(), "wisp-titles-"));
  try {
    const list = join(directory, "titles.json");
    // The option and its value are one word: alone, it would take the first file for the place to write to.
    const words = [vitest, "list", `--json=${list}`, ...files];
    const { PATH = "", HOME = "" } = process.env;
    await promisify(execFile)(process.execPath, words, { cwd: root, env: { PATH, HOME } });
    return titlesFrom(JSON.parse(readFileSync(list, "utf8")));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function titlesFrom(listed: readonly Listed[]): Titles {
  const isCalled = ({ name }: Listed, title: string): boolean =>
    name === title || name.endsWith(` > ${title}`);
  const inFile = (file: string): readonly Listed[] => listed.filter((one) => one.file === `${root}${file}`);
  return {
    all: listed.map(({ name }) => name),
    of: (file) => inFile(file).map(({ name }) => name),
    has: (file, title) => inFile(file).some((one) => isCalled(one, title)),
  };
}
