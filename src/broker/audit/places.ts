/** Where the parts of the log lie below a home, and which files were put aside. */
import { join } from "node:path";
import { firstNamesIn, namesIn } from "../files/look.js";

/** The file that is written. */
export const logName = "log.jsonl";
/** The signed head. */
export const headName = "head.json";

/** The directory of the log of the home at `path`. */
export function auditDirectory(path: string): string {
  return join(path, "audit");
}

/** A file that was put aside, by the numbers of its first and last record. */
export interface Aside {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

/** What a file with these records is called when it is put aside; `mark`: eight hexadecimal digits where that name is taken. */
export function asideName(first: number, last: number, mark: string | null = null): string {
  return `log.${first}-${last}${mark === null ? "" : `.${mark}`}.jsonl`;
}

const asidePattern = /^log\.([1-9][0-9]{0,14})-([1-9][0-9]{0,14})(?:\.[0-9a-f]{8})?\.jsonl$/;

/** The files in `directory` that were put aside, the oldest first. */
export function asideIn(directory: string): readonly Aside[] {
  return asideAmong(namesIn(directory));
}

/** More names are none of ours in a directory of a log: we keep a thousand files at most. */
export const mostNames = 10_000;

/**
 * The same for whoever has no time for what anybody of this account may put there; null where it holds more than `mostNames`.
 */
export function fewAsideIn(directory: string): readonly Aside[] | null {
  const names = firstNamesIn(directory, mostNames + 1);
  return names.length > mostNames ? null : asideAmong(names);
}

function asideAmong(names: readonly string[]): readonly Aside[] {
  return names
    .flatMap((name) => {
      const [, first, last] = asidePattern.exec(name) ?? [];
      return first === undefined ? [] : [{ name, first: Number(first), last: Number(last) }];
    })
    .sort((left, right) => left.first - right.first);
}

/** All files of the log of the home at `path`, the newest first; the first may not be there. */
export function logPathsNewestFirst(path: string): readonly string[] {
  const directory = auditDirectory(path);
  const aside = asideIn(directory).map(({ name }) => join(directory, name));
  return [join(directory, logName), ...aside.reverse()];
}
