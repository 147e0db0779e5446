/**
 * `audit/log.jsonl`: one line a record, chained (chain.ts), written by one process at a time (lock.ts), signed afterwards
 * (keep-head.ts). Invariants: an append that was asked to be durable resolves only when its lines are on disk; the order of
 * the calls of a process is the order in the file.
 */
import { closeSync, fdatasync } from "node:fs";
import { syncDirectory, synced } from "../files/durable.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { errnoOf, WispError } from "../request/errors.js";
import { shownText } from "../request/shown.js";
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
  /** Hears that the head or the anchor could not be written: once, until they were. */
  readonly say?: (line: string) => void;
}

/** The log of one process. */
export interface FileAuditLog extends AuditLog {
  /** Signs how far it went, once more where that failed before, and leaves. Never rejects. */
  close(): Promise<void>;
}

/** So long after a signing that failed the next one comes, if no append has it sooner. */
const signAgainMs = 5_000;

/** Makes and opens nothing before the first append; processes may share the file. */
export function openAuditLog(options: AuditLogOptions): FileAuditLog {
  const { home, clock, headDelayMs, say } = options;
  let writing: Writing | null = null;
  /** Appends that could not be written at once, one after the other. */
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;
  let timer: Timer | null = null;
  let signing: Promise<void> = Promise.resolve();
  /** Something was written that no head is known to cover. */
  let isBehind = false;
  let isSaid = false;

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
    isBehind = true;
    timer ??= clock.after(headDelayMs, sign, headDelayMs === 0);
  }

  function sign(): void {
    timer?.cancel();
    timer = null;
    signing = signing.then(async () => {
      isBehind = false;
      try {
        await writing?.keepHead();
        isSaid = false;
      } catch (error) {
        isBehind = true;
        if (!isSaid) say?.(unsignedLine(error));
        isSaid = true;
        // Nobody waits for it, so a process that has nothing else to do may end.
        timer ??= clock.after(signAgainMs, sign);
      }
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
      await signing;
      if (isBehind) sign();
      await signing;
      timer?.cancel();
      timer = null;
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

function unsignedLine(error: unknown): string {
  const why = error instanceof WispError ? error.message : whyOf(error);
  return `The audit log could not be signed to its end: ${shownText(why)} It is tried again.`;
}
