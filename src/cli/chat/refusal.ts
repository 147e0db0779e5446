/** What is said of an answer of a front end before it is given. */
import type { ErrorCode } from "../../broker/index.js";
import type { Given } from "../../face/answer.js";

/** Why not: `why` is a text of our own that names what was wrong. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly why: string;
}

/** An answer that may be given, or why it may not. */
export type Judged = { readonly given: Given } | { readonly refusal: Refusal };

/** A refusal as a verdict. */
export function refused(code: ErrorCode, why: string): Judged {
  return { refusal: { code, why } };
}
