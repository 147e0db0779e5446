/**
 * Whole files under names that nobody can take twice: write a temporary beside the name, link it there, remove
 * the temporary. A reader sees all of it or nothing; of several publishers exactly one wins. Never `rename`,
 * which replaces.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { errnoOf, WispError } from "../request/errors.js";
import type { Clock } from "../system/clock.js";

/** Temporaries begin with this dot name, so that no listing, glob or scanner sees them. */
export const temporaryPrefix = ".tmp.";

/** A publish gives up after this long; sweepers remove temporaries only after `temporaryLifeMs`. */
export const publishLimitMs = 10_000;

/** 10 s to publish is well below 60 s to live, so a sweeper never races a writer. */
export const temporaryLifeMs = 60_000;

/**
 * Publishes `text` as `name` in `directory`. True when the name was free, false when somebody was first.
 * The directory must have been judged. Throws channel_unavailable; then nothing stands under the name.
 */
export function publish(directory: string, name: string, text: string, clock: Clock): boolean {
  const startedAt = clock.monotonic();
  const temporary = join(
    directory,
    `${temporaryPrefix}${Buffer.from(clock.randomBytes(12)).toString("hex")}`,
  );
  try {
    writeTemporary(temporary, text);
    if (clock.monotonic() - startedAt > publishLimitMs) {
      throw new WispError("channel_unavailable", `Writing to ${directory} took too long.`);
    }
    return linkTo(temporary, join(directory, name));
  } catch (error) {
    if (error instanceof WispError) throw error;
    throw linkFault(directory, error) ?? unavailable(directory, error);
  } finally {
    removeTemporary(temporary);
  }
}

/** Throws channel_unsafe when files in `directory` cannot have two names: nobody could then be first for certain. */
export function probeHardLinks(directory: string, clock: Clock): void {
  const first = temporaryPath(directory, clock);
  const second = temporaryPath(directory, clock);
  try {
    writeTemporary(first, "");
    linkSync(first, second);
  } catch (error) {
    throw linkFault(directory, error) ?? unavailable(directory, error);
  } finally {
    removeTemporary(first);
    removeTemporary(second);
  }
}

const linkRefusals = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function temporaryPath(directory: string, clock: Clock): string {
  return join(directory, `${temporaryPrefix}${Buffer.from(clock.randomBytes(12)).toString("hex")}`);
}

/** The error for a link that the file system does not know how to make; null for every other fault. */
function linkFault(directory: string, error: unknown): WispError | null {
  const errno = errnoOf(error);
  const isLink = error instanceof Error && "syscall" in error && error.syscall === "link";
  if (errno === null || !isLink || !linkRefusals.has(errno)) return null;
  return new WispError("channel_unsafe", `The file system of ${directory} has no hard links (${errno}).`, {
    why: "Without them two answers could both believe they were first.",
    fix: "Set WISP_HOME to a directory on a local disk.",
    cause: error,
    details: { path: directory, errno },
  });
}

function unavailable(directory: string, error: unknown): WispError {
  const errno = errnoOf(error);
  return new WispError("channel_unavailable", `Cannot write to ${directory} (${errno}).`, {
    cause: error,
    details: { path: directory, errno },
  });
}

function writeTemporary(path: string, text: string): void {
  const file = openSync(path, newFile, 0o600);
  try {
    // The library does not own the umask; only missing owner bits of what was just made are repaired.
    if ((fstatSync(file).mode & 0o600) !== 0o600) fchmodSync(file, 0o600);
    const bytes = Buffer.from(text, "utf8");
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written, bytes.length - written);
    }
  } finally {
    closeSync(file);
  }
}

function linkTo(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

function removeTemporary(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Never made, or on a disk that fails: a sweep removes what is left after a minute.
  }
}
