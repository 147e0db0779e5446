/**
 * Files of other programs that a person has us change. Invariant: such a file is replaced whole, keeps its mode and its owner,
 * and only if it still says what was read, to the last byte.
 */
import { type BigIntStats, chmodSync, chownSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../system/clock.js";
import { syncNames } from "./home-place.js";
import { temporaryPath, writeFault, writeSynced } from "./publish.js";
import { type ReadObjection, readAnybodys } from "./read.js";
import { removeQuietly } from "./remove.js";

/** One that was read. */
export interface OthersFile {
  readonly kind: "file";
  readonly path: string;
  /** As it stands there, with its byte order mark and its line ends. */
  readonly text: string;
  readonly stats: BigIntStats;
}

/** Why one is left alone. */
export type OthersObjection = ReadObjection | "another name leads to it as well" | "not valid UTF-8";

/** What reading gave. */
export type OthersRead =
  | OthersFile
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly objection: OthersObjection };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads `path`, of at most `limit` bytes. A link is refused: replacing it would part it from what it leads to. */
export function readOthersFile(path: string, limit: number): OthersRead {
  const read = readAnybodys(path, limit);
  if (read.kind === "missing") return read;
  if (read.kind === "refused") return { kind: "refused", objection: read.objection };
  const { stats, bytes } = read;
  const own = process.geteuid?.();
  if (own !== undefined && stats.uid !== BigInt(own)) return { kind: "refused", objection: "another owner" };
  if (stats.nlink > 1n) return { kind: "refused", objection: "another name leads to it as well" };
  try {
    return { kind: "file", path, text: utf8.decode(bytes), stats };
  } catch {
    // The decoder throws for malformed UTF-8 and for nothing else.
    return { kind: "refused", objection: "not valid UTF-8" };
  }
}

/**
 * Puts `text` in place of `file`, on disk when the promise resolves. False where it says something else by now, or cannot
 * be read any more: then nothing is changed. Rejects with channel_unavailable.
 */
export async function replaceOthersFile(file: OthersFile, text: string, clock: Clock): Promise<boolean> {
  const directory = dirname(file.path);
  const temporary = temporaryPath(directory, clock);
  try {
    await writeSynced(temporary, text);
    likeBefore(temporary, file);
    // The last look, with nothing between it and the name: what somebody else wrote is not written over.
    if (!isStill(file)) return false;
    renameSync(temporary, file.path);
  } catch (error) {
    throw writeFault(directory, error);
  } finally {
    removeQuietly(temporary);
  }
  await syncNames(directory);
  return true;
}

function likeBefore(temporary: string, { stats }: OthersFile): void {
  const own = process.getegid?.();
  if (own !== undefined && stats.gid !== BigInt(own))
    chownSync(temporary, Number(stats.uid), Number(stats.gid));
  chmodSync(temporary, Number(stats.mode & 0o777n));
}

function isStill({ path, text, stats }: OthersFile): boolean {
  const now = readOthersFile(path, Number(stats.size));
  return now.kind === "file" && now.text === text;
}
