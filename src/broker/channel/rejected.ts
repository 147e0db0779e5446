/**
 * `rejected/`: answers that were not taken, for whoever wants to know what wrote them, and for faces that gave one why.
 * Junk must not occupy a slot.
 */
import { type BigIntStats, linkSync, readdirSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { lookAt, namesIn } from "../files/look.js";
import { publish } from "../files/publish.js";
import { readJson, sizeLimits } from "../files/read.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { type Answer, answerFileName } from "../request/answer.js";
import { type Refusal, refusalFileName, refusalSchema, type Shortfall } from "../request/assurance.js";
import { answerHash } from "../request/binding.js";
import { isIdentifier } from "../request/identifier.js";
import { formatVersion } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Home } from "./home.js";

const mostKept = 20;
/** Two servers may each keep one more for a moment; where there are many more, somebody plants them. */
const mostRead = 2 * mostKept;

/** What became of the slot that was to be cleared. `to` is a file name inside `rejected/`. */
export type Rejection =
  /** It could not be moved, and was removed: a slot must not stay occupied. */
  | { readonly kind: "removed" }
  | { readonly kind: "moved"; readonly to: string }
  /** Something else came into the slot in the same instant and is back in it. */
  | { readonly kind: "changed" }
  /** The slot cannot be cleared: nobody can answer this request through the channel any more. */
  | { readonly kind: "stuck" };

/**
 * Moves what stands in the slot of `id` away. `judged` are the stats of the file that was found to be junk; null
 * when it could not even be opened, as a link or a FIFO.
 */
export function rejectSlot(home: Home, id: string, judged: BigIntStats | null): Rejection {
  const slot = join(home.pending, answerFileName(id));
  const before = judged ?? lookAt(slot);
  if (before === null) return { kind: "changed" };
  try {
    ensureSafeDirectory(home.rejected);
    const name = freeName(home, id);
    const target = join(home.rejected, name);
    renameSync(slot, target);
    if (!isSame(before, lookAt(target))) return putBack(slot, target);
    keepNewestQuietly(home);
    return { kind: "moved", to: name };
  } catch {
    // rejected/ is unsafe, full or on a disk that fails: clearing the slot matters more than keeping the junk.
    return removeJunk(slot, before);
  }
}

/** Tells the face that gave `answer` what was wanting. Best effort: without it the answer is refused all the same. */
export function publishRefusal(home: Home, answer: Answer, shortfall: Shortfall, clock: Clock): void {
  const hash = answerHash(answer);
  const refusal: Refusal = { v: formatVersion, id: answer.id, answer: hash, shortfall };
  try {
    ensureSafeDirectory(home.rejected);
    publish(home.rejected, refusalFileName(hash), JSON.stringify(refusal), clock);
    keepNewest(home, refusalName);
  } catch {
    // rejected/ is unsafe, full or on a disk that fails: the face says less.
  }
}

/** What was wanting of `answer`, or null when nothing says so. */
export function readRefusal(home: Home, answer: Answer): Shortfall | null {
  const refusal = refusalIn(home, refusalFileName(answerHash(answer)));
  return refusal?.id === answer.id ? refusal.shortfall : null;
}

/** What a look into `rejected/` finds; anybody can have written it, so nothing but words may hang on it. */
export interface NotTaken {
  /** For each answer that is still kept, the id of the request it answered. */
  readonly ids: readonly string[];
  /** What was wanting of those that were in order and not enough, as long as that is kept. */
  readonly refusals: readonly Refusal[];
}

/** The answers that were not taken. Reads the directory once, and of its files only refusals: none where nothing fell short. */
export function notTakenIn(home: Home): NotTaken {
  const names = namesIn(home.rejected);
  return {
    ids: names.flatMap((name) => answeredId(name) ?? []),
    refusals: names
      .filter(isRefusalName)
      .slice(0, mostRead)
      .flatMap((name) => refusalIn(home, name) ?? []),
  };
}

/** What `notTakenIn` finds under `ids`. Reads no file. */
export function rejectedIds(home: Home): readonly string[] {
  return namesIn(home.rejected).flatMap((name) => answeredId(name) ?? []);
}

/** The refusal in the file of that name; null where it is none, or one of another answer. */
function refusalIn(home: Home, name: string): Refusal | null {
  const result = readJson(join(home.rejected, name), sizeLimits.record);
  if (result.kind !== "value") return null;
  const parsed = refusalSchema.safeParse(result.value);
  return parsed.success && refusalFileName(parsed.data.answer) === name ? parsed.data : null;
}

function answeredId(name: string): string | null {
  const id = answerName.exec(name)?.[1] ?? "";
  return isIdentifier(id) ? id : null;
}

function isRefusalName(name: string): boolean {
  return refusalName.test(name);
}

function keepNewestQuietly(home: Home): void {
  try {
    keepNewest(home, answerName);
  } catch {
    // One more than should be kept; the junk is out of the slot, and that is told.
  }
}

/** A good answer may have been linked after the junk was removed by somebody else: it must not be lost. */
function putBack(slot: string, target: string): Rejection {
  try {
    linkSync(target, slot);
    unlinkSync(target);
  } catch {
    // The slot is taken again: whoever is there now is judged next.
  }
  return { kind: "changed" };
}

function removeJunk(slot: string, before: BigIntStats): Rejection {
  try {
    if (!isSame(before, lookAt(slot))) return { kind: "changed" };
    rmSync(slot, { recursive: before.isDirectory(), force: true });
    return { kind: "removed" };
  } catch {
    // Neither can it be moved nor removed.
    return { kind: "stuck" };
  }
}

function freeName(home: Home, id: string): string {
  for (let n = 1; ; n += 1) {
    const name = `${id}.${n}.json`;
    if (lookAt(join(home.rejected, name)) === null) return name;
  }
}

/**
 * Moves `path` into `rejected/` under a name that no answer has, so that nobody takes it for one that was not
 * taken. False when it could not be moved.
 */
export function moveAway(home: Home, path: string): boolean {
  try {
    ensureSafeDirectory(home.rejected);
    for (let n = 1; ; n += 1) {
      const target = join(home.rejected, `${n}.${basename(path)}`);
      if (lookAt(target) !== null) continue;
      renameSync(path, target);
      return true;
    }
  } catch {
    // Somebody else moved it, or the disk or rejected/ fails: it stays where it is.
    return false;
  }
}

/** What doctor moved here from among the requests is neither, and stays. */
const answerName = /^([a-z0-9]+)\.\d+\.json$/;
const refusalName = /^[0-9a-f]{64}\.reason\.json$/;

function keepNewest(home: Home, pattern: RegExp): void {
  const names = readdirSync(home.rejected).filter((name) => pattern.test(name));
  const files = names.map((name) => {
    const path = join(home.rejected, name);
    const stats = lookAt(path);
    return { path, isDirectory: stats?.isDirectory() === true, movedAt: stats?.ctimeNs ?? 0n };
  });
  // The change time is that of the move; the modification time is the writer's to choose.
  files.sort((a, b) => Number(b.movedAt - a.movedAt));
  for (const file of files.slice(mostKept)) {
    rmSync(file.path, { recursive: file.isDirectory, force: true });
  }
}

function isSame(a: BigIntStats, b: BigIntStats | null): boolean {
  return b !== null && a.dev === b.dev && a.ino === b.ino;
}
