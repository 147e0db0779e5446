/**
 * One writer at a time over all processes. `audit/lock` is a second name of `audit/.owner.<token>`, a file that says which
 * process it is and that each process publishes once; to take the lock is one `link()`, to give it back one `unlink()`.
 * Nothing is awaited while it is held. Invariant: the lock of a process that lives is removed by nobody else, and that of a
 * dead one by exactly one: whoever has linked its own file to `lock.dead.<token of the dead one>`. If that one died as well,
 * the right goes on in the same way. As long as the lock of the first stands nobody holds it, so none of these names goes away.
 */
import { linkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { lookAt, namesIn } from "../files/look.js";
import { publishDurably } from "../files/publish.js";
import { readJson } from "../files/read.js";
import { removeQuietly } from "../files/remove.js";
import { errnoOf } from "../request/errors.js";
import type { Liveness, ProcessIdentity, SoughtProcess } from "../request/process.js";
import * as s from "../request/shape.js";
import type { Clock } from "../system/clock.js";

/** Who takes the lock, and who else lives. */
export interface LockParts {
  /** Of the log; judged by then. */
  readonly directory: string;
  readonly clock: Clock;
  /** Of this process. */
  readonly own: ProcessIdentity;
  readonly liveness: (one: SoughtProcess, own: ProcessIdentity) => Liveness;
}

/** Who holds the lock; null where what stands there does not say. */
export type Holder = ProcessIdentity | null;

/** What came of taking it. `unknown`: the file that says who we are is gone. */
export type Taking =
  | { readonly kind: "taken" }
  | { readonly kind: "held"; readonly by: Holder }
  | { readonly kind: "unknown" };

/** The lock, as one process has it. */
export interface Lock {
  /**
   * Takes the lock if it is free. With `isPatient` it is looked up whether whoever holds it lives, and a dead one's is taken
   * over. Throws the system error.
   */
  take(isPatient: boolean): Taking;
  /** Gives it back. What cannot be removed is ours again at the next taking. */
  release(): void;
  /** Clears away what dead processes left. Only while it is held. */
  clear(): void;
  /** This process takes it no more. */
  close(): void;
}

const tokenBytes = 12;
const tokenPattern = /^[0-9a-f]{24}$/;
const lockName = "lock";
const ownerPrefix = ".owner.";
const deadPrefix = "lock.dead.";
const mostBytes = 4 * 1024;
/** How old must be what a dead process left, in milliseconds. Nobody who still looks at it is that slow. */
const leftLifeMs = 60_000;
/** So many processes die one after the other while each removes the lock of the one before. */
const mostDead = 100;

const ownerSchema = s.strictObject({
  v: s.literal(1),
  token: s.string({ pattern: tokenPattern }),
  pid: s.integer({ least: 1 }),
  startedAt: s.string(),
  boot: s.string(),
  namespace: s.string(),
});

type Owner = ProcessIdentity & { readonly token: string };

/** Where the lock of the log in `directory` is. */
export function lockPathIn(directory: string): string {
  return join(directory, lockName);
}

/** Publishes who this process is. Rejects with channel_unavailable, channel_unsafe. */
export async function openLock({ directory, clock, own, liveness }: LockParts): Promise<Lock> {
  const token = Buffer.from(clock.randomBytes(tokenBytes)).toString("hex");
  const ownName = `${ownerPrefix}${token}`;
  const ownPath = join(directory, ownName);
  const lockPath = lockPathIn(directory);
  const { pid, startedAt, boot, namespace } = own;
  // On disk before it can become the lock: after a power cut it must still say whose lock that is.
  await publishDurably(
    directory,
    ownName,
    JSON.stringify({ v: 1, token, pid, startedAt, boot, namespace }),
    clock,
  );

  function isDead(one: ProcessIdentity): boolean {
    if (one.boot !== boot) return true;
    // Its number means nothing here, and it may well live.
    if (one.namespace !== namespace) return false;
    return liveness(one, own) === "gone";
  }

  function isSelf(one: ProcessIdentity): boolean {
    const isHere = one.boot === boot && one.namespace === namespace;
    return isHere && one.pid === pid && one.startedAt === startedAt;
  }

  /** Links our file to `path`: true if the name was free, false if it is taken. */
  function linked(path: string): boolean {
    try {
      linkSync(ownPath, path);
      return true;
    } catch (error) {
      if (errnoOf(error) === "EEXIST") return false;
      throw error;
    }
  }

  /**
   * The processes from the dead holder on, each of which had the right to remove the lock of the one before, when that right
   * is ours now; else null.
   */
  function rightAfter(holder: Owner): ReadonlySet<string> | null {
    const tokens = new Set<string>();
    let one = holder;
    while (tokens.size < mostDead && !tokens.has(one.token)) {
      if (!isDead(one)) return null;
      tokens.add(one.token);
      const path = join(directory, `${deadPrefix}${one.token}`);
      if (linked(path)) return tokens;
      const heir = readOwner(path);
      if (heir === null) return null;
      if (isSelf(heir)) return tokens;
      one = heir;
    }
    return null;
  }

  /** Removes the lock of a dead holder if that is our right, and it is still the lock. */
  function removeAfter(holder: Owner): boolean {
    const tokens = rightAfter(holder);
    if (tokens === null) return false;
    const now = readOwner(lockPath);
    if (now === null || !tokens.has(now.token)) return true;
    unlinkSync(lockPath);
    return true;
  }

  function take(isPatient: boolean): Taking {
    if (linked(lockPath)) return { kind: "taken" };
    const holder = readOwner(lockPath);
    // Nothing is awaited under the lock, so one of this process is one that could not be removed.
    if (holder !== null && isSelf(holder)) return { kind: "taken" };
    if (isPatient && holder !== null && isDead(holder) && removeAfter(holder) && linked(lockPath))
      return { kind: "taken" };
    return { kind: "held", by: holder };
  }

  return {
    take(isPatient) {
      try {
        return take(isPatient);
      } catch (error) {
        if (errnoOf(error) === "ENOENT" && lookAt(ownPath) === null) return { kind: "unknown" };
        throw error;
      }
    },
    release: () => void removeQuietly(lockPath),
    clear() {
      for (const name of namesIn(directory)) {
        const isLeft = [ownerPrefix, deadPrefix].some((prefix) => name.startsWith(prefix));
        if (!isLeft || name === ownName) continue;
        const path = join(directory, name);
        const stats = lookAt(path);
        // A new name changes the file, not what is in it.
        if (stats === null || clock.now() - Number(stats.ctimeMs) < leftLifeMs) continue;
        const owner = readOwner(path);
        if (owner !== null && owner.token !== token && isDead(owner)) removeQuietly(path);
      }
    },
    close: () => void removeQuietly(ownPath),
  };
}

/** Is it one of the names at which the lock is taken, or at which processes say who they are? */
function isOfLock(name: string): boolean {
  return name === lockName || [ownerPrefix, deadPrefix].some((prefix) => name.startsWith(prefix));
}

/** Does something stand at the lock of the log in `directory` that no process of ours can have put there? */
export function isNobodysLock(directory: string): boolean {
  const path = lockPathIn(directory);
  // One that is given back in between was somebody's.
  return lookAt(path) !== null && readOwner(path) === null && lookAt(path) !== null;
}

/**
 * Clears away what dead processes left at the lock, as a process does that writes: never what one that may live holds.
 * Returns the names that are gone. Rejects with channel_unavailable, channel_unsafe, and throws the system error.
 */
export async function clearLeftLock(parts: LockParts): Promise<readonly string[]> {
  const { directory } = parts;
  const names = namesIn(directory).filter(isOfLock);
  // One must be there to be taken over, and to enter makes a file.
  if (names.length === 0) return [];
  const lock = await openLock(parts);
  try {
    if (lock.take(true).kind !== "taken") return [];
    try {
      lock.clear();
    } finally {
      lock.release();
    }
  } finally {
    lock.close();
  }
  return names.filter((name) => lookAt(join(directory, name)) === null);
}

function readOwner(path: string): Owner | null {
  const read = readJson(path, mostBytes);
  const parsed = read.kind === "value" ? ownerSchema.safeParse(read.value) : null;
  return parsed?.success === true ? parsed.data : null;
}
