/** What a call would make of a file, for a person who compares: what is there now, and what would be. */
import { isUtf8 } from "node:buffer";
import { realpath } from "node:fs/promises";
import { errnoOf } from "../request/errors.js";
import { sha256Hex } from "../request/long-text.js";
import type { Subject } from "../request/request.js";
import { textObjection } from "../request/strict-json.js";
import { type FileContent, readContent } from "./file-content.js";

/** One file as a request shows it. */
export type Preview = NonNullable<Extract<Subject, { type: "tool" }>["preview"]>[number];

type Side = NonNullable<Preview["before"]>;

/**
 * The text `after` comes to be at `path`, which is absolute; what is longer than `mostBytes` as it stands in a request is
 * told by its hash. Null where no file can come to be there.
 */
export async function writePreview(path: string, after: string, mostBytes: number): Promise<Preview | null> {
  const before = await sideAt(path, mostBytes);
  if (before === "other") return null;
  return {
    target: path,
    kind: before === "missing" ? "create" : "replace",
    before: before === "missing" || before === "unread" ? null : before,
    after: sideOf(contentOf(after), mostBytes),
  };
}

/** What is at `path` goes. Null where nothing is there. */
export async function deletePreview(path: string, mostBytes: number): Promise<Preview | null> {
  const before = await sideAt(path, mostBytes);
  if (before === "missing") return null;
  return { target: path, kind: "delete", before: typeof before === "string" ? null : before, after: null };
}

/** What is at `from` comes to be at `to`. */
export async function movePreviews(from: string, to: string, mostBytes: number): Promise<readonly Preview[]> {
  const gone = await deletePreview(from, mostBytes);
  if (gone === null) return [];
  const there = await sideAt(to, mostBytes);
  const before = typeof there === "string" ? null : there;
  return [gone, { target: to, kind: there === "missing" ? "create" : "replace", before, after: gone.before }];
}

function contentOf(text: string): FileContent {
  const bytes = Buffer.from(text, "utf8");
  return { size: bytes.length, sha256: sha256Hex(text), bytes };
}

/** "other" is what is there and no file, "unread" a file that is too large to be read, or not ours to read. */
async function sideAt(path: string, mostBytes: number): Promise<Side | "missing" | "unread" | "other"> {
  try {
    const read = await readContent(await realpath(path), mostBytes);
    if (read.kind === "content") return sideOf(read.content, mostBytes);
    return read.kind === "no file" ? "other" : "unread";
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return errno === "ENOENT" ? "missing" : "unread";
  }
}

/** Bytes that are no text, and a text that would take too much of the request, are told by their hash. */
function sideOf({ size, sha256, bytes }: FileContent, mostBytes: number): Side {
  const text = bytes !== null && isUtf8(bytes) ? bytes.toString("utf8") : null;
  const fits =
    text !== null && textObjection(text) === null && Buffer.byteLength(JSON.stringify(text)) <= mostBytes;
  return { bytes: size, sha256, text: fits ? text : null };
}
