/** What changed in a policy since it was accepted. */
import type { Rule, RuleLists } from "./rule.js";
import { verdicts } from "./verdict.js";

/** One rule that is only in one of both. */
export interface RuleChange {
  readonly change: "added" | "removed";
  readonly rule: Rule;
  /** Would it let more through? Then it waits to be accepted; otherwise it is in force already. */
  readonly isLooser: boolean;
}

/** Are they the same rules in the same order? */
export function isSameOrder(accepted: RuleLists, current: RuleLists): boolean {
  return verdicts.every(
    (list) =>
      accepted[list].length === current[list].length &&
      accepted[list].every(({ key }, index) => key === current[list][index]?.key),
  );
}

/** Rules that were added and removed, by list. A rule that was changed is one that was removed and one that was added. */
export function ruleChanges(accepted: RuleLists, current: RuleLists): readonly RuleChange[] {
  return verdicts.flatMap((list) => {
    const isLooseningList = list === "allow";
    return [
      ...missing(accepted[list], current[list]).map((rule) => ({
        change: "removed" as const,
        rule,
        isLooser: !isLooseningList,
      })),
      ...missing(current[list], accepted[list]).map((rule) => ({
        change: "added" as const,
        rule,
        isLooser: isLooseningList,
      })),
    ];
  });
}

/** Those of `these` that are not among `those`, each counted as often as it stands there. */
function missing(these: readonly Rule[], those: readonly Rule[]): readonly Rule[] {
  const counts = new Map<string, number>();
  for (const { key } of those) counts.set(key, (counts.get(key) ?? 0) + 1);
  return these.filter(({ key }) => {
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}
