/**
 * The rules of one file. Invariant: a file with anything wrong in it gives no rules at all, and says all that is wrong: a
 * rule that is dropped in silence might have been the one that denies.
 */

import { WispError } from "../request/errors.js";
import { nearest } from "../request/nearest.js";
import { shellQuoted } from "../request/shell-quote.js";
import { itemsOf, type JsonNode, membersOf, type Objection, readJsonc } from "./jsonc.js";
import { named, type Place, type ReadRule, type RuleFile, readRule } from "./read-rule.js";
import { noRules, type Rule, type RuleLists } from "./rule.js";
import { excessOf, mostOfOwn, mostOfProject, type RuleSize, sizeOfRules } from "./rule-size.js";
import { testRule } from "./self-tests.js";
import { type VerdictName, verdicts } from "./verdict.js";

/** What a text says. */
export type ParsedRules =
  | {
      readonly kind: "rules";
      readonly lists: RuleLists;
      /** What a project's file may not do, each with its place; it has no effect. */
      readonly refused: readonly string[];
      readonly size: RuleSize;
    }
  | { readonly kind: "wrong"; readonly objections: readonly string[] };

/** Enough to correct everything at once, without a wall of text. */
const mostObjections = 5;

/** Reads the rules in `text`. */
export function parseRules(text: string, file: RuleFile): ParsedRules {
  const { root, objections, lineOf } = readJsonc(text);
  if (root === null || objections.length > 0) return wrong(file, objections);
  const found: Objection[] = [];
  const object = (node: JsonNode, what: string): void => {
    found.push({ line: lineOf(node), text: what });
  };
  const lists = listsIn(root, object);
  const refused: string[] = [];
  if (file.project !== null) {
    for (const node of lists.get("allow") ?? []) refused.push(refusal(node, file, lineOf(node)));
    lists.delete("allow");
  }
  const size = sizeOfRules([...lists.values()].flat());
  const excess = excessOf(size, file.project === null ? mostOfOwn : mostOfProject);
  if (excess !== null) return wrong(file, [...found, { line: lineOf(root), text: excess }]);
  const read = readLists(lists, { file, object, lineOf });
  if (found.length > 0) return wrong(file, found);
  return { kind: "rules", lists: read, refused, size };
}

/** policy_invalid for a file that cannot be used; `objections` are safe to show. */
export function policyFault(
  name: string,
  path: string,
  objections: readonly string[],
  fix?: string,
): WispError {
  return new WispError("policy_invalid", `${name} cannot be used: ${objections.join("; ")}`, {
    why: "Until it can, everything asks, and each yes is for once.",
    fix: fix ?? `Correct ${shellQuoted(path)}, or remove it.`,
    details: { path },
  });
}

function wrong({ name }: RuleFile, objections: readonly Objection[]): ParsedRules {
  // A brace that is missing is missed at each level.
  const texts = [...new Set(objections.map(({ line, text }) => `${name}:${line}: ${text}`))];
  const more = texts.length - mostObjections;
  return {
    kind: "wrong",
    objections: more > 0 ? [...texts.slice(0, mostObjections), `and ${more} more`] : texts,
  };
}

function refusal(node: JsonNode, { name }: RuleFile, line: number): string {
  const text = node.type === "object" ? membersOf(node).find(({ key }) => key === "rule")?.value : node;
  return `${name}:${line}: a project's file allows nothing: ${named(String(text?.value ?? "…"))}`;
}

/** The lists under `permissions`, whatever stands in them. */
function listsIn(root: JsonNode, object: Place["object"]): Map<VerdictName, readonly JsonNode[]> {
  const lists = new Map<VerdictName, readonly JsonNode[]>();
  if (root.type !== "object") {
    object(root, "the file holds no object");
    return lists;
  }
  let permissions: JsonNode | null = null;
  for (const { key, keyNode, value } of membersOf(root)) {
    if (key === "permissions") permissions = value;
    else if (isListName(key)) object(keyNode, `${key} stands below permissions`);
    else object(keyNode, unknownKey(key, ["permissions"]));
  }
  // Elsewhere a file without lists means that nothing asks; here nobody shall think so.
  if (permissions === null || permissions.type !== "object") {
    object(permissions ?? root, "permissions is missing: an object with deny, ask or allow");
    return lists;
  }
  for (const { key, keyNode, value } of membersOf(permissions)) {
    if (!isListName(key)) object(keyNode, unknownKey(key, ["deny", "ask", "allow"]));
    else if (value.type !== "array") object(value, `${key} is a list`);
    else lists.set(key, itemsOf(value));
  }
  if (membersOf(permissions).length === 0) object(permissions, "no list: deny, ask or allow");
  return lists;
}

function isListName(key: string): key is VerdictName {
  return (verdicts as readonly string[]).includes(key);
}

function unknownKey(key: string, keys: readonly string[]): string {
  const meant = nearest(key, keys);
  return `${named(key)} is no key${meant === null ? `: ${keys.join(", ")}` : `; the nearest is ${meant}`}`;
}

function readLists(lists: ReadonlyMap<VerdictName, readonly JsonNode[]>, place: Place): RuleLists {
  const read: Record<VerdictName, readonly Rule[]> = { ...noRules };
  for (const [list, nodes] of lists) {
    read[list] = nodes.flatMap((node) => {
      const one = readRule(node, list, place);
      return one === null ? [] : tested(one, node, place);
    });
  }
  return read;
}

function tested(read: ReadRule, node: JsonNode, { file, object }: Place): readonly Rule[] {
  for (const what of testRule(read, file.homeDirectory)) object(node, what);
  return [read.rule];
}
