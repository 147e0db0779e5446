/**
 * Signs how far the log goes, after the fact: what it takes is no part of an append. Invariants: a head names only records
 * that are on disk; it takes the place of one that is ours, and only forward; its start moves only over files that our own
 * records name; a file goes only once the head on disk begins after it.
 */
import { closeSync, constants, fdatasync, openSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory, synced } from "../files/durable.js";
import { removeQuietly } from "../files/remove.js";
import { prepare } from "../files/replace.js";
import { anchorName, anchorText, type Head, headText, isUnchanged, readAnchor, readHead } from "./head.js";
import { asideIn, auditDirectory, headName, logName } from "./places.js";
import { startAfter } from "./row.js";
import type { Writer, WriterParts } from "./writer.js";

/** What the head is kept with. */
export interface HeadParts extends WriterParts {
  readonly writer: Writer;
  /** Runs `run` under the lock, which may have to be waited for. */
  readonly locked: (run: () => void) => Promise<void>;
}

/** Others sign as well; whoever comes later looks again. */
const mostTries = 5;

/** Returns what signs how far the log was written. It rejects where that cannot be done; then the head stays behind. */
export function createHeadKeeping(parts: HeadParts): () => Promise<void> {
  const { path, clock, key, signer, rotation, writer, locked } = parts;
  const directory = auditDirectory(path);

  /** Where the log begins when as many files are kept as are to be. */
  function startFrom({ start }: Head): Head["start"] {
    return rotation === null ? start : startAfter(directory, start, rotation().keep, key);
  }

  /** The head that stands there when this is done; null where it is not ours. */
  async function signed(): Promise<Head | null> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const left = writer.left();
      if (left === null || left.headFault !== null) return null;
      const found = readHead(directory, signer);
      if (found.kind !== "good") {
        writer.stamp(found.kind === "missing" ? "head_missing" : found.fault);
        return null;
      }
      const { seq, hash } = left.link.seq > found.head.seq ? left.link : found.head;
      const head = { seq, hash, start: startFrom(found.head) };
      if (seq === found.head.seq && head.start.seq === found.head.start.seq) return head;
      await syncLog(directory);
      const prepared = await prepare(directory, headName, headText(head, signer), clock);
      let isDone = false;
      try {
        await locked(() => {
          isDone = isUnchanged(directory, found);
          if (isDone) prepared.replace();
        });
      } finally {
        if (!isDone) prepared.drop();
      }
      if (!isDone) continue;
      await syncDirectory(directory);
      return head;
    }
    return null;
  }

  /** Only once the head is on disk: after a loss of power an older one would be one that somebody put back. */
  async function anchor(head: Head): Promise<void> {
    const keys = join(path, "keys");
    const isBehind = (): boolean => {
      const { seq, start } = readAnchor(path);
      return seq < head.seq || (seq === head.seq && start < head.start.seq);
    };
    if (!isBehind()) return;
    const prepared = await prepare(keys, anchorName, anchorText(head), clock);
    let isDone = false;
    try {
      await locked(() => {
        isDone = isBehind();
        if (isDone) prepared.replace();
      });
    } finally {
      if (!isDone) prepared.drop();
    }
    if (isDone) await syncDirectory(keys);
  }

  return async () => {
    const head = await signed();
    if (head === null) return;
    await anchor(head);
    for (const { name, last } of asideIn(directory)) {
      if (last < head.start.seq) removeQuietly(join(directory, name));
    }
  };
}

/** What was put aside was put on disk before. So must be the names: another append may have put a file aside just now. */
async function syncLog(directory: string): Promise<void> {
  const file = openSync(join(directory, logName), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await synced(file, fdatasync);
  } finally {
    closeSync(file);
  }
  await syncDirectory(directory);
}
