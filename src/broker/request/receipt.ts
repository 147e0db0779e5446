/** How a request ended, for every face that saw it. Format: docs/channel.md. */

import { decisions, vias } from "./answer.js";
import { verifiedSchema } from "./assurance.js";
import { identifierSchema } from "./identifier.js";
import { hashSchema } from "./long-text.js";
import { receiptOutcomes } from "./outcome.js";
import { formatVersion, kinds } from "./request.js";
import { scopeSchema } from "./scope.js";
import * as s from "./shape.js";

/** A receipt's whole file: every key is there, null where there is nothing to say. */
export const receiptSchema = s.strictObject({
  v: s.literal(formatVersion),
  id: identifierSchema,
  kind: s.oneOf(kinds),
  outcome: s.oneOf(receiptOutcomes),
  via: s.nullable(s.oneOf(vias)),
  decision: s.nullable(s.oneOf(decisions)),
  scope: s.nullable(scopeSchema),
  note: s.nullable(s.string()),
  /** SHA-256 of the answer that was taken, or null when nothing was. */
  answer: s.nullable(hashSchema),
  verified: s.nullable(verifiedSchema),
  /** Epoch milliseconds. */
  at: s.integer({ least: 0 }),
  /** From filing to settling. */
  seconds: s.number({ least: 0 }),
  /** False when it is certain that nothing ran; null when the receipt was written before it could be known. */
  ran: s.nullable(s.boolean),
  /** The preimage of the request's `receiptCommit`, base64url; null where no living server could prove it. */
  reveal: s.nullable(s.string({ pattern: /^[A-Za-z0-9_-]{43}$/ })),
  mac: s.nullable(hashSchema),
});

/** Has the right shape and no more: `isReceiptVerified` says whether its server wrote it. */
export type Receipt = s.Infer<typeof receiptSchema>;

/** The note of a request that its server gave up because somebody had changed its file. */
export const alteredNote = "its request file was altered";

/** Did the request end because its file was not the one that was filed? So its receipt says. */
export function isOfAltered({ outcome, note }: Pick<Receipt, "outcome" | "note">): boolean {
  return outcome === "failed" && note === alteredNote;
}

/** Where the receipt of request `id` lies in `settled/`. */
export function receiptFileName(id: string): string {
  return `${id}.json`;
}
