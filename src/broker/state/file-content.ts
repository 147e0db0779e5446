/**
 * What a regular file holds, read a piece at a time so that nobody else waits. Invariant: nothing but a regular file is ever
 * opened; a pipe would keep us waiting, and a device may do something for being opened.
 */
import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { expectErrno } from "../request/errors.js";

/** What was read of a file. */
export interface FileContent {
  /** So many bytes were read, to the end of the file as it was then. */
  readonly size: number;
  /** Over these, in hex. */
  readonly sha256: string;
  /** The bytes themselves, where they are no more than was asked for; null where they are. */
  readonly bytes: Buffer | null;
}

/** Why nothing was read. `stats` are of the file. */
export type ContentRead =
  | { readonly kind: "content"; readonly content: FileContent }
  | { readonly kind: "large"; readonly stats: BigIntStats }
  | { readonly kind: "unread"; readonly errno: string }
  | { readonly kind: "no file" };

/** Larger files are known by their size and times: hashing one would keep the call waiting for longer than its sending. */
export const largestHashed = 64 * 1024 * 1024;

const pieceBytes = 256 * 1024;
const opening = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Reads the file at `path`, by no link; keeps its bytes up to `mostKept`. Rejects with nothing but faults of the program. */
export async function readContent(path: string | Buffer, mostKept: number): Promise<ContentRead> {
  let file: FileHandle | null = null;
  try {
    // Looked at before it is opened, and again when it is: what a name leads to may change in between.
    if (!(await lstat(path)).isFile()) return { kind: "no file" };
    file = await open(path, opening);
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return { kind: "no file" };
    if (stats.size > BigInt(largestHashed)) return { kind: "large", stats };
    const content = await hashed(file, mostKept);
    // It grows while it is read.
    return content === null
      ? { kind: "large", stats: await file.stat({ bigint: true }) }
      : { kind: "content", content };
  } catch (error) {
    const errno = expectErrno(error);
    return errno === "ELOOP" || errno === "ENXIO" ? { kind: "no file" } : { kind: "unread", errno };
  } finally {
    await file?.close();
  }
}

async function hashed(file: FileHandle, mostKept: number): Promise<FileContent | null> {
  const sum = createHash("sha256");
  const kept: Buffer[] = [];
  let size = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const { bytesRead } = await file.read(piece, 0, pieceBytes, size);
    if (bytesRead === 0) break;
    const read = piece.subarray(0, bytesRead);
    sum.update(read);
    size += bytesRead;
    if (size > largestHashed) return null;
    if (size <= mostKept) kept.push(read);
  }
  return { size, sha256: sum.digest("hex"), bytes: size <= mostKept ? Buffer.concat(kept) : null };
}
