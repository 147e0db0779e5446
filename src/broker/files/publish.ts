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
  fsync,
  fsyncSync,
  linkSync,
  openSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { errnoOf, WispError } from "../request/errors.js";
import type { Clock } from "../system/clock.js";
import { syncDirectory, synced } from "./durable.js";
import { removeQuietly } from "./remove.js";

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
  const temporary = temporaryPath(directory, clock);
  try {
    writeTemporary(temporary, text);
    if (isLate(startedAt, clock)) throw tookTooLong(directory);
    return linkTo(temporary, join(directory, name));
  } catch (error) {
    throw writeFault(directory, error);
  } finally {
    removeQuietly(temporary);
  }
}

/**
 * The same for what outlives a crash of the machine: `content` is on disk before it has its name, and the name is
 * when the promise resolves. Rejects with channel_unavailable; what stands under the name then is whole, and may
 * not outlive a crash. `whenUnsynced`: whether it is to stand there all the same, or nothing is.
 */
export async function publishDurably(
  directory: string,
  name: string,
  content: string | Uint8Array,
  clock: Clock,
  whenUnsynced: "leave" | "remove" = "leave",
): Promise<boolean> {
  const path = join(directory, name);
  const linked =
    (await linkedInTime(directory, path, content, clock)) ??
    (await linkedInTime(directory, path, content, clock));
  if (linked === null) throw tookTooLong(directory);
  if (!linked) return false;
  try {
    await syncDirectory(directory);
    return true;
  } catch (error) {
    if (whenUnsynced === "remove") removeQuietly(path);
    throw writeFault(directory, error);
  }
}

/** Null where it took too long: this process may only have been busy with something else, so it is worth another try. */
async function linkedInTime(
  directory: string,
  path: string,
  content: string | Uint8Array,
  clock: Clock,
): Promise<boolean | null> {
  const startedAt = clock.monotonic();
  const temporary = temporaryPath(directory, clock);
  try {
    await writeSynced(temporary, content);
    return isLate(startedAt, clock) ? null : linkTo(temporary, path);
  } catch (error) {
    throw writeFault(directory, error);
  } finally {
    removeQuietly(temporary);
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
    throw writeFault(directory, error);
  } finally {
    removeQuietly(first);
    removeQuietly(second);
  }
}

/** What a system error in `directory` is called here: channel_unsafe where nothing can be linked, else channel_unavailable. */
export function writeFault(directory: string, error: unknown): WispError {
  if (error instanceof WispError) return error;
  return linkFault(directory, error) ?? unavailable(directory, error);
}

const linkRefusals = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** A new name for a temporary in `directory`. */
export function temporaryPath(directory: string, clock: Clock): string {
  return join(directory, `${temporaryPrefix}${Buffer.from(clock.randomBytes(12)).toString("hex")}`);
}

/** A sweep removes temporaries after a minute: one that is older might be gone, or be somebody else's. */
function isLate(startedAt: number, clock: Clock): boolean {
  return clock.monotonic() - startedAt > publishLimitMs;
}

function tookTooLong(directory: string): WispError {
  return new WispError("channel_unavailable", `Writing to ${directory} took too long.`);
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
    fill(file, text);
  } finally {
    closeSync(file);
  }
}

/** Makes the private file `path`, which must not exist, and puts `content` on disk. Rejects with the system error. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = openSync(path, newFile, 0o600);
  try {
    fill(file, content);
    await synced(file, fsync);
  } finally {
    closeSync(file);
  }
}

/** The same at once: nothing else of this process runs meanwhile. Throws the system error. */
export function writeSyncedNow(path: string, content: string): void {
  const file = openSync(path, newFile, 0o600);
  try {
    fill(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function fill(file: number, content: string | Uint8Array): void {
  // The library does not own the umask; only missing owner bits of what was just made are repaired.
  if ((fstatSync(file).mode & 0o600) !== 0o600) fchmodSync(file, 0o600);
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written);
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
