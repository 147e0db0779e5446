/** `policy.json` as it stands, against what was accepted of it. */
import { join } from "node:path";
import { type AcceptChange, type AcceptProposal, digestOf } from "../files/proposal.js";
import { type BytesResult, readBytes } from "../files/read.js";
import { readAccepted } from "../files/sealed.js";
import type { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import { shellQuoted } from "../request/shell-quote.js";
import { textOf } from "./jsonc.js";
import { largestPolicyBytes, policyFileName } from "./load.js";
import { noRules, type Rule, type RuleLists } from "./rule.js";
import { type RuleMove, ruleChanges, ruleMoves } from "./rule-changes.js";
import { parseRules, policyFault } from "./rules.js";

/** Whose file it is. */
export interface PolicyProposalOptions {
  /** The path of the home of wisp. */
  readonly home: string;
  readonly keys: Pick<Keys, "existingKey">;
  /** What `~` stands for: an absolute path. */
  readonly homeDirectory: string;
}

/** Reads both once. Never throws for what stands in the files. */
export function policyProposal({ home, keys, homeDirectory }: PolicyProposalOptions): AcceptProposal {
  const path = join(home, policyFileName);
  const accepted = readAccepted(home, policyFileName, keys);
  const before = accepted.kind === "accepted" && typeof accepted.value === "string" ? accepted.value : null;
  const file = { name: policyFileName, homeDirectory, project: null };
  const read = textIn(readBytes(path, largestPolicyBytes), path);
  const distrust = accepted.kind === "untrusted" ? accepted.reason : null;
  const unchanged = {
    name: policyFileName,
    changes: [],
    distrust,
    rewritten: null,
    before: digestOf(before),
  } as const;
  if ("fault" in read) return { ...unchanged, fault: read.fault, value: null, after: null };
  const { text } = read;
  const after = digestOf(text);
  const current = text === null ? noRules : listsIn(text, { ...file, isCurrent: true }, path);
  if (current instanceof Error) return { ...unchanged, fault: current, value: text, after };
  // A copy that no longer reads says nothing: all that stands in the file is then new.
  const old = before === null ? noRules : listsIn(before, { ...file, isCurrent: false }, path);
  const lists = old instanceof Error ? noRules : old;
  return { ...unchanged, fault: null, changes: changesBetween(lists, current), value: text, after };
}

function textIn(
  read: BytesResult,
  path: string,
): { readonly text: string | null } | { readonly fault: WispError } {
  switch (read.kind) {
    case "missing":
      return { text: null };
    case "refused": {
      const mode = read.objection === "open to others" ? `chmod 600 ${shellQuoted(path)}` : undefined;
      return { fault: policyFault(policyFileName, path, [read.objection], mode) };
    }
    case "bytes": {
      const decoded = textOf(read.bytes);
      return "why" in decoded ? { fault: policyFault(policyFileName, path, [decoded.why]) } : decoded;
    }
    default:
      return read satisfies never;
  }
}

function listsIn(text: string, file: Parameters<typeof parseRules>[1], path: string): RuleLists | WispError {
  const parsed = parseRules(text, file);
  return parsed.kind === "rules" ? parsed.lists : policyFault(policyFileName, path, parsed.objections);
}

function changesBetween(accepted: RuleLists, current: RuleLists): readonly AcceptChange[] {
  const changes = ruleChanges(accepted, current).map(({ change, rule, effect }) => ({
    sign: change === "added" ? ("+" as const) : ("-" as const),
    list: rule.list,
    text: rule.text,
    details: detailsOf(rule),
    line: rule.line,
    effect,
  }));
  const moves = ruleMoves(accepted, current);
  const [first] = moves;
  if (first === undefined) return changes;
  const text = "rules that ask in another order: the first that matches says level and maxScope";
  const details = moves.map(moveText);
  return [...changes, { sign: "~", list: "order", text, details, line: first.rule.line, effect: "unclear" }];
}

function moveText({ rule, before }: RuleMove): string {
  return `${placed(rule)} now stands before ${before.map(placed).join(", and before ")}`;
}

/** With what it says beside its text: that is what the order decides. */
function placed(rule: Rule): string {
  return `${detailsOf(rule)[0] ?? rule.text} (line ${rule.line})`;
}

/** What stands in the entry beside its rule: that decides as much as the rule does. */
function detailsOf({ key, text }: Rule): readonly string[] {
  return key === JSON.stringify({ rule: text }) ? [] : [key];
}
