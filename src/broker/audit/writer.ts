/**
 * Appending under the lock. Invariants: a record is written only behind one of ours that is whole, and goes on from its
 * number and hash; what is wrong with the head or with what stands there is stamped into every record from then on, and stops
 * none.
 */
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, renameSync } from "node:fs";
import { join } from "node:path";
import { appendWhole, openAppending } from "../files/durable.js";
import { lookAt, stateOf } from "../files/look.js";
import { readOpened } from "../files/read.js";
import type { Clock } from "../system/clock.js";
import type { AuditEvent, EventOf } from "./audit-log.js";
import { beforeFirst, type HeadFault, type Link, lineOf } from "./chain.js";
import { type Head, readAnchor, readHead } from "./head.js";
import { asideIn, asideName, auditDirectory, logName } from "./places.js";
import type { Signer } from "./signing-key.js";
import { endsWith, firstIn, followsHead, type Tail, tailOf, tornIn } from "./tail.js";

/** When a file of the log is put aside, and how many of those are kept. */
export interface Rotation {
  readonly rotateBytes: number;
  readonly keep: number;
}

/** What a process writes with. */
export interface WriterParts {
  /** Of the home. */
  readonly path: string;
  readonly clock: Clock;
  readonly session: string;
  readonly key: Uint8Array;
  readonly signer: Signer;
  /** Asked before each writing; null where this process puts nothing aside. */
  readonly rotation: (() => Rotation) | null;
}

/** The log as this process left it. */
export interface Left {
  readonly link: Link;
  /** The number of the first record in the file; null where it is not ours. */
  readonly first: number | null;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: number;
  /** The same as long as nobody else writes. */
  readonly state: string;
}

/** What was written. Whoever asked for it closes `file`. */
export interface Written {
  readonly file: number;
  /** This process wrote into this file for the first time: its name may not be on disk. */
  readonly isNew: boolean;
}

/** Writes for one process. Its memory is what others cannot put back. */
export interface Writer {
  /** Only under the lock. Throws the system error, audit_unavailable; then nothing of it stands there. */
  write(events: readonly AuditEvent[]): Written;
  /** After the last writing that worked; null before the first. */
  left(): Left | null;
  /** What is wrong with the head, or with what stands there, as far as this process has found; null where nothing is. */
  fault(): HeadFault | null;
  /** The head was found to be wrong. */
  stamp(fault: HeadFault): void;
}

/** Where the file that is open stands. */
interface Standing {
  readonly file: number;
  readonly isNew: boolean;
  readonly size: number;
  readonly link: Link;
  readonly first: number | null;
  /** What must be said of it first. */
  readonly notes: readonly AuditEvent[];
}

/** So many files of others are looked into where one of ours is sought. */
const mostPassedOver = 64;

