/** A cheap look at the end of a log, for whoever shows it: only `verifyLog` looks at every record. */
import { eachLastLine } from "../files/last-lines.js";
import type { Keys } from "../request/seal.js";
import { chainLabel, isHashed, isOurs, type Link, type Placed, placedIn } from "./chain.js";
import { readHead } from "./head.js";
import { auditDirectory, logPathsNewestFirst } from "./places.js";
import { existingSigner } from "./signing-key.js";

/** Of each file so much is looked at: a head is never so far behind the records of our own. */
const lastBytes = 4 * 1024 * 1024;

/**
 * Why the log of the home at `path` would not verify, as far as its signed head and the records from it on say; null where
 * they agree, and where there is no log. Throws channel_unsafe for a key that is not ours alone.
 */
export function headDoubt(path: string, keys: Pick<Keys, "existingKey">): string | null {
  // While it is looked at a file may be put aside; that does not happen twice in a moment.
  return doubtOnce(path, keys) === null ? null : doubtOnce(path, keys);
}

function doubtOnce(path: string, keys: Pick<Keys, "existingKey">): string | null {
  const found = readHead(auditDirectory(path), existingSigner(path));
  if (found.kind === "bad") return `its signed head is not right (${found.fault})`;
  const head = found.kind === "good" ? found.head : null;
  const look: Look = { head, key: keys.existingKey(chainLabel), next: null };
  for (const file of logPathsNewestFirst(path)) {
    let doubt: string | null = null;
    let isReached = false;
    eachLastLine(file, lastBytes, (line) => {
      const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
      const placed = placedIn(bytes, 0, bytes.length);
      doubt = doubtOf(bytes, placed, look);
      look.next = placed;
      isReached = placed !== null && head !== null && placed.seq <= head.seq;
      return doubt === null && !isReached;
    });
    if (doubt !== null || isReached) return doubt;
  }
  // Without a head the first line was doubted.
  if (head === null) return null;
  const { next } = look;
  if (next === null) return head.seq > 0 ? "records are missing" : null;
  const follows = next.seq === head.seq + 1 && next.prev === head.hash;
  return follows ? null : "the records past its signed head do not follow it";
}

interface Look {
  /** Null: there is none. */
  readonly head: Link | null;
  /** Of the macs; null without a secret. */
  readonly key: Uint8Array | null;
  /** The record behind the one that is looked at. */
  next: Placed | null;
}

/** What is wrong with one line, from the last one on back to the one that the head names. */
function doubtOf(bytes: Buffer, placed: Placed | null, { head, key, next }: Look): string | null {
  if (placed === null) {
    return next === null ? "its last record has not the form of one" : "a line of it is no record";
  }
  const { seq, hash } = placed;
  if (head === null) return "it has no signed head";
  if (next === null && seq < head.seq) return "records are missing at its end";
  if (next !== null && (seq !== next.seq - 1 || hash !== next.prev)) {
    return `record ${next.seq} does not follow the one before it`;
  }
  if (seq === head.seq && hash !== head.hash) {
    return next === null
      ? "its last record is not the one that was signed"
      : `record ${seq} is not the one that was signed`;
  }
  if (!isHashed(bytes, 0, bytes.length, hash)) return `record ${seq} is not what was written`;
  if (seq === head.seq) return null;
  if (key === null) return "records at its end cannot be proved without the secret in keys/";
  return isOurs(bytes, 0, bytes.length, key) ? null : `record ${seq} was not written by this home`;
}
