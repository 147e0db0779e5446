/** Whole files that take the place of others: written and put on disk first, so that a reader sees the old one or the new one. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../system/clock.js";
import { syncDirectoryNow } from "./durable.js";
import { syncNames } from "./home-place.js";
import { temporaryPath, writeFault, writeSynced, writeSyncedNow } from "./publish.js";
import { removeQuietly } from "./remove.js";

/** A file that is on disk and has no name of its own yet. */
export interface Prepared {
  /** Gives it its name, in place of what stood there. At once; the directory is not synced. Throws the system error. */
  replace(): void;
  /** Removes it, if it was not named. */
  drop(): void;
}

/** Writes `text`, to become `name` in `directory`, which must have been judged. Rejects with channel_unavailable. */
export async function prepare(
  directory: string,
  name: string,
  text: string,
  clock: Clock,
): Promise<Prepared> {
  const temporary = temporaryPath(directory, clock);
  try {
    await writeSynced(temporary, text);
  } catch (error) {
    removeQuietly(temporary);
    throw writeFault(directory, error);
  }
  return {
    replace: () => renameSync(temporary, join(directory, name)),
    drop: () => void removeQuietly(temporary),
  };
}

/**
 * Makes `text` the file `name` in `directory`, which must have been judged; it and its name are on disk when the promise
 * resolves. Rejects with channel_unavailable: then the file is the one before, or this one.
 */
export async function replaceDurably(
  directory: string,
  name: string,
  text: string,
  clock: Clock,
): Promise<void> {
  const prepared = await prepare(directory, name, text, clock);
  try {
    prepared.replace();
  } catch (error) {
    prepared.drop();
    throw writeFault(directory, error);
  }
  await syncNames(directory);
}

/**
 * Writes `text` and gives it the name `name` in `directory`, which must have been judged, in place of what stood there; on disk
 * when it returns. For what must not wait: nothing else of this process runs meanwhile. Throws channel_unavailable.
 */
export function replaceNow(directory: string, name: string, text: string, clock: Clock): void {
  const temporary = temporaryPath(directory, clock);
  try {
    writeSyncedNow(temporary, text);
    renameSync(temporary, join(directory, name));
    syncDirectoryNow(directory);
  } catch (error) {
    removeQuietly(temporary);
    throw writeFault(directory, error);
  }
}
