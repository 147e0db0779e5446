/** Looking at what stands under a name, in directories that others may break while we look. */
import { type BigIntStats, type Dir, lstatSync, opendirSync, readdirSync, statSync } from "node:fs";

/**
 * What stands under `path` itself, links not followed; null when nothing does, and null as well when it cannot be
 * looked at: a caller in a timer or a watch must not die of a directory that somebody replaced.
 */
export function lookAt(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    // ENOTDIR, ELOOP, EACCES and their like: nothing of ours can be reached there.
    return null;
  }
}

/** The same, with links followed. */
export function lookThrough(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    // As above.
    return null;
  }
}

/**
 * Which file it is, and in which state. The system alone sets the time of change, so the same text means the same bytes; but
 * coarse clocks give two changes in a row the same time: see `isYoung`.
 */
export function stateOf({ dev, ino, mtimeNs, ctimeNs, size }: BigIntStats): string {
  return `${dev}/${ino}/${mtimeNs}/${ctimeNs}/${size}`;
}

/** Was it changed so short a time before `now`, wall time, that a later change may not be told from that one? */
export function isYoung({ ctimeMs }: BigIntStats, now: number): boolean {
  return now - Number(ctimeMs) < youngMs;
}

const youngMs = 100;

/** Several files as they stand: the same text for the same state of all of them; and is any of them young at `now`? */
export function looksAt(
  paths: readonly string[],
  now: number,
): { readonly state: string; readonly isYoung: boolean } {
  let state = "";
  let isOneYoung = false;
  for (const path of paths) {
    const look = lookAt(path);
    state += look === null ? " " : `${stateOf(look)} `;
    isOneYoung ||= look !== null && isYoung(look, now);
  }
  return { state, isYoung: isOneYoung };
}

/** The names in `directory`; none where it is not made yet, is gone, or cannot be read. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // To every caller a directory without readable names holds nothing to act on; judging it says what is wrong.
    return [];
  }
}

/** The same, of at most `most` of them: to list all that somebody put there would take as long as they like. */
export function firstNamesIn(directory: string, most: number): readonly string[] {
  let opened: Dir | null = null;
  try {
    opened = opendirSync(directory, { bufferSize: Math.min(most, namesAtOnce) });
    const names: string[] = [];
    while (names.length < most) {
      const entry = opened.readSync();
      if (entry === null) break;
      names.push(entry.name);
    }
    return names;
  } catch {
    // As above.
    return [];
  } finally {
    opened?.closeSync();
  }
}

const namesAtOnce = 1_000;

/** When what stands under `path` was last written, in nanoseconds since the epoch; 0 where nothing stands. */
export function writtenAtNs(path: string): bigint {
  return lookAt(path)?.mtimeNs ?? 0n;
}

/** Was what stands under `path` last changed more than `ageMs` before `now`, wall time? False where nothing stands. */
export function isOlder(path: string, ageMs: number, now: number): boolean {
  const stats = lookAt(path);
  return stats !== null && now - Number(stats.mtimeMs) > ageMs;
}