/** Reads nothing yet. */
export function createWriter({ path, clock, session, key, signer, rotation }: WriterParts): Writer {
  const directory = auditDirectory(path);
  const logPath = join(directory, logName);
  let left: Left | null = null;
  let fault: HeadFault | null = null;

  function standing(): Standing {
    const { file, stats } = openAppending(logPath);
    try {
      if (left !== null && stateOf(stats) === left.state) {
        return { file, isNew: false, notes: [], ...left };
      }
      const one = foundAgain(file, Number(stats.size), stats.ino);
      if (one.file !== file) closeSync(file);
      return one;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Somebody else wrote, or this process writes for the first time. */
  function foundAgain(file: number, fullSize: number, ino: bigint): Standing {
    const torn = tornIn(file, fullSize);
    if (torn === "foreign") return afterForeign(fullSize);
    if (torn !== null) ftruncateSync(file, torn.at);
    const size = torn?.at ?? fullSize;
    const before = size === 0 ? lastAside() : null;
    const tail = before === null ? tailOf(file, size, key) : before.tail;
    fault ??=
      tail.headFault ??
      (tail.hasForeign ? "records_not_ours" : null) ??
      (left === null ? headFaultOf(file, size, tail.link) : memoryFault(left, file, ino, tail.link));
    const first = size === 0 ? tail.link.seq + 1 : (firstIn(file, key)?.seq ?? null);
    const notes: AuditEvent[] = [];
    if (before !== null) notes.push(rotated({ file: before.name, found: true }));
    if (torn !== null) {
      const { bytes, sha256 } = torn;
      notes.push({ kind: "log.repaired", call: null, verified: { bytes, sha256 } });
    }
    return { file, isNew: ino !== left?.ino, size, link: tail.link, first, notes };
  }

  /** What ends in so much that is not ours is kept as it is, under a name of no file of the log, and a new one begun. */
  function afterForeign(bytes: number): Standing {
    const name = `foreign.${Buffer.from(clock.randomBytes(4)).toString("hex")}`;
    renameSync(logPath, join(directory, name));
    fault ??= "records_not_ours";
    const next = openAppending(logPath);
    try {
      const one = foundAgain(next.file, Number(next.stats.size), next.stats.ino);
      const note: AuditEvent = {
        kind: "log.repaired",
        call: null,
        verified: { bytes, sha256: null, file: name },
      };
      return { ...one, notes: [...one.notes, note] };
    } catch (error) {
      closeSync(next.file);
      throw error;
    }
  }

  /**
   * A process that put the file aside died before it wrote the next one. Somebody else's file under a later name is no such
   * file: what it holds is not what it is called. Null where nothing was put aside.
   */
  function lastAside(): { readonly name: string; readonly tail: Tail } | null {
    const [...aside] = asideIn(directory);
    aside.sort((left, right) => right.last - left.last);
    for (const { name, last } of aside.slice(0, mostPassedOver)) {
      const tail = readOpened(join(directory, name), Number.MAX_SAFE_INTEGER, (file, stats) =>
        tailOf(file, Number(stats.size), key),
      );
      if (!("kind" in tail) && tail.link.seq === last) return { name, tail };
    }
    const [newest] = aside;
    if (newest === undefined) return null;
    return { name: newest.name, tail: { link: beforeFirst, hasForeign: true, headFault: null } };
  }

  function headFaultOf(file: number, size: number, { seq, hash }: Link): HeadFault | null {
    const found = readHead(directory, signer);
    if (found.kind === "missing") return "head_missing";
    if (found.kind === "bad") return found.fault;
    const { head } = found;
    if (seq < Math.max(head.seq, readAnchor(path).seq)) return "records_missing";
    if (seq >= head.start.seq && !hasStart(file, head.start)) return "records_missing";
    const isGood = seq === head.seq ? hash === head.hash : followsHead(file, size, head, key);
    return isGood ? null : "records_not_ours";
  }

  /** Does the open `file`, or one that was put aside, begin where the head says? What else lies there proves nothing. */
  function hasStart(file: number, start: Head["start"]): boolean {
    const isStart = (one: number): boolean => {
      const first = firstIn(one, key);
      return first?.seq === start.seq && first.prev === start.prev;
    };
    if (isStart(file)) return true;
    return asideIn(directory)
      .filter(({ first, last }) => first <= start.seq && start.seq <= last)
      .slice(0, mostPassedOver)
      .some(({ name }) => readOpened(join(directory, name), Number.MAX_SAFE_INTEGER, isStart) === true);
  }

  /** Whoever puts back an old log with its old head cannot put back what this process remembers. */
  function memoryFault({ link, ...was }: Left, file: number, ino: bigint, now: Link): HeadFault | null {
    if (now.seq < link.seq) return "records_missing";
    if (ino === was.ino) return endsWith(file, was.size, link.hash) ? null : "records_missing";
    const aside = asideIn(directory).filter(({ first, last }) => first <= link.seq && link.seq <= last);
    if (aside.length === 0) {
      const found = readHead(directory, signer);
      return found.kind === "good" && found.head.start.seq > link.seq ? null : "records_missing";
    }
    const isThere = aside
      .slice(0, mostPassedOver)
      .some(
        ({ name }) =>
          readOpened(join(directory, name), Number.MAX_SAFE_INTEGER, (opened) =>
            endsWith(opened, was.size, link.hash),
          ) === true,
      );
    return isThere ? null : "records_missing";
  }

  /** Puts a file that is too long aside, and opens the next. */
  function turned(one: Standing): Standing {
    const { file, size, link, first } = one;
    if (rotation === null || first === null || size <= rotation().rotateBytes) return one;
    const due = asideName(first, link.seq);
    // Somebody else put something there: to rename would replace it.
    const isTaken = lookAt(join(directory, due)) !== null;
    const name = isTaken
      ? asideName(first, link.seq, Buffer.from(clock.randomBytes(4)).toString("hex"))
      : due;
    if (isTaken && lookAt(join(directory, name)) !== null) return one;
    // The head may name any of them, and says what is on disk.
    fdatasyncSync(file);
    renameSync(logPath, join(directory, name));
    const next = openAppending(logPath);
    closeSync(file);
    return {
      ...one,
      file: next.file,
      isNew: true,
      size: 0,
      first: link.seq + 1,
      notes: [rotated(isTaken ? { file: name, taken: due } : { file: name }), ...one.notes],
    };
  }

  function append(one: Standing, events: readonly AuditEvent[]): void {
    let { link } = one;
    const parts = { ts: clock.now(), session, headFault: fault, key };
    let text = "";
    for (const event of [...one.notes, ...events]) {
      const made = lineOf(event, link, parts);
      text += made.line;
      link = made.link;
    }
    appendWhole(one.file, one.size, text);
    const stats = fstatSync(one.file, { bigint: true });
    const { dev, ino } = stats;
    left = { link, first: one.first, dev, ino, size: Number(stats.size), state: stateOf(stats) };
  }

  return {
    write(events) {
      let one = standing();
      try {
        one = turned(one);
        append(one, events);
        return { file: one.file, isNew: one.isNew };
      } catch (error) {
        // What was cut off or put aside stays so; what is remembered is looked up again.
        closeSync(one.file);
        throw error;
      }
    },
    left: () => left,
    fault: () => fault,
    stamp(found) {
      fault ??= found;
    },
  };
}

function rotated(verified: EventOf<"log.rotated">["verified"]): AuditEvent {
  return { kind: "log.rotated", call: null, verified };
}
