/** What would become of a file if a person accepted it as it stands: read once, so that what is shown is what is sealed. */
import { createHash } from "node:crypto";
import type { WispError } from "../request/errors.js";
import type { SealedName } from "./sealed-names.js";

/**
 * What a change does once it counts: `looser` lets more through, or makes an answer less sure; of `unclear` nobody can tell.
 * Both wait to be accepted; what is `tighter` is in force already.
 */
export type ChangeEffect = "tighter" | "looser" | "unclear";

/** One difference between a file and what was accepted of it. Texts are as they stand in the file: hostile. */
export interface AcceptChange {
  /** `+` is only in the file, `-` only in what was accepted, `~` says something else now. */
  readonly sign: "+" | "-" | "~";
  /** Where it stands: `deny`, `ask`, `allow`, `remembered`, or `key`. */
  readonly list: string;
  /** The rule, or the key. */
  readonly text: string;
  /** What else a person has to know of it before they say yes. */
  readonly details: readonly string[];
  /** Of the file, from 1; null where it does not stand there. */
  readonly line: number | null;
  readonly effect: ChangeEffect;
}

/** One file, compared. */
export interface AcceptProposal {
  readonly name: SealedName;
  /** Why it cannot be accepted: its file cannot be used. Then there are no changes. Null where it can. */
  readonly fault: WispError | null;
  readonly changes: readonly AcceptChange[];
  /** Why the accepted copy counts for nothing; accepting makes it whole again. Null where it counts, or there is none. */
  readonly distrust: string | null;
  /** What is sealed when it is accepted; null where there is no file, and so no copy any more. */
  readonly value: unknown;
  /** What the file is to say then, where that is not what stands there; null where it stays. */
  readonly rewritten: string | null;
  /** SHA-256 of what was accepted before, and of what would be now, in hex; null for nothing. */
  readonly before: string | null;
  readonly after: string | null;
}

/** SHA-256 of a text, in hex; null for none. */
export function digestOf(text: string | null): string | null {
  return text === null ? null : createHash("sha256").update(text, "utf8").digest("hex");
}

/** Do both say the same of the same bytes? Then whoever was shown one has seen the other. */
export function isSameProposal(one: AcceptProposal, other: AcceptProposal): boolean {
  return (
    one.name === other.name &&
    one.before === other.before &&
    one.after === other.after &&
    one.distrust === other.distrust &&
    (one.fault === null) === (other.fault === null)
  );
}
