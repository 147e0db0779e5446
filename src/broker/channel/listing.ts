/**
 * What lies in `pending/`: requests, requests of a newer version, and what cannot be read as ours. Junk is
 * counted and left where it is; it is not opened twice while it stays the same.
 */
import { type BigIntStats, readdirSync } from "node:fs";
import { join } from "node:path";
import { lookAt } from "../files/look.js";
import { type ReadResult, readJson, sizeLimits } from "../files/read.js";
import { parseAnswerFileName } from "../request/answer.js";
import { bindingOf } from "../request/binding.js";
import { errnoOf, WispError } from "../request/errors.js";
import { isIdentifier } from "../request/identifier.js";
import { formatVersion, parseRequestFileName, type Request, requestSchema } from "../request/request.js";
import type { Problem } from "../request/shape.js";
import { judgeAnswer } from "./answer-file.js";
import type { Listing, Unreadable } from "./channel.js";

/** What a file with the name of a request turned out to be. `reason` completes "is not a request: …". */
export type RequestFile =
  | { readonly kind: "request"; readonly request: Request }
  | { readonly kind: "newer"; readonly id: string }
  | { readonly kind: "unreadable"; readonly reason: string };

/** What the file `name`, read as `result`, is: a request of ours only when every rule of the format holds. */
export function judgeRequest(name: string, result: ReadResult): RequestFile {
  if (result.kind === "missing") return unreadable("it is gone");
  if (result.kind === "refused") return unreadable(result.objection);
  const expected = parseRequestFileName(name);
  if (expected === null || !isIdentifier(expected.id)) return unreadable("bad id");
  if (isNewer(result.value)) return { kind: "newer", id: expected.id };
  if (!hasGoodId(result.value)) return unreadable("bad id");
  const parsed = requestSchema.safeParse(result.value);
  if (!parsed.success) return unreadable(explain(parsed.problem));
  if (parsed.data.id !== expected.id) return unreadable("its id is not its name");
  if (parsed.data.kind !== expected.kind) return unreadable("its kind is not its name's");
  return { kind: "request", request: parsed.data };
}

/** Does a request's own binding fit what it shows? False: it was changed after it was filed. */
export function isUnaltered(request: Request): boolean {
  return bindingOf(request) === request.binding;
}

/** The order in which requests wait, oldest first. */
export function byAge(a: Request, b: Request): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** Lists `pending/` and remembers junk between calls by inode, time and size. */
export class PendingList {
  #junk: ReadonlyMap<string, string> = new Map();

  /** Everything in `directory`, oldest first. `now` is wall time, for files that may still be written. */
  read(directory: string, now: number): Listing {
    const requests: Request[] = [];
    const newer: string[] = [];
    const unreadableFiles: Unreadable[] = [];
    const junk = new Map<string, string>();
    const names = namesIn(directory);
    const asked = new Set(names.map((name) => parseRequestFileName(name)?.id));
    for (const name of names) {
      const file = this.#readOne(directory, name, asked, now, junk);
      if (file === null) continue;
      if (file.kind === "request") requests.push(file.request);
      else if (file.kind === "newer") newer.push(file.id);
      else unreadableFiles.push({ name, reason: file.reason });
    }
    this.#junk = junk;
    requests.sort(byAge);
    return { requests, newer, unreadable: unreadableFiles };
  }

  #readOne(
    directory: string,
    name: string,
    asked: ReadonlySet<string | undefined>,
    now: number,
    junk: Map<string, string>,
  ): RequestFile | null {
    const answered = parseAnswerFileName(name);
    const isRequest = parseRequestFileName(name) !== null;
    // The slot of a request is its server's to judge; an answer to nothing is nobody's.
    if (!isRequest && (answered === null || asked.has(answered))) return null;
    const path = join(directory, name);
    const seen = this.#junk.size > 0 ? lookAt(path) : null;
    if (seen !== null) {
      const known = this.#junk.get(keyOf(name, seen));
      if (known !== undefined) return remember(unreadable(known), name, seen, junk);
    }
    const result = readJson(path, isRequest ? sizeLimits.request : sizeLimits.answer);
    if (result.kind === "missing") return null;
    const file = answered === null ? judgeRequest(name, result) : judgeOrphan(answered, result);
    if (file?.kind !== "unreadable") return file;
    const stats = lookAt(path);
    return stats === null || isBeingWritten(result, stats, now) ? null : remember(file, name, stats, junk);
  }
}

/** An answer without a request is swept in time when it is one; what is none stays and is counted. */
export function judgeOrphan(id: string, result: ReadResult): RequestFile | null {
  const file = judgeAnswer(id, result);
  return file.kind === "junk" ? unreadable(file.reason) : null;
}

/** Keeps what was found for the next reading. */
function remember(
  file: RequestFile & { readonly kind: "unreadable" },
  name: string,
  stats: BigIntStats,
  junk: Map<string, string>,
): RequestFile {
  junk.set(keyOf(name, stats), file.reason);
  return file;
}

/** A file written in place by another program is looked at again before it is called junk. */
const settlingMs = 2_000;

/** Was it found half written, and so lately that its writer may be at it? `now` is wall time. */
export function isBeingWritten(result: ReadResult, stats: BigIntStats, now: number): boolean {
  const isHalf =
    result.kind === "refused" &&
    (result.objection === "not JSON" || result.objection === "changed while it was read");
  return isHalf && now - Number(stats.mtimeMs) < settlingMs;
}

/** The names in `directory`; none where it is not made yet. Throws channel_unavailable. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw new WispError("channel_unavailable", `Cannot list ${directory} (${errnoOf(error)}).`, {
      cause: error,
    });
  }
}

function keyOf(name: string, { ino, mtimeNs, size }: BigIntStats): string {
  return `${name}/${ino}/${mtimeNs}/${size}`;
}

function unreadable(reason: string): RequestFile & { readonly kind: "unreadable" } {
  return { kind: "unreadable", reason };
}

function isNewer(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("v" in value)) return false;
  return typeof value.v === "number" && Number.isInteger(value.v) && value.v > formatVersion;
}

/** Judged before the rest of the shape: an id that is a path must never be reported as some other fault. */
function hasGoodId(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("id" in value)) return false;
  return typeof value.id === "string" && isIdentifier(value.id);
}

function explain({ path, unknownKey }: Problem): string {
  if (unknownKey !== null) return `unknown key ${JSON.stringify(unknownKey)}`;
  return path.length === 0 ? "not a request" : `bad field ${path.join(".")}`;
}
