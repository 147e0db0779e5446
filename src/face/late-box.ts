/** Requests that have ended and may still be answered, as a face that stays offers them. */
import type { LateRequest, Shortfall, Verified } from "../broker/index.js";
import type { Given } from "./answer.js";

/** Opened by `openLateBox`; looks and answers, and keeps nothing open between calls. */
export interface LateBox {
  /** What may still be answered, oldest first. Throws channel_unsafe, channel_unavailable. */
  list(): readonly LateRequest[];
  /** Gives the answer of this process. Throws channel_unsafe, channel_unavailable, audit_unavailable. */
  answer(late: LateRequest, given: Given): Promise<LateEnding>;
}

/** What became of a late answer. */
export type LateEnding =
  /** The next identical call runs once. `effect` says until when, safe to print; `verified` what was seen of this process. */
  | { readonly kind: "kept"; readonly effect: string; readonly verified: Verified | null }
  | { readonly kind: "denied" }
  /** It was approved before, or its time is over. */
  | { readonly kind: "kept before" }
  /** It was answered, or asked again, in this moment. */
  | { readonly kind: "gone" }
  /** This process may not say yes: why. */
  | { readonly kind: "insufficient"; readonly shortfall: Shortfall };
