/** What lies under an answer's name. */
import type { BigIntStats } from "node:fs";
import type { ReadObjection, ReadResult } from "../files/read.js";
import { type Answer, answerSchema } from "../request/answer.js";

/** What a file under the name of an answer turned out to be, by the rules of the format alone. */
export type AnswerFile =
  | { readonly kind: "free" }
  | { readonly kind: "answer"; readonly answer: Answer; readonly stats: BigIntStats }
  /** `stats` are those of the file that was judged, where it could be opened. */
  | { readonly kind: "junk"; readonly reason: string; readonly stats: BigIntStats | null }
  /** A fault of this machine keeps it from being read, which says nothing about the answer. */
  | { readonly kind: "unreachable"; readonly reason: string };

/** Judges the file under the answer's name of request `id`, read as `result`. */
export function judgeAnswer(id: string, result: ReadResult): AnswerFile {
  if (result.kind === "missing") return { kind: "free" };
  if (result.kind === "refused") {
    const { objection, stats } = result;
    return isPassing(objection)
      ? { kind: "unreachable", reason: objection }
      : { kind: "junk", reason: objection, stats };
  }
  const { stats } = result;
  const parsed = answerSchema.safeParse(result.value);
  if (!parsed.success) return { kind: "junk", reason: "it is not an answer", stats };
  return parsed.data.id === id
    ? { kind: "answer", answer: parsed.data, stats }
    : { kind: "junk", reason: "its id is not its name", stats };
}

/** Want of descriptors, memory or a working disk: such an answer stays where it is and is read again. */
const passing: ReadonlySet<ReadObjection> = new Set(
  ["EMFILE", "ENFILE", "ENOMEM", "EIO", "EINTR", "EAGAIN"].map(
    (errno) => `cannot be read (${errno})` as const,
  ),
);

/** Does a fault of this machine keep the file from being read, which says nothing about the file? */
export function isPassing(objection: ReadObjection): boolean {
  return passing.has(objection);
}
