/** The slot of one request: the file that everybody who answers tries to be first to publish. */
import { join } from "node:path";
import { lookAt } from "../files/look.js";
import { publish } from "../files/publish.js";
import { readBytes, readJson, sizeLimits } from "../files/read.js";
import { removeQuietly } from "../files/remove.js";
import { type Answer, answerFileName, objectionTo } from "../request/answer.js";
import { answerHash } from "../request/binding.js";
import { type Request, requestFileName } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { type AnswerFile, judgeAnswer } from "./answer-file.js";
import type { Home } from "./home.js";

/** What stands in the slot of `id`. */
export function readSlot(home: Home, id: string): AnswerFile {
  return judgeAnswer(id, readJson(join(home.pending, answerFileName(id)), sizeLimits.answer));
}

/** Publishes `answer` into its slot; false when the slot is taken. */
export function publishAnswer(home: Home, answer: Answer, clock: Clock): boolean {
  return publish(home.pending, answerFileName(answer.id), JSON.stringify(answer), clock);
}

/** Removes the slot when it still holds `answer`. */
export function retractAnswer(home: Home, answer: Answer): void {
  const slot = readSlot(home, answer.id);
  if (slot.kind !== "answer" || answerHash(slot.answer) !== answerHash(answer)) return;
  removeQuietly(join(home.pending, answerFileName(answer.id)));
}

/**
 * Why `answer` may not decide `request`, or null. What only the asking server can say (its own decisions, its
 * client's dialog) counts only when it published it: `claims` are the hashes of those.
 */
export function objectionInSlot(
  answer: Answer,
  request: Request,
  claims: ReadonlySet<string>,
): string | null {
  const objection = objectionTo(answer, request);
  if (objection !== null) return objection;
  return isServersOwn(answer) && !claims.has(answerHash(answer))
    ? "the server that asked did not write it"
    : null;
}

/** Does it say that the process that asked gave it: its own decision, or its client's dialog? */
export function isServersOwn({ via }: Answer): boolean {
  return via === "server" || via === "elicitation";
}

/** How the request's own file compares with what was filed. */
export function requestFileState(
  home: Home,
  request: Request,
  filed: string,
): "as filed" | "altered" | "removed" {
  const result = readBytes(join(home.pending, requestFileName(request)), sizeLimits.request);
  if (result.kind === "missing") return "removed";
  return result.kind === "bytes" && Buffer.from(result.bytes).equals(Buffer.from(filed, "utf8"))
    ? "as filed"
    : "altered";
}

/** Does anything lie under the request's name in `pending/`? Nothing is read. Throws the system's errors. */
export function isRequestThere(home: Home, request: Pick<Request, "id" | "kind">): boolean {
  return lookAt(join(home.pending, requestFileName(request))) !== null;
}

/** Clears a settled request away: the request first, then its slot, so that no face sees a free slot. */
export function clearFiles(home: Home, request: Request): void {
  removeQuietly(join(home.pending, requestFileName(request)));
  removeQuietly(join(home.pending, answerFileName(request.id)));
}
