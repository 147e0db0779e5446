/**
 * Signs how far the log goes, after the fact: what it takes is no part of an append. Invariants: a head names only records
 * that are on disk; it takes the place of one that is ours, and only forward; its start moves only over files that our own
 * records name; a file goes only once the head on disk begins after it. The anchor waits for no head: what becomes of that
 * anybody of this account can decide, and below `keys/` nobody whom the log is to hold.
 */
import { closeSync, constants, fdatasync, openSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory, synced } from "../files/durable.js";
import { removeQuietly } from "../files/remove.js";
import { prepare, replaceNow } from "../files/replace.js";
import { WispError } from "../request/errors.js";
import type { Link } from "./chain.js";
import {
  type Anchor,
  anchorName,
  anchorText,
  type Head,
  headText,
  readAnchor,
  readHead,
  saidBy,
} from "./head.js";
import { auditDirectory, fewAsideIn, headName, logName, mostNames } from "./places.js";
import { startAfter } from "./row.js";
import type { Writer, WriterParts } from "./writer.js";

/** What the head is kept with. */
export interface HeadParts extends WriterParts {
  readonly writer: Writer;
  /** Runs `run` under the lock, which may have to be waited for. */
  readonly locked: (run: () => void) => Promise<void>;
}

/** A file that goes on with the log. */
interface Followed {
  readonly directory: string;
  readonly name: string;
  /** What it says now: while that is the same, what is due is the same. */
  readonly said: () => string | null;
  /** What it is to say; null where that is what it says, and where nothing may be written. */
  readonly due: () => string | null;
}

/** Others write it as well; whoever comes later looks again. */
const mostTries = 5;

/** Returns what signs how far the log was written. It rejects where that cannot be done; then the head stays behind. */
export function createHeadKeeping(parts: HeadParts): () => Promise<void> {
  const { path, clock, key, signer, rotation, writer, locked } = parts;
  const directory = auditDirectory(path);
  const keys = join(path, "keys");

  /** Where the log begins when as many files are kept as are to be. */
  function startFrom({ start }: Head): Head["start"] {
    return rotation === null ? start : startAfter(directory, start, rotation().keep, key);
  }

  /** Writes what is due, on disk when it resolves. */
  async function follow({ directory: at, name, said, due }: Followed): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const before = said();
      const text = due();
      if (text === null) return;
      if (await replaced(at, name, text, () => said() === before)) return;
    }
    // Somebody is always quicker. From looking to writing nothing is awaited now, and what goes wrong is told.
    await locked(() => {
      const text = due();
      if (text !== null) replaceNow(at, name, text, clock);
    });
  }

  async function replaced(at: string, name: string, text: string, isStill: () => boolean): Promise<boolean> {
    const prepared = await prepare(at, name, text, clock);
    let isDone = false;
    try {
      await locked(() => {
        if (!isStill()) return;
        prepared.replace();
        isDone = true;
      });
    } catch (error) {
      // Whoever may write there can take away what was prepared. That nobody gets the lock is no matter of trying again.
      if (error instanceof WispError) throw error;
      return false;
    } finally {
      if (!isDone) prepared.drop();
    }
    if (isDone) await syncDirectory(at);
    return isDone;
  }

  /** The head that stands there when this is done, at least as far as `link`; null where it is not ours. */
  async function signed(link: Link): Promise<Head | null> {
    let head: Head | null = null;
    await follow({
      directory,
      name: headName,
      said: () => saidBy(readHead(directory, signer)),
      due() {
        head = null;
        if (writer.fault() !== null) return null;
        const found = readHead(directory, signer);
        if (found.kind !== "good") {
          writer.stamp(found.kind === "missing" ? "head_missing" : found.fault);
          return null;
        }
        const { seq, hash } = link.seq > found.head.seq ? link : found.head;
        head = { seq, hash, start: startFrom(found.head) };
        const isThere = seq === found.head.seq && head.start.seq === found.head.start.seq;
        return isThere ? null : headText(head, signer);
      },
    });
    return head;
  }

  /** `head` only once it is on disk: after a loss of power an older one would be one that somebody put back. */
  async function anchor(seq: number, head: Head | null): Promise<void> {
    const due = (): string | null => {
      const was = readAnchor(path);
      const now: Anchor = {
        seq: Math.max(was.seq, seq, head?.seq ?? 0),
        start: Math.max(was.start, head?.start.seq ?? 1),
        head: Math.max(was.head, head?.seq ?? 0),
      };
      return anchorText(now) === anchorText(was) ? null : anchorText(now);
    };
    try {
      await follow({ directory: keys, name: anchorName, said: () => anchorText(readAnchor(path)), due });
    } catch {
      // The lock lies where the log does. Whoever keeps it from us keeps the anchor back no longer.
      const text = due();
      if (text !== null) replaceNow(keys, anchorName, text, clock);
    }
  }

  return async () => {
    const left = writer.left();
    if (left === null) return;
    let head: Head | null = null;
    try {
      await syncLog(directory);
      head = await signed(left.link);
    } finally {
      await anchor(left.link.seq, head);
    }
    const aside = fewAsideIn(directory);
    if (aside === null) throw tooManyNames(directory);
    if (head === null) return;
    for (const { name, last } of aside) {
      if (last < head.start.seq) removeQuietly(join(directory, name));
    }
  };
}

function tooManyNames(directory: string): WispError {
  return new WispError(
    "audit_unavailable",
    `${directory} holds more than ${mostNames} names, so no file of it goes.`,
    {
      fix: "Move away what no file of the log is; wisp audit verify names it.",
    },
  );
}

/** What was put aside was put on disk before. So must be the names: another append may have put a file aside just now. */
async function syncLog(directory: string): Promise<void> {
  // Somebody may have put a pipe there, which would keep us waiting.
  const file = openSync(
    join(directory, logName),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    await synced(file, fdatasync);
  } finally {
    closeSync(file);
  }
  await syncDirectory(directory);
}
