/** The rules of a policy once they were read. Pure data: what they match is said in match.ts. */
import type { Level } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import type { StateSpec } from "../request/state-spec.js";
import type { Condition } from "./condition.js";
import type { Pattern } from "./pattern.js";
import type { VerdictName } from "./verdict.js";

/** One rule, and where it stands. */
export interface Rule {
  readonly list: VerdictName;
  /** As it is written: `Bash(git push *)`. */
  readonly text: string;
  readonly pattern: Pattern;
  /** Calls that it does not speak of after all. */
  readonly unless: readonly Pattern[];
  /** What must hold of the arguments, too: all of it. */
  readonly when: readonly Condition[];
  /** What a deny rule says to whoever is refused. */
  readonly reason: string | null;
  /** What an ask rule makes of the level. */
  readonly level: Level | null;
  /** The widest yes that an ask rule lets a person give. */
  readonly maxScope: Scope | null;
  /** What an approval of a call of a server's tool is about, beside its arguments; null where the rule says nothing of it. */
  readonly state: StateSpec | null;
  /** The person says of a tool that is allowed that it changes nothing. */
  readonly isReadOnly: boolean;
  /** As a person names the file. */
  readonly file: string;
  /** From 1; null where the text is not the file as it stands. */
  readonly line: number | null;
  /** The whole entry with its keys in order: two entries that say the same have the same. */
  readonly key: string;
}

/** The three lists of one file, each in the order of the file. */
export type RuleLists = Readonly<Record<VerdictName, readonly Rule[]>>;

/** What a home without a policy says: nothing. */
export const noRules: RuleLists = { deny: [], ask: [], allow: [] };

/** How many rules the lists hold together. */
export function ruleCount({ deny, ask, allow }: RuleLists): number {
  return deny.length + ask.length + allow.length;
}
