/** Directories below a home for what is kept, made when the first of it is. */
import { join } from "node:path";
import { isIdentifier } from "../request/identifier.js";
import type { Clock } from "../system/clock.js";
import { syncDirectory } from "./durable.js";
import { isOlder, namesIn } from "./look.js";
import { temporaryLifeMs, temporaryPrefix, writeFault } from "./publish.js";
import { removeQuietly } from "./remove.js";
import { ensureSafeDirectory } from "./safe-directory.js";

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

/** Puts the names in `path` on disk; rejects with channel_unavailable. */
export async function syncNames(path: string): Promise<void> {
  try {
    await syncDirectory(path);
  } catch (error) {
    throw writeFault(path, error);
  }
}

/** The name of the file of what is called `id`. */
export function fileNameOf(id: string): string {
  return `${id}${suffix}`;
}

/** The id in the name of such a file, or null. */
export function idOfFileName(name: string): string | null {
  const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : "";
  return isIdentifier(id) ? id : null;
}

/** Removes what publishers that died left in `directory`. */
export function sweepTemporaries(directory: string, clock: Clock): void {
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    if (name.startsWith(temporaryPrefix) && isOlder(path, temporaryLifeMs, clock.now())) removeQuietly(path);
  }
}

const suffix = ".json";
