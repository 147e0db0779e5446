/**
 * The one reader of files that others can write. Opens once without following links and without blocking, looks
 * at what was opened, reads that handle, never the path again. A FIFO, device, socket, link or directory costs
 * nothing.
 */
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errnoOf, expectErrno } from "../request/errors.js";
import { type JsonObjection, parseStrictJson } from "../request/strict-json.js";

/** Size limits in bytes of what lies in the channel. */
export const sizeLimits = { request: 256 * 1024, answer: 64 * 1024, record: 256 * 1024 } as const;

/** Why a file was not taken. Says nothing of what stands in it. */
export type ReadObjection =
  | JsonObjection
  | "symbolic link"
  | "not a regular file"
  | "another owner"
  | "open to others"
  | "too large"
  | "changed while it was read"
  | `cannot be read (${string})`;

/** What reading gave. `stats` are of the open handle, hence of these bytes; null where it could not be asked. */
export type ReadResult =
  | { readonly kind: "value"; readonly value: unknown; readonly stats: BigIntStats }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly objection: ReadObjection; readonly stats: BigIntStats | null };

/** Reads `path` as strict JSON of at most `limit` bytes. */
export function readJson(path: string, limit: number): ReadResult {
  const result = readBytes(path, limit);
  if (result.kind !== "bytes") return result;
  const parsed = parseStrictJson(result.bytes);
  return parsed.ok
    ? { kind: "value", value: parsed.value, stats: result.stats }
    : { kind: "refused", objection: parsed.objection, stats: result.stats };
}

/** What reading a file whole gave. */
export type BytesResult =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly stats: BigIntStats }
  | Exclude<ReadResult, { kind: "value" }>;

/** Reads `path` whole, of at most `limit` bytes, by the same rules. */
export function readBytes(path: string, limit: number): BytesResult {
  return readOpened(path, limit, readWhole);
}

/** The same for a file that may be anybody's and open to anybody: what it says must only ever make stricter. */
export function readAnybodys(path: string, limit: number): BytesResult {
  return opened(path, (stats) => objectionToKind(stats, limit), readWhole);
}

/** Opens `path`, of at most `limit` bytes, by the same rules, and hands the handle to `use`, which must not keep it. */
export function readOpened<T>(
  path: string,
  limit: number,
  use: (file: number, stats: BigIntStats) => T,
): T | Exclude<ReadResult, { kind: "value" }> {
  return opened(path, (stats) => objectionToFile(stats, limit), use);
}

function opened<T>(
  path: string,
  objectionTo: (stats: BigIntStats) => ReadObjection | null,
  use: (file: number, stats: BigIntStats) => T,
): T | Exclude<ReadResult, { kind: "value" }> {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    return whyNotOpened(errnoOf(error));
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    const objection = objectionTo(stats);
    return objection === null ? use(file, stats) : { kind: "refused", objection, stats };
  } catch (error) {
    // What `use` throws beside that is about something else than this file.
    return { kind: "refused", objection: `cannot be read (${expectErrno(error)})`, stats: null };
  } finally {
    closeSync(file);
  }
}

function whyNotOpened(errno: string | null): Exclude<ReadResult, { kind: "value" }> {
  switch (errno) {
    case "ENOENT":
    case "ENOTDIR":
      return { kind: "missing" };
    case "ELOOP":
    case "EMLINK": // what BSD says for O_NOFOLLOW on a link
      return { kind: "refused", objection: "symbolic link", stats: null };
    case "ENXIO": // a socket, or a FIFO nobody holds
    case "ENODEV":
    case "EOPNOTSUPP":
      return { kind: "refused", objection: "not a regular file", stats: null };
    default:
      return { kind: "refused", objection: `cannot be read (${errno})`, stats: null };
  }
}

function objectionToFile(stats: BigIntStats, limit: number): ReadObjection | null {
  if (!stats.isFile()) return "not a regular file";
  const uid = process.geteuid?.();
  if (uid !== undefined && stats.uid !== BigInt(uid)) return "another owner";
  if ((stats.mode & 0o077n) !== 0n) return "open to others";
  return objectionToKind(stats, limit);
}

function objectionToKind(stats: BigIntStats, limit: number): ReadObjection | null {
  if (!stats.isFile()) return "not a regular file";
  return stats.size > BigInt(limit) ? "too large" : null;
}

/** One byte of room more than the size that was judged shows a file that grows under the reader. */
function readWhole(file: number, stats: BigIntStats): BytesResult {
  const size = Number(stats.size);
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length <= size) {
    const asked = size + 1 - length;
    const read = readSync(file, buffer, length, asked, length);
    length += read;
    // A regular file gives less than was asked only at its end.
    if (read < asked) break;
  }
  return length === size
    ? { kind: "bytes", bytes: buffer.subarray(0, size), stats }
    : { kind: "refused", objection: "changed while it was read", stats };
}
