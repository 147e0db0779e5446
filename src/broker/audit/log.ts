/**
 * `audit/log.jsonl`: one line a record, chained (chain.ts), written by one process at a time (lock.ts), signed afterwards
 * (keep-head.ts). Invariants: an append that was asked to be durable resolves only when its lines are on disk; the order of
 * the calls of a process is the order in the file.
 */
import { closeSync, fdatasync } from "node:fs";
import { syncDirectory, synced } from "../files/durable.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { errnoOf, WispError } from "../request/errors.js";
import type { Timer } from "../system/clock.js";
import type { AuditEvent, AuditLog } from "./audit-log.js";
import { openWriting, type Writing, type WritingOptions } from "./open.js";
import { auditDirectory } from "./places.js";
import type { Written } from "./writer.js";

/** Where the lines go, and when their head is signed. */
export interface AuditLogOptions extends WritingOptions {
  /** Makes the home where it is missing, judges it, and returns its path. Called before each append. */
  readonly home: () => string;
  /** How long after an append the head is signed. 0: before the process ends. */
  readonly headDelayMs: number;
}

/** The log of one process. */
export interface FileAuditLog extends AuditLog {
  /** Signs how far it went, and leaves. Nothing depends on it. Never rejects. */
  close(): Promise<void>;
}

/** Makes and opens nothing before the first append; processes may share the file. */
export function openAuditLog(options: AuditLogOptions): FileAuditLog {
  const { home, clock, headDelayMs } = options;
  let writing: Writing | null = null;
  /** Appends that could not be written at once, one after the other. */
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;
  let timer: Timer | null = null;
  let signing: Promise<void> = Promise.resolve();

  function inQueue<T>(job: () => Promise<T>): Promise<T> {
    queued += 1;
    const done = queue.then(job).finally(() => {
      queued -= 1;
    });
    queue = done.catch(() => {
      // Whoever asked for it hears of it.
    });
    return done;
  }

  async function write(path: string, events: readonly AuditEvent[]): Promise<Written> {
    if (writing?.path !== path) writing = await openWriting(path, options);
    const { turns, writer } = writing;
    return await turns.later(() => writer.write(events));
  }

  /** Before the first await of a call, so that the order of calls is that of the lines. */
  function writeNow(path: string, events: readonly AuditEvent[]): Written | null {
    if (queued > 0 || writing?.path !== path) return null;
    const { turns, writer } = writing;
    return turns.now(() => writer.write(events));
  }

  function signLater(): void {
    timer ??= clock.after(headDelayMs, sign, headDelayMs === 0);
  }

  function sign(): void {
    timer?.cancel();
    timer = null;
    signing = signing
      .then(() => writing?.keepHead())
      .catch(() => {
        // The head stays behind; the next append tries again.
      });
  }

  return {
    async append(events, durability) {
      try {
        const path = home();
        const directory = auditDirectory(path);
        ensureSafeDirectory(directory);
        if (events.length === 0) return;
        const written = writeNow(path, events) ?? (await inQueue(() => write(path, events)));
        await putOnDisk(written, directory, durability === "durable");
        signLater();
      } catch (error) {
        throw new WispError("audit_unavailable", "The audit log cannot be written.", {
          ...(error instanceof WispError ? { why: error.message, fix: error.fix } : { why: whyOf(error) }),
          cause: error,
        });
      }
    },
    async close() {
      if (timer !== null) sign();
      await signing;
      writing?.turns.close();
    },
  };
}

async function putOnDisk({ file, isNew }: Written, directory: string, isDurable: boolean): Promise<void> {
  try {
    if (isDurable) await synced(file, fdatasync);
    // Lines on disk are lost all the same while the name of their file is not.
    if (isNew) await syncDirectory(directory);
  } finally {
    closeSync(file);
  }
}

function whyOf(error: unknown): string {
  return errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
}
