/** What a rule says of itself: calls that it must match, and calls that it must not; and whether it can match at all. */

import { isSingular } from "./argument-path.js";
import { isPlainLine } from "./complex.js";
import { type Condition, isHolding } from "./condition.js";
import { mostEffort, newEffort } from "./effort.js";
import { isGlobMatch } from "./glob.js";
import { isRuleMatched } from "./match.js";
import { partsOf, type Surroundings } from "./parts.js";
import { named, type ReadRule } from "./read-rule.js";
import type { Rule } from "./rule.js";
import type { Judged } from "./verdict.js";

/** What is wrong with the rule by its own tests; empty where nothing is. */
export function testRule({ rule, match, notMatch }: ReadRule, homeDirectory: string): readonly string[] {
  if (match.length + notMatch.length + rule.when.length === 0) return [];
  // Tests are of the text of the rule, so no file is looked at: every path leads where it says.
  const around = {
    homeDirectory,
    look: {
      real: (path: string) => path,
      isLink: () => false,
      isThere: () => true,
      hasOtherNames: () => false,
    },
  };
  return [
    ...match.flatMap((text) => objectionTo(rule, text, true, around)),
    ...notMatch.flatMap((text) => objectionTo(rule, text, false, around)),
    ...contradictionsIn(rule.when),
  ];
}

function objectionTo(rule: Rule, text: string, isMeant: boolean, around: Surroundings): readonly string[] {
  if (isMeant && isPlainlyMatched(rule, text)) return [];
  const judged = judgedOf(rule, text, around);
  if (typeof judged === "string") return [judged];
  if (isMatchedWhole(rule, judged, around) === isMeant) return [];
  return [
    `${named(rule.text)} ${isMeant ? "does not match" : "matches"} ${named(text)}, which its ${isMeant ? "match" : "notMatch"} names`,
  ];
}

/** Plain words that a rule which makes stricter matches as they stand: whatever else is searched, it matches. */
function isPlainlyMatched({ list, pattern, unless, when }: Rule, text: string): boolean {
  if (list === "allow" || pattern.kind !== "command" || unless.length + when.length > 0) return false;
  return isPlainLine(text) && pattern.loose.some((glob) => isGlobMatch(glob, text));
}

/** A rule that allows must speak of every command of a line, and of none that works inside the shell; others of any. */
function isMatchedWhole(rule: Rule, judged: Judged, around: Surroundings): boolean {
  const { parts, shellWord } = partsOf(judged, around);
  if (rule.list === "allow" && shellWord !== null) return false;
  const isIn = ({ subject }: (typeof parts)[number]): boolean =>
    isRuleMatched(rule, subject, newEffort(mostEffort));
  return rule.list === "allow" ? parts.every(isIn) : parts.some(isIn);
}

const noProgram = { program: null, programIdentity: null, isProgramOpen: false };

/** A line for a rule about commands; for others a tool and its arguments: `mcp__fs__read {"path": "/x"}`. */
function judgedOf(rule: Rule, text: string, { homeDirectory }: Surroundings): Judged | string {
  const directory = homeDirectory;
  if (rule.pattern.kind === "command") {
    return { kind: "command", argv: null, line: text, directory, ...noProgram };
  }
  const [, server, tool, written] = /^(?:mcp__(.+?)__)?(\S+?)(?:\s+(\{.*\}))?$/s.exec(text) ?? [];
  if (tool === undefined)
    return `${named(text)}: a test of this rule is a tool and its arguments: Read {"file_path": "/x"}`;
  let values: Readonly<Record<string, unknown>> = {};
  try {
    if (written !== undefined) values = JSON.parse(written);
  } catch {
    // JSON.parse throws a SyntaxError and nothing else.
    return `${named(text)}: its arguments are not JSON`;
  }
  return { kind: "tool", server: server ?? null, tool, arguments: values, directory };
}

/** As far as it can be seen: one value that must be another one, too. */
function contradictionsIn(when: readonly Condition[]): readonly string[] {
  return when.flatMap((one) => {
    const { path, test } = one;
    if (test.kind !== "equals" || !isSingular(path) || isLong(test.value)) return [];
    const others = when.filter((other) => other !== one && other.path.text === path.text);
    return others.some((other) => !isHeldBy(other, test.value))
      ? [`when asks two things of ${path.text} that exclude each other, so the rule matches nothing`]
      : [];
  });
}

/** Whoever writes that much by hand does not write it twice; each is compared with each. */
function isLong(value: unknown): boolean {
  return JSON.stringify(value).length > 256;
}

function isHeldBy({ test }: Condition, value: unknown): boolean {
  if (test.kind === "path" || test.kind === "countOver") return true;
  const place = {
    look: { real: () => null, isLink: () => true, isThere: () => true, hasOtherNames: () => true },
    directory: "/",
    homeDirectory: "/",
  };
  const path = { text: "$.it", steps: [{ kind: "name" as const, name: "it" }] };
  return isHolding({ path, test }, { it: value }, "exact", { place, effort: newEffort(mostEffort) });
}
