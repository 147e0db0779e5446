/** The repairs that cannot hurt: closing our own directories to others, moving away what is no request. */
import { closeSync, constants, type Dirent, fchmodSync, fstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isOlder } from "../files/look.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import type { Clock } from "../system/clock.js";
import type { Listing } from "./channel.js";
import { type Home, isMarkedOurs } from "./home.js";
import { moveAway } from "./rejected.js";

/**
 * Takes the bits of group and others from the home, every directory in it and in those, and from the files of `keys/`,
 * `keys/sealed/`, `keys/gates/`, `gates/` and `audit/`, where the home bears our marker. Never widens a mode and never follows a link. Returns the
 * paths that were changed.
 */
export function closeToOthers(home: Home): readonly string[] {
  // A variable can name any directory; one of another program stays as open as that program wants it.
  if (!isMarkedOurs(home)) return [];
  const first = directoriesIn(home.path);
  const directories = [home.path, ...first, ...first.flatMap(directoriesIn)];
  const files = [["keys"], ["keys", "sealed"], ["keys", "gates"], ["gates"], ["audit"]].flatMap((names) =>
    filesIn(join(home.path, ...names)),
  );
  return [
    ...directories.filter((path) => closeOne(path, openingDirectory)),
    ...files.filter((path) => closeOne(path, openingFile)),
  ];
}

/**
 * Moves files that lie among the requests and are none to `rejected/`, once they are older than a minute: until then
 * one may still be written. Returns their names. Throws channel_unsafe, channel_unavailable.
 */
export function moveUnreadable(home: Home, { unreadable }: Listing, clock: Clock): readonly string[] {
  if (unreadable.length === 0) return [];
  ensureSafeDirectory(home.rejected);
  return unreadable
    .map(({ name }) => name)
    .filter(
      (name) =>
        isOlder(join(home.pending, name), settledAfterMs, clock.now()) &&
        moveAway(home, join(home.pending, name)),
    );
}

/** Half a file is waited for, and a writer gives up long before this. */
const settledAfterMs = 60_000;

const openingDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** What waits for a writer, as a pipe does, is no file of ours. */
const openingFile = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

function directoriesIn(path: string): readonly string[] {
  return namesIn(path, (entry) => entry.isDirectory());
}

function filesIn(path: string): readonly string[] {
  return namesIn(path, (entry) => entry.isFile());
}

function namesIn(path: string, isWanted: (entry: Dirent) => boolean): readonly string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter(isWanted).map((entry) => join(path, entry.name));
  } catch {
    // It is not there, or not ours to read: then nothing in it can be repaired by us.
    return [];
  }
}

/** Judged and changed through one handle, so that it is the same one. */
function closeOne(path: string, opening: number): boolean {
  let opened: number;
  try {
    opened = openSync(path, opening);
  } catch {
    // A link, no directory, or gone: nothing that a change of mode would repair.
    return false;
  }
  try {
    const { mode, uid } = fstatSync(opened);
    const own = process.geteuid?.();
    if ((mode & 0o077) === 0 || (own !== undefined && uid !== own)) return false;
    fchmodSync(opened, mode & 0o700);
    return true;
  } finally {
    closeSync(opened);
  }
}
