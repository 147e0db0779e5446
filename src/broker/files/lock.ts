/**
 * One at a time over processes. Invariant: a lock is taken from its holder only when that process is certainly gone, and of
 * several that find it gone exactly one removes it. A holder that was killed holds nobody up; one of another container, of
 * which nobody can say that it is gone, does.
 */
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { expectErrno, WispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import type { Liveness, ProcessIdentity, SoughtProcess } from "../request/process.js";
import * as s from "../request/shape.js";
import { shellQuoted } from "../request/shell-quote.js";
import type { Clock } from "../system/clock.js";
import { publish } from "./publish.js";
import { readJson } from "./read.js";

/** What a lock needs to know of processes. */
export interface LockHolders {
  /** This process. */
  readonly own: ProcessIdentity;
  readonly liveness: (one: SoughtProcess) => Liveness;
  readonly clock: Clock;
}

/** Writers are done within milliseconds; one that is stopped for longer is told of rather than waited for. */
const longestWaitMs = 10_000;
const pollMs = 10;
const largestBytes = 4_096;
/** Who died while removing the lock of one that died while … */
const deepest = 8;

const fileSchema = s.strictObject({
  v: s.literal(1),
  token: s.string({ pattern: /^[a-z0-9]{16}$/ }),
  pid: s.integer({ least: 1 }),
  startedAt: s.string({ longest: 256 }),
  boot: s.string({ longest: 256 }),
  namespace: s.string({ longest: 256 }),
});

type LockFile = s.Infer<typeof fileSchema>;

/**
 * Runs `use` while this process alone holds the lock `name` in `directory`, which must have been judged. Rejects as `use`
 * does, with channel_unavailable where the lock is not free in time, and as `publish` does; then `use` did not run.
 */
export async function withLock<T>(
  directory: string,
  name: string,
  holders: LockHolders,
  use: () => Promise<T>,
): Promise<T> {
  const path = join(directory, name);
  const before = queues.get(path) ?? Promise.resolve();
  const mine = before.then(async () => {
    const token = await taken(directory, name, holders, 0);
    try {
      return await use();
    } finally {
      release(path, token);
    }
  });
  const settled = mine.then(
    () => {},
    () => {},
  );
  queues.set(path, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(path) === settled) queues.delete(path);
  }
}

/** Callers within this process wait for each other here: the file tells processes apart, and these are one. */
const queues = new Map<string, Promise<void>>();

/** Waits for the lock and takes it; resolves with the token that stands in it. */
async function taken(directory: string, name: string, holders: LockHolders, depth: number): Promise<string> {
  const { own, clock } = holders;
  const path = join(directory, name);
  const token = newIdentifier((size) => clock.randomBytes(size), 16);
  const { pid, startedAt, boot, namespace } = own;
  const text = `${JSON.stringify({ v: 1, token, pid, startedAt, boot, namespace })}\n`;
  const until = clock.monotonic() + longestWaitMs;
  for (;;) {
    if (publish(directory, name, text, clock)) return token;
    const holder = holderOf(path);
    if (holder !== null && isGone(holder, holders)) {
      await removeLeft(directory, name, holder.token, holders, depth);
      continue;
    }
    if (clock.monotonic() >= until) throw isHeld(path, holder);
    await passed(pollMs, clock);
  }
}

/**
 * Removes a lock whose holder is gone. Under a lock of its own that bears the token of that holder: whoever comes later
 * finds another token and removes nothing that somebody holds by then.
 */
async function removeLeft(
  directory: string,
  name: string,
  token: string,
  holders: LockHolders,
  depth: number,
): Promise<void> {
  const inner = `.${token}.lock`;
  if (depth >= deepest) throw isHeld(join(directory, name), null);
  const own = await taken(directory, inner, holders, depth + 1);
  try {
    release(join(directory, name), token);
  } finally {
    release(join(directory, inner), own);
  }
}

/** Removes the lock if it is still the one with this token: nobody else removes that. */
function release(path: string, token: string): void {
  if (holderOf(path)?.token !== token) return;
  try {
    unlinkSync(path);
  } catch (error) {
    // A directory that was replaced meanwhile holds no lock of ours; whoever uses it judges it first.
    expectErrno(error);
  }
}

/** Null where nothing stands there any more, or what does is no lock: that is waited for, and told of in the end. */
function holderOf(path: string): LockFile | null {
  const read = readJson(path, largestBytes);
  if (read.kind !== "value") return null;
  const parsed = fileSchema.safeParse(read.value);
  return parsed.success ? parsed.data : null;
}

function isGone({ pid, startedAt, boot, namespace }: LockFile, { own, liveness }: LockHolders): boolean {
  // Whatever ran before the machine started is gone.
  if (boot !== own.boot && boot !== "" && own.boot !== "") return true;
  return liveness({ pid, startedAt, boot, namespace }) === "gone";
}

function isHeld(path: string, holder: LockFile | null): WispError {
  const who = holder === null ? "" : ` by process ${holder.pid}`;
  return new WispError("channel_unavailable", `${path} is held${who} and is not let go.`, {
    why: "Only one process at a time writes there.",
    fix: `Where no process of wisp writes, remove it: rm ${shellQuoted(path)}`,
    details: { path },
  });
}

function passed(durationMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(durationMs, resolve, true);
  });
}
