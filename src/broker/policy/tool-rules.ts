/**
 * Rules about the tools of a server that stand in no file of a person: those that the code knows of a server. Invariant:
 * they are read as strictly as a file is, and what they say is asked for by whoever puts them behind the person's own.
 */
import type { Level } from "../request/request.js";
import type { StateSpec } from "../request/state-spec.js";
import { mostEffort, newEffort } from "./effort.js";
import { isMatched, isRuleMatched, type ToolSubject } from "./match.js";
import { pathLook } from "./path-look.js";
import type { Rule } from "./rule.js";
import { parseRules, policyFault } from "./rules.js";
import type { JudgedTool, VerdictName } from "./verdict.js";

/** What one of them says. */
export interface ToolRule {
  /** As it is written: `mcp__fs__write_file`. */
  readonly text: string;
  readonly level: Level | null;
  readonly state: StateSpec | null;
  /** From 0: the place in its list. */
  readonly index: number;
}

/** Rules about tools, in the lists of a policy. */
export interface ToolRules {
  readonly lists: Readonly<Record<VerdictName, readonly ToolRule[]>>;
  /** Those of `list` that speak of the call, in their order. */
  speaking(list: VerdictName, call: JudgedTool): readonly ToolRule[];
  /** Do those of `list` that name the tool say the same of each call of it? */
  areByName(list: VerdictName, call: JudgedTool): boolean;
}

/**
 * `permissions` is what stands below that key in a file; `name` is what messages call it. Throws policy_invalid for what is
 * no such value.
 */
export function toolRulesOf(permissions: unknown, name: string, homeDirectory: string): ToolRules {
  const file = { name, homeDirectory, project: null, isCurrent: false };
  const parsed = parseRules(JSON.stringify({ permissions }), file);
  if (parsed.kind === "wrong") throw policyFault(name, name, parsed.objections);
  const { lists } = parsed;
  const { deny, ask, allow } = lists;
  const named = new Map<string, readonly (readonly [Rule, number])[]>();

  /** Those whose pattern is the tool's: a server has few tools, and each is called often. */
  function naming(list: VerdictName, subject: ToolSubject): readonly (readonly [Rule, number])[] {
    const { server, tool } = subject;
    const key = `${list} ${server?.length ?? "none"} ${server ?? ""}${tool}`;
    const before = named.get(key);
    if (before !== undefined) return before;
    const effort = newEffort(mostEffort);
    const found = lists[list]
      .map((rule, index) => [rule, index] as const)
      .filter(([{ pattern }]) => pattern.kind !== "tool" || isMatched(pattern, subject, "loose", effort));
    if (named.size >= mostNamed) named.clear();
    named.set(key, found);
    return found;
  }

  function subjectOf(call: JudgedTool): ToolSubject {
    const { server, tool, arguments: args, directory, look = pathLook } = call;
    return { kind: "tool", server, tool, arguments: args, place: { look, directory, homeDirectory } };
  }

  return {
    lists: { deny: deny.map(told), ask: ask.map(told), allow: allow.map(told) },
    areByName: (list, call) => naming(list, subjectOf(call)).every(([{ when }]) => when.length === 0),
    speaking(list, call) {
      const subject = subjectOf(call);
      const effort = newEffort(mostEffort);
      const isSpoken = (rule: Rule): boolean => isRuleMatched(rule, subject, effort);
      return naming(list, subject).flatMap(([rule, index]) => (isSpoken(rule) ? [told(rule, index)] : []));
    },
  };
}

/** More tools than any server has. */
const mostNamed = 1_000;

function told({ text, level, state }: Rule, index: number): ToolRule {
  return { text, level, state, index };
}
