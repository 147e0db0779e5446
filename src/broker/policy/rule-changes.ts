/** What changed in a policy since it was accepted. */
import type { ChangeEffect } from "../files/proposal.js";
import type { Level } from "../request/request.js";
import type { Rule, RuleLists } from "./rule.js";
import { verdicts } from "./verdict.js";

/** One rule that is only in one of both. */
export interface RuleChange {
  readonly change: "added" | "removed";
  readonly rule: Rule;
  readonly effect: ChangeEffect;
}

/**
 * Do rules that ask stand in both in another order? The first that matches says how grave a call is and how wide a yes may
 * be. A rule that stands there again says nothing, and of those that deny or allow any order says the same.
 */
export function isReordered(accepted: RuleLists, current: RuleLists): boolean {
  const [before, after] = [keysOf(accepted.ask), keysOf(current.ask)];
  const left = [...before].filter((key) => after.has(key));
  const right = [...after].filter((key) => before.has(key));
  return left.some((key, index) => key !== right[index]);
}

/** One rule that asks and stands before others now that stood before it, all as they are in the file. */
export interface RuleMove {
  readonly rule: Rule;
  /** At least one, in order. */
  readonly before: readonly Rule[];
}

/** Each of them, in order. None where `isReordered` says no. */
export function ruleMoves(accepted: RuleLists, current: RuleLists): readonly RuleMove[] {
  const was = new Map([...keysOf(accepted.ask)].map((key, index) => [key, index]));
  const both = missing(current.ask, new Set()).flatMap((rule) => {
    const place = was.get(rule.key);
    return place === undefined ? [] : [{ rule, place }];
  });
  return both.flatMap(({ rule, place }, index) => {
    const before = both.slice(index + 1).filter((other) => other.place < place);
    return before.length === 0 ? [] : [{ rule, before: before.map((other) => other.rule) }];
  });
}

/** Rules that were added and removed, by list. A rule that was changed is one that was removed and one that was added. */
export function ruleChanges(accepted: RuleLists, current: RuleLists): readonly RuleChange[] {
  return verdicts.flatMap((list) => {
    const before = keysOf(accepted[list]);
    return [
      ...missing(accepted[list], keysOf(current[list])).map((rule) => ({
        change: "removed" as const,
        rule,
        effect: list === "allow" ? ("tighter" as const) : ("looser" as const),
      })),
      ...missing(current[list], before).map((rule) => ({
        change: "added" as const,
        rule,
        effect: effectOfAdded(rule, current[list], before),
      })),
    ];
  });
}

function effectOfAdded(rule: Rule, list: readonly Rule[], accepted: ReadonlySet<string>): ChangeEffect {
  switch (rule.list) {
    case "allow":
      return "looser";
    case "deny":
      return "tighter";
    case "ask": {
      // It takes the place of what the code, or a rule behind it, says of the same call.
      const behind = list.slice(list.indexOf(rule) + 1).filter(({ key }) => accepted.has(key));
      const isOverruling = behind.some(
        ({ level, maxScope, state }) => level !== null || maxScope !== null || state !== null,
      );
      // That nothing is bound is a word of the person, who is asked about more without it.
      const isUnbinding = rule.state === "none";
      return mayLower(rule.level) || isUnbinding || isOverruling ? "unclear" : "tighter";
    }
    default:
      return rule.list satisfies never;
  }
}

/** What the code calls dangerous no rule makes less, so high lowers nothing. */
function mayLower(level: Level | null): boolean {
  return level === "low" || level === "moderate";
}

/** Each once, in the order in which they come first. */
function keysOf(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.map(({ key }) => key));
}

/** The first of each of `rules` that is not among `those`. */
function missing(rules: readonly Rule[], those: ReadonlySet<string>): readonly Rule[] {
  return [...new Map(rules.toReversed().map((rule) => [rule.key, rule])).values()]
    .toReversed()
    .filter(({ key }) => !those.has(key));
}
