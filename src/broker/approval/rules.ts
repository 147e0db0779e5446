/** What a yes leaves behind for calls that come after the one it was given for. */

import type { Bound } from "../grants/grant-store.js";
import type { Outcome } from "../request/outcome.js";
import type { Scope } from "../request/scope.js";

/** A rule that allows one ask without asking again, and the yes it rests on. */
export interface Allowance extends Pick<Outcome, "via" | "assurance" | "verified"> {
  readonly scope: Scope;
  /** The request that was answered. */
  readonly request: string;
}

/** A rule between its yes and its use. */
export interface PreparedRule {
  readonly kind: "session";
  /**
   * Call when the decision is on disk. Null where the rule is there then, or that of a newer yes for the same subject;
   * else why it is not: a no or the end of everything came in between, or other processes could not see and revoke it.
   */
  leave(): string | null;
  /** No call uses it from here on; that of another yes stays. */
  takeBack(): void;
}

/** The rules of one approver. Each allows what is bound to exactly the same: other words, another place or state ask again. */
export interface Rules {
  /** The rule that allows this now, or null. A rule that is found has been used. */
  use(bound: Bound): Allowance | null;
  /** Is there one for the same call that does not count because it is bound to another state? */
  isOvertaken(bound: Bound): boolean;
  /**
   * Call at the moment of the yes; `rule` is what it allows, in full, as it was shown. The rule is there only when it
   * was left.
   */
  prepare(bound: Bound, rule: string, allowance: Allowance): PreparedRule;
  /** A person said no to this caller: no rule allows it this subject any more, whatever its state. */
  revoke(bound: Bound): void;
  clear(): void;
}
