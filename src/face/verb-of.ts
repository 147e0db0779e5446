/** Which command of `wisp` decides what. */
import type { Kind } from "../broker/index.js";

const verbs = {
  approval: ["approvals", "approve", "deny"],
  fact: ["facts", "keep", "drop"],
  question: ["questions", "answer", "decline"],
} as const satisfies Record<Kind, readonly [string, string, string]>;

/** The words after `wisp` that say yes, or no, to requests of `kind`; their id comes behind. */
export function verbOf(kind: Kind, isYes: boolean): readonly [string, string] {
  const [group, yes, no] = verbs[kind];
  return [group, isYes ? yes : no];
}
