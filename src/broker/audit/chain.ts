/**
 * How a line of the log is made and checked. Its form is fixed:
 * `{"v":1,"seq":N,"ts":…,"prev":"<64 hex>","kind":…,"session":…,"call":…,"verified":{},"selfReported":{},"details":{},"mac":"<64 hex>","hash":"<64 hex>"}`
 * with `"head_fault":"…"` before `mac` where the head was not right when it was written. `mac` is HMAC-SHA256 over the bytes
 * before it, closed by `}`; `hash` SHA-256 over the bytes before it, closed by `}`, so over `mac` as well; `prev` the hash of
 * the line before. Invariant: each byte of a log but its last newline is held by a hash.
 */
import { createHmac, hash as hashOf, timingSafeEqual } from "node:crypto";
import type { AuditEvent } from "./audit-log.js";

/** Where a chain stands: the number and the hash of a record. */
export interface Link {
  readonly seq: number;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** Where a chain stands before its first record. */
export const beforeFirst: Link = { seq: 0, hash: "0".repeat(64) };

/** What the key of the macs is derived with. */
export const chainLabel = "wisp/audit/v1";

/** What was wrong with the signed head when a record was written, as it stands under `head_fault`. */
export const headFaults = [
  "head_missing",
  "head_unreadable",
  "head_not_signed",
  "records_missing",
  "records_not_ours",
] as const;
/** One of them. */
export type HeadFault = (typeof headFaults)[number];

/** A line as JSON reads it. Times are epoch milliseconds. */
export interface AuditRecord {
  readonly v: 1;
  /** From 1, without a gap. */
  readonly seq: number;
  readonly ts: number;
  readonly prev: string;
  /** Which process wrote it: the instance of a server, or the name of a face. */
  readonly session: string;
  readonly kind: string;
  readonly call: string | null;
  readonly verified: Readonly<Record<string, unknown>>;
  readonly selfReported: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly head_fault?: HeadFault;
  readonly mac: string;
  readonly hash: string;
}

/** What a line says beside its event. */
export interface LineParts {
  readonly ts: number;
  readonly session: string;
  readonly headFault: HeadFault | null;
  readonly key: Uint8Array;
}

/** The line of `event`, with its newline, right after `before`; and where the chain stands then. */
export function lineOf(
  event: AuditEvent,
  before: Link,
  { ts, session, headFault, key }: LineParts,
): { readonly line: string; readonly link: Link } {
  const seq = before.seq + 1;
  const body = JSON.stringify({
    v: 1,
    seq,
    ts,
    prev: before.hash,
    kind: event.kind,
    session,
    call: event.call,
    verified: event.verified ?? {},
    selfReported: event.selfReported ?? {},
    details: event.details ?? {},
    ...(headFault === null ? {} : { head_fault: headFault }),
  });
  const withMac = `${body.slice(0, -1)},"mac":"${macOf(body, key)}"}`;
  const hash = hashOf("sha256", withMac);
  return { line: `${withMac.slice(0, -1)},"hash":"${hash}"}\n`, link: { seq, hash } };
}

/** What stands at the fixed places of a line. Offsets are those of the buffer it was found in. */
export interface Placed {
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
  readonly isStamped: boolean;
}

const beforeSeq = Buffer.from('{"v":1,"seq":');
const beforeTime = Buffer.from(',"ts":');
const beforePrev = Buffer.from(',"prev":"');
const beforeMac = Buffer.from(',"mac":"');
const beforeHash = Buffer.from(',"hash":"');
const digits = 64;
/** From the comma before `hash` to the end of the line. */
const hashTail = beforeHash.length + digits + 2;
/** From the comma before `mac` to the one before `hash`. */
const macTail = beforeMac.length + digits + 1;

const quote = 0x22;
const brace = 0x7d;

/** Reads the line from `start` to `end` (without its newline) by position; null where it has not our form. */
export function placedIn(bytes: Buffer, start: number, end: number): Placed | null {
  const tailAt = end - hashTail;
  const macAt = tailAt - macTail;
  if (macAt <= start || !isAt(bytes, start, beforeSeq)) return null;
  const seqAt = start + beforeSeq.length;
  const seqEnd = digitsFrom(bytes, seqAt);
  if (seqEnd === seqAt || !isAt(bytes, seqEnd, beforeTime)) return null;
  const timeAt = seqEnd + beforeTime.length;
  const timeEnd = digitsFrom(bytes, timeAt);
  if (timeEnd === timeAt || !isAt(bytes, timeEnd, beforePrev)) return null;
  const prevAt = timeEnd + beforePrev.length;
  if (prevAt + digits >= macAt || bytes[prevAt + digits] !== quote) return null;
  if (!isAt(bytes, macAt, beforeMac) || !isAt(bytes, tailAt, beforeHash)) return null;
  if (bytes[tailAt - 1] !== quote || bytes[end - 2] !== quote || bytes[end - 1] !== brace) return null;
  const hashAt = tailAt + beforeHash.length;
  return {
    seq: numberAt(bytes, seqAt, seqEnd),
    prev: bytes.toString("latin1", prevAt, prevAt + digits),
    hash: bytes.toString("latin1", hashAt, hashAt + digits),
    // Without a stamp the last byte before the mac closes `details`.
    isStamped: bytes[macAt - 1] === quote,
  };
}

/** Does the line's hash hold its bytes? Only for a line with a place. The buffer is as before when this returns. */
export function isHashed(bytes: Buffer, start: number, end: number, hash: string): boolean {
  return closedAt(bytes, end - hashTail, (until) => hashOf("sha256", bytes.subarray(start, until)) === hash);
}

/** Did somebody write this line who holds `key`? The same holds. */
export function isOurs(bytes: Buffer, start: number, end: number, key: Uint8Array): boolean {
  const macAt = end - hashTail - macTail;
  const mac = bytes.toString("latin1", macAt + beforeMac.length, macAt + beforeMac.length + digits);
  return closedAt(bytes, macAt, (until) => isSame(macOf(bytes.subarray(start, until), key), mac));
}

/** Is `line` one of ours, whole, unaltered and written with `key`? Its place if so, else null. */
export function ownPlace(line: Uint8Array, key: Uint8Array): Placed | null {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const placed = placedIn(bytes, 0, bytes.length);
  if (placed === null || !isHashed(bytes, 0, bytes.length, placed.hash)) return null;
  return isOurs(bytes, 0, bytes.length, key) ? placed : null;
}

/** Runs `check` on the bytes up to `at`, closed by a brace in place of the comma: a copy of each line would cost more. */
function closedAt(bytes: Buffer, at: number, check: (until: number) => boolean): boolean {
  const comma = bytes.readUInt8(at);
  bytes[at] = brace;
  try {
    return check(at + 1);
  } finally {
    bytes[at] = comma;
  }
}

function macOf(bytes: string | Uint8Array, key: Uint8Array): string {
  return createHmac("sha256", key).update(bytes).digest("hex");
}

/** In the same time wherever they differ. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, "latin1"), Buffer.from(right, "latin1"));
}

function isAt(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}

function digitsFrom(bytes: Buffer, at: number): number {
  let end = at;
  // Sixteen digits are more than any number that is exact.
  while (end - at < 16 && isDigit(bytes[end])) end += 1;
  return end;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function numberAt(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + bytes.readUInt8(at) - 0x30;
  return value;
}
