/** What a call that asked a question is told. */
import type { QuestionRequest } from "../request/request.js";
import type { Alone } from "./call.js";
import type { QuestionEnd } from "./questioner.js";
import type { Decided } from "./race.js";
import { assuranceOfTaken } from "./record.js";

/** Nobody's answer has a part in these. */
const nobody = { via: "server", assurance: null, verified: null } as const;

/** More wait than anybody reads. */
interface Refused {
  readonly name: "refused";
  readonly note: string;
}

/** `request` is null where nothing was filed. */
export function questionEndedAlone(
  { name, note }: Alone | Refused,
  { request, seconds }: { readonly request: string | null; readonly seconds: number },
): QuestionEnd {
  return { name, note, request, seconds, ...nobody };
}

/** The end of a call alone, while its question waits for the next one. */
export function questionPending({ id, expiresAt }: QuestionRequest, seconds: number): QuestionEnd {
  return { name: "pending", note: null, request: id, expiresAt, seconds, ...nobody };
}

/** What a decision means for a call that is there for it. */
export function questionEndOf({ id }: QuestionRequest, decided: Decided, seconds: number): QuestionEnd {
  const { name, note, taken, reading } = decided;
  const { via, values = null, text = null } = taken.answer;
  const verified = taken.testimony?.verified ?? null;
  const said = { via, assurance: assuranceOfTaken(taken), verified, note, request: id, seconds };
  switch (name) {
    case "approved":
      if (values !== null) return { name: "answered", content: { values, text: null }, ...said };
      if (text !== null) return { name: "answered", content: { values: null, text }, ...said };
      // No answer without a content passes the race.
      return { name: "failed", note: "the answer holds nothing", request: id, seconds, ...nobody };
    case "denied":
    case "declined": {
      const unseenMs = reading?.isUnseen === true ? Math.round(reading.ms) : null;
      return { name: "declined", unseenMs, ...said };
    }
    case "not_obtained":
    case "timed_out":
    case "abandoned":
    case "withdrawn":
    case "failed":
      return { name, note, request: id, seconds, ...nobody };
    case "already_decided":
    case "drifted":
      throw new TypeError(`A question does not end as ${name}.`);
    default:
      return name satisfies never;
  }
}

/** The answer of `end`, which somebody was told; or is kept no more. `note` says which. */
export function alreadyTold(end: QuestionEnd, note: string): QuestionEnd {
  const { via, assurance, verified, request } = end;
  return { name: "already_decided", via, assurance, verified, note, request, seconds: 0 };
}
