/** Where grants and late requests lie below a home, made when the first one is kept. */
import { join } from "node:path";
import { syncDirectory } from "../files/durable.js";
import { isOlder, namesIn } from "../files/look.js";
import { temporaryLifeMs, temporaryPrefix, writeFault } from "../files/publish.js";
import { removeQuietly } from "../files/remove.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { isIdentifier } from "../request/identifier.js";
import type { Clock } from "../system/clock.js";

/** A home that may not be made yet. */
export interface HomePlace {
  /** Its absolute path; nothing is looked at before something is kept or sought. */
  readonly path: string;
  /** Makes it where it is missing, judges it, and returns its path. */
  readonly ensureHome: () => string;
  readonly clock: Clock;
}

/** Makes `names`, each below the one before and the first below the home, and judges them. */
export function makeDirectories(home: HomePlace, ...names: readonly string[]): void {
  home.ensureHome();
  let path = home.path;
  for (const name of names) {
    path = join(path, name);
    ensureSafeDirectory(path);
  }
}

/** The same, and their names are on disk when the promise resolves: what lies in them is lost with a name above it. */
export async function makeDirectoriesDurably(home: HomePlace, ...names: readonly string[]): Promise<void> {
  makeDirectories(home, ...names);
  let path = home.path;
  for (const name of names) {
    await syncNames(path);
    path = join(path, name);
  }
}

/** The name of the file of what is called `id`. */
export function fileNameOf(id: string): string {
  return `${id}${suffix}`;
}

/** The names in `directory` that are no temporaries and no directories of ours; and the id in each, null where none is. */
export function idsIn(directory: string): readonly (string | null)[] {
  return namesIn(directory)
    .filter((name) => !name.startsWith(temporaryPrefix) && !subdirectories.has(name))
    .map((name) => {
      const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : "";
      return isIdentifier(id) ? id : null;
    });
}

/** Removes what publishers that died left in `directory`. */
export function sweepTemporaries(directory: string, clock: Clock): void {
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    if (name.startsWith(temporaryPrefix) && isOlder(path, temporaryLifeMs, clock.now())) removeQuietly(path);
  }
}

/** Below `grants/`: what was spent or revoked, and the states of dialogs that were used. */
export const spentName = "spent";
/** Of the two, the one whose names go away again. */
export const consumedName = "consumed";

const subdirectories = new Set([spentName, consumedName]);
const suffix = ".json";

async function syncNames(path: string): Promise<void> {
  try {
    await syncDirectory(path);
  } catch (error) {
    throw writeFault(path, error);
  }
}
