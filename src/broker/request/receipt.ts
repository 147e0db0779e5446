/** How a request ended, for every face that saw it. Format: docs/channel.md. */
import * as z from "zod/mini";
import { decisions, vias } from "./answer.js";
import { identifierSchema } from "./identifier.js";
import { hashSchema } from "./long-text.js";
import { receiptOutcomes } from "./outcome.js";
import { formatVersion, kinds } from "./request.js";
import { scopeSchema } from "./scope.js";

const seen = z.nullable(z.boolean());

/** What the server saw of the answering process: true, false, or null for what it did not look at. */
const verifiedSchema = z.strictObject({ terminal: seen, ancestry: seen, signed: seen });

/** A receipt's whole file: every key is there, null where there is nothing to say. */
export const receiptSchema = z.strictObject({
  v: z.literal(formatVersion),
  id: identifierSchema,
  kind: z.enum(kinds),
  outcome: z.enum(receiptOutcomes),
  via: z.nullable(z.enum(vias)),
  decision: z.nullable(z.enum(decisions)),
  scope: z.nullable(scopeSchema),
  note: z.nullable(z.string()),
  /** SHA-256 of the answer that was taken, or null when nothing was. */
  answer: z.nullable(hashSchema),
  verified: z.nullable(verifiedSchema),
  /** Epoch milliseconds. */
  at: z.int().check(z.minimum(0)),
  /** From filing to settling. */
  seconds: z.number().check(z.minimum(0)),
  /** False when it is certain that nothing ran; null when the receipt was written before it could be known. */
  ran: z.nullable(z.boolean()),
  /** The preimage of the request's `receiptCommit`, base64url; null where no living server could prove it. */
  reveal: z.nullable(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
  mac: z.nullable(hashSchema),
});

/** Has the right shape and no more: `isReceiptVerified` says whether its server wrote it. */
export type Receipt = z.infer<typeof receiptSchema>;

/** Where the receipt of request `id` lies in `settled/`. */
export function receiptFileName(id: string): string {
  return `${id}.json`;
}
