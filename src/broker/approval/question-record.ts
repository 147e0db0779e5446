/**
 * What the audit log says of a question, in order: question.requested, question.pending, dialog.ended,
 * question.answered, question.settled, question.told. Never a word of the question or of the answer: digests.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending } from "../channel/channel.js";
import { sha256Hex } from "../request/long-text.js";
import type { QuestionAsk, QuestionEnd } from "./questioner.js";
import type { Decided } from "./race.js";
import { oneLine } from "./reason.js";
import { answeredIn, callerClaims, type EndingWords } from "./record.js";

/** In which ways it is about to be asked, or what it joins: the id of an identical one that waits. */
export function questionRequestedEvent(
  ask: QuestionAsk,
  call: string | null,
  how: { readonly channel: boolean; readonly dialog: boolean } | { readonly joins: string | null },
): AuditEvent {
  const { text, options, multiple, allowText } = ask.question;
  const question = sha256Hex(text);
  const asked = { question, options: options?.length ?? null, multiple, allowText };
  return {
    kind: "question.requested",
    call,
    selfReported: callerClaims(ask),
    details: { ...asked, caller: oneLine(ask.caller), ...how },
  };
}

/** Who answered, if anybody did, and what the receipt will say. */
export function questionEndedEvents(
  id: string,
  decided: Decided,
  ending: Ending,
  words: EndingWords,
): readonly AuditEvent[] {
  const settled = questionSettledEvent(id, decided, ending, words);
  const answered = answeredIn(decided, words.seconds);
  if (answered === null) return [settled];
  // A question has no scope.
  const { scope: _scope, ...details } = answered.details ?? {};
  return [{ ...answered, kind: "question.answered", details }, settled];
}

/** What the receipt will say; a second one of a question corrects the first. */
export function questionSettledEvent(
  id: string,
  { taken, dialog }: Decided,
  { outcome }: Ending,
  { seconds, banner, why }: EndingWords,
): AuditEvent {
  const { decision, via } = taken.answer;
  const details = { outcome, decision, via, seconds, dialog, banner, why };
  return { kind: "question.settled", call: id, details };
}

/** How it ended for one call, or for a look; a second one of a call corrects the first. `isKept`: it had ended before. */
export function questionToldEvent(
  ask: QuestionAsk,
  { name, request, note, seconds }: QuestionEndWords,
  isKept: boolean,
): AuditEvent {
  // Beside a decline it is the person's words.
  const why = note === null || name === "declined" || name === "answered" ? null : oneLine(note);
  return {
    kind: "question.told",
    call: request,
    selfReported: callerClaims(ask),
    details: { outcome: name, why, seconds, kept: isKept },
  };
}

/** What of an end stands in the log. */
export type QuestionEndWords = Pick<QuestionEnd, "name" | "request" | "note" | "seconds">;
