/**
 * What git's index says is staged. Git writes the file anew for the times and sizes that it remembers beside that,
 * whenever somebody asks for the status: none of those count here.
 */
import { hash } from "node:crypto";

/**
 * A text that is the same for two indexes in which the same is staged. An index that cannot be understood (no checksum,
 * a part of it elsewhere, a later version) is taken whole: it changes too often rather than not at all.
 */
export function stagedIdentity(index: Buffer): string {
  const kind = kinds.find((one) => isWhole(index, one));
  const staged = kind === undefined ? null : entriesOf(index, kind.bytes);
  if (staged === null) return `whole ${hash("sha256", index, "hex")}`;
  return `staged ${hash("sha256", Buffer.concat(staged), "hex")}`;
}

/** The hashes that a repository may use, for its objects and behind its index. */
const kinds = [
  { name: "sha1", bytes: 20 },
  { name: "sha256", bytes: 32 },
] as const;
const headerBytes = 12;

/** Git puts a checksum behind all of it, from which it also shows which hash the repository uses. */
function isWhole(index: Buffer, { name, bytes }: (typeof kinds)[number]): boolean {
  if (index.length < headerBytes + bytes || index.toString("latin1", 0, 4) !== "DIRC") return false;
  const end = index.length - bytes;
  return hash(name, index.subarray(0, end), "hex") === index.toString("hex", end);
}

/** Offsets in an entry. Before the mode and between it and the object stand times, owner, size and inode. */
const modeAt = 24;
const objectAt = 40;
/** Two more bytes of flags follow. */
const isExtended = 0x4000;
/** The rest is the length of the name, as far as it goes. */
const flagBits = 0xf000;

/** Mode, object, flags and path of each entry; null where they cannot be read so. */
function entriesOf(index: Buffer, objectBytes: number): readonly Buffer[] | null {
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const end = index.length - objectBytes;
  const flagsAt = objectAt + objectBytes;
  const nameAt = flagsAt + 2;
  const parts: Buffer[] = [];
  let at = headerBytes;
  let path: Buffer = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    if (at + nameAt > end) return null;
    const flags = index.readUInt16BE(at + flagsAt);
    const more = version > 2 && (flags & isExtended) !== 0 ? 2 : 0;
    const name = at + nameAt + more;
    const start = version === 4 ? keptOf(index, name) : { kept: -1, from: name };
    if (start === null) return null;
    const { kept, from } = start;
    const zero = index.indexOf(0, from);
    if (zero < 0 || zero >= end || kept > path.length) return null;
    const rest = index.subarray(from, zero);
    path = kept < 0 ? rest : Buffer.concat([path.subarray(0, path.length - kept), rest]);
    parts.push(
      index.subarray(at + modeAt, at + modeAt + 4),
      index.subarray(at + objectAt, at + flagsAt),
      Buffer.from([(flags & flagBits) >> 8, ...index.subarray(at + nameAt, name)]),
      path,
      separator,
    );
    // Up to version 3 entries are padded to eight bytes, with one zero at least.
    at = version === 4 ? zero + 1 : at + ((zero - at + 8) & ~7);
  }
  return isElsewhere(index, at, end) ? null : parts;
}

const separator = Buffer.from([0]);

/** Enough for any length that a path can have. */
const mostDigits = 5;

/**
 * Version 4 says how many bytes of the path before this one fall away, in a number of its own spelling; null where that goes
 * on for longer than such a number does.
 */
function keptOf(index: Buffer, at: number): { readonly kept: number; readonly from: number } | null {
  let kept = -1;
  let from = at;
  for (const digit of index.subarray(at, at + mostDigits)) {
    // No shift: it would make a negative number of a large one.
    kept = (kept + 1) * 128 + (digit & 0x7f);
    from += 1;
    if (digit < 0x80) return { kept, from };
  }
  return null;
}

/** Is a part of the entries in another file? That stands behind them, among what only makes git faster. */
function isElsewhere(index: Buffer, after: number, end: number): boolean {
  for (let at = after; at + 8 <= end; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString("latin1", at, at + 4) === "link") return true;
  }
  return false;
}
