/** What a call would make of a file, for a person who compares: what is there now, and what would be. */
import { isUtf8 } from "node:buffer";
import { realpath } from "node:fs/promises";
import { firstNamesIn, lookAt } from "../files/look.js";
import { expectErrno } from "../request/errors.js";
import { sha256Hex } from "../request/long-text.js";
import type { Subject } from "../request/request.js";
import { textObjection } from "../request/strict-json.js";
import { type Edit, editedText } from "./edited.js";
import { type FileContent, readContent } from "./file-content.js";

/** One file as a request shows it. */
export type Preview = NonNullable<Extract<Subject, { type: "tool" }>["preview"]>[number];

/** What a person is shown: files, and what has to be said beside them, in words of ours. */
export interface Previewed {
  readonly files: readonly Preview[];
  readonly notes: readonly string[];
}

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
export async function movePreviews(from: string, to: string, mostBytes: number): Promise<Previewed> {
  const gone = await deletePreview(from, mostBytes);
  if (gone === null) return { files: [], notes: ["nothing is there to be moved"] };
  const there = await sideAt(to, mostBytes);
  const before = typeof there === "string" ? null : there;
  const kind = there === "missing" ? "create" : "replace";
  const files = [gone, { target: to, kind, before, after: gone.before }] as const;
  return { files, notes: [...directoryNotes("moves", from), ...directoryNotes("would replace", to)] };
}

/** Larger files are edited by nobody who looks at what comes of it. */
const largestEdited = 1024 * 1024;

/** The file at `path`, which is absolute, after `edits`. What cannot be told is said, and so is an edit that finds no place. */
export async function editPreview(
  path: string,
  edits: readonly Edit[],
  mostBytes: number,
): Promise<Previewed> {
  const read = await contentAt(path);
  if (typeof read === "string") return { files: [], notes: [`${read}, so no edit applies`] };
  const { bytes } = read;
  if (bytes === null) return unknown("the file is too large");
  if (!isUtf8(bytes)) return unknown("the file is no text");
  const edited = editedText(bytes.toString("utf8"), edits);
  switch (edited.kind) {
    case "edited": {
      const after = sideOf(contentOf(edited.text), mostBytes);
      return {
        files: [{ target: path, kind: "replace", before: sideOf(read, mostBytes), after }],
        notes: [],
      };
    }
    case "unmatched": {
      const which = `edit ${edited.index + 1} of ${edits.length}`;
      return { files: [], notes: [`${which} does not match the file as it is now, so nothing would change`] };
    }
    case "too much":
      return unknown("the edits are too many or too long");
    default:
      return edited satisfies never;
  }
}

function unknown(why: string): Previewed {
  return { files: [], notes: [`${why}, so what the edits make of it is not shown`] };
}

/** More names are counted by nobody. */
const mostCounted = 10_000;

/** How much is in a directory there; empty where none is. */
function directoryNotes(what: string, path: string): readonly string[] {
  if (lookAt(path)?.isDirectory() !== true) return [];
  const { length } = firstNamesIn(path, mostCounted + 1);
  if (length === 1) return [`${what} a directory with 1 entry`];
  const entries = length > mostCounted ? `more than ${mostCounted}` : `${length}`;
  return [`${what} a directory with ${entries} entries`];
}

/** In words: of what would go nothing can be shown. Of a directory it is said how much is in it. */
export function unseenNotes(files: readonly Preview[]): readonly string[] {
  const isUnseen = files.some(
    ({ kind, before, target }) =>
      kind !== "create" && before === null && lookAt(target)?.isDirectory() !== true,
  );
  return isUnseen ? ["what is there now is not shown: it is too large, or cannot be read"] : [];
}

/** The content, or in words why there is none; its bytes are null where they are too many. */
async function contentAt(path: string): Promise<FileContent | string> {
  try {
    const read = await readContent(await realpath(path), largestEdited);
    switch (read.kind) {
      case "content":
        return read.content;
      case "large":
        return { size: Number(read.stats.size), sha256: "", bytes: null };
      case "no file":
        return "there is no regular file";
      case "unread":
        return "the file cannot be read";
      default:
        return read satisfies never;
    }
  } catch (error) {
    const errno = expectErrno(error);
    return errno === "ENOENT" ? "there is no file" : "the file cannot be read";
  }
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
    const errno = expectErrno(error);
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
