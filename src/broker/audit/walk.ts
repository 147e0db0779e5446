/** Walking the records of a log from its first on, and what can be wrong with one. */
import { readSync } from "node:fs";
import { isHashed, isOurs, type Link, type Placed, placedIn } from "./chain.js";
import type { Head } from "./head.js";
import { logName } from "./places.js";

/** What a log can be found to be. */
export type LogFault =
  /** The bytes of a record are not those that its hash was made of, or it has not our form. */
  | "hash_mismatch"
  /** A record is missing, there twice, or elsewhere than its number says. */
  | "seq_gap"
  /** A record does not follow the one before it. */
  | "chain_break"
  /** The signed head, or the anchor, says something else than the records; or a record says that the head once did. */
  | "head_mismatch"
  /** The head is not signed by us, or a record past it was not written by us. */
  | "bad_signature";

/** Where the first fault is. Of the head itself: its file, line 1, and no number. */
export interface BadPlace {
  /** The name of the file in `audit/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The number that the record has, or should have. */
  readonly seq: number | null;
}

/** A fault, and where. */
export interface Bad {
  readonly place: BadPlace;
  readonly fault: LogFault;
  /** What is wrong, for a person, behind the place: `records are missing before it`. */
  readonly says: string;
}

/** Goes through the files one after the other. */
export interface Walk {
  /**
   * Walks the open `file` from where it is read; null when all of it is good. Bytes after the last newline are a crash's
   * where `mayBeTorn`, else a fault. Throws the system error.
   */
  file(file: number, name: string, mayBeTorn: boolean): Bad | null;
  /** How many records were good. */
  records(): number;
  /** Where the next record would be. */
  next(): BadPlace;
}

const pieceBytes = 1024 * 1024;
/** No line of ours is nearly as long. */
const longestLine = 4 * 1024 * 1024;
const newline = 0x0a;

/** A fault, and what it says. */
type Wrong = readonly [LogFault, string];

const notWritten: Wrong = ["hash_mismatch", "it is not what was written"];

/** Starts where the head says. Without a head that is ours (null) every record must have a good mac. */
export function createWalk(head: Head | null, key: Uint8Array | null): Walk {
  let end: Link | null = head === null ? null : { seq: head.start.seq - 1, hash: head.start.prev };
  let records = 0;
  let name = logName;
  let line = 1;

  function wrongIn(bytes: Buffer, start: number, until: number, placed: Placed): Wrong | null {
    if (!isHashed(bytes, start, until, placed.hash)) return notWritten;
    const { seq, prev, hash, isStamped } = placed;
    if (end !== null && seq > end.seq + 1) return ["seq_gap", "records are missing before it"];
    if (end !== null && seq <= end.seq) return ["seq_gap", "it stands there twice, or elsewhere"];
    if (end !== null && prev !== end.hash) return ["chain_break", "it does not follow the record before it"];
    if (head?.seq === seq && head.hash !== hash) {
      return ["head_mismatch", "it is not the record that was signed"];
    }
    // A signed head speaks for all up to it; past it each speaks for itself.
    const isSigned = head !== null && seq <= head.seq;
    if (!isSigned && key === null) return ["bad_signature", "keys/root is missing: nothing is proved"];
    if (!isSigned && key !== null && !isOurs(bytes, start, until, key)) {
      return ["bad_signature", "it was not written by this home"];
    }
    // Where the head is wrong now, that is what is to be said.
    return isStamped && head !== null
      ? ["head_mismatch", "the head was not right when it was written"]
      : null;
  }

  /** Checks the whole lines in `bytes`; returns where the rest begins, or what is wrong. */
  function lines(bytes: Buffer): number | Bad {
    let start = 0;
    for (let until = bytes.indexOf(newline); until !== -1; until = bytes.indexOf(newline, start)) {
      const placed = placedIn(bytes, start, until);
      if (placed === null) return bad(notWritten, due());
      const wrong = wrongIn(bytes, start, until, placed);
      if (wrong !== null) return bad(wrong, wrong === notWritten ? due() : placed.seq);
      end = placed;
      records += 1;
      line += 1;
      start = until + 1;
    }
    return start;
  }

  function bad([fault, says]: Wrong, seq: number | null): Bad {
    return { place: { file: name, line, seq }, fault, says };
  }

  /** The number of the next record; null where that may be any. */
  function due(): number | null {
    return end === null ? null : end.seq + 1;
  }

  return {
    file(file, called, mayBeTorn) {
      name = called;
      line = 1;
      let bytes = Buffer.allocUnsafe(pieceBytes);
      let filled = 0;
      for (;;) {
        const read = readSync(file, bytes, filled, bytes.length - filled, null);
        if (read === 0) break;
        const rest = lines(bytes.subarray(0, filled + read));
        if (typeof rest !== "number") return rest;
        bytes.copyWithin(0, rest, filled + read);
        filled += read - rest;
        if (filled < bytes.length) continue;
        if (filled >= longestLine) return bad(notWritten, due());
        bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
      }
      return filled > 0 && !mayBeTorn ? bad(notWritten, due()) : null;
    },
    records: () => records,
    next: () => ({ file: name, line, seq: due() }),
  };
}
