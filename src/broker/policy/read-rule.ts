/** One entry of a list, as it stands in a file: a text, or an object around one. Strict: no key is passed over. */
import { nearest } from "../request/nearest.js";
import { type Level, levels } from "../request/request.js";
import { type Scope, scopes } from "../request/scope.js";
import type { StateSpec } from "../request/state-spec.js";
import type { Condition } from "./condition.js";
import { isCovered } from "./covered.js";
import { itemsOf, type JsonNode, membersOf, plainValue } from "./jsonc.js";
import { parsePattern } from "./parse-pattern.js";
import type { Pattern } from "./pattern.js";
import { readCondition } from "./read-condition.js";
import { readState } from "./read-state.js";
import type { Rule } from "./rule.js";
import type { VerdictName } from "./verdict.js";

/** The file that is read. */
export interface RuleFile {
  /** As a person names it. */
  readonly name: string;
  readonly homeDirectory: string;
  /** The directory of the project whose file it is; null for the person's own. */
  readonly project: string | null;
  /** Is the text the file as it stands? Otherwise its lines are those of no file. */
  readonly isCurrent: boolean;
}

/** A rule with the tests of itself that stand beside it. */
export interface ReadRule {
  readonly rule: Rule;
  readonly match: readonly string[];
  readonly notMatch: readonly string[];
}

/** Says what is wrong, and at which line. */
export type Complain = (node: JsonNode, what: string) => void;

const longestReason = 500;
/** Of a call that a rule is tested by. */
const longestTest = 1_000;
const mostEntries = 64;

const anywhere = ["rule", "unless", "when", "match", "notMatch", "comment"];
/** Keys that mean something in one list only. */
const ownKeys: Readonly<Record<VerdictName, readonly string[]>> = {
  deny: ["reason"],
  ask: ["level", "maxScope", "state"],
  allow: ["state", "readOnly"],
};

/** Reads one entry; null where it is no rule, which was said. */
export function readRule(node: JsonNode, list: VerdictName, place: Place): ReadRule | null {
  if (node.type === "string") return readText(node, list, place);
  const { file, object, lineOf } = place;
  const said = { count: 0 };
  const complain: Complain = (at, what) => {
    said.count += 1;
    object(at, what);
  };
  const entry = entryOf(node, list, complain);
  if (entry === null) return null;
  const isStricter = list !== "allow";
  const patternIn = (at: JsonNode, isStrict: boolean): Pattern | null =>
    readPattern(at, { ...file, isStricter: isStrict }, complain);
  const pattern = patternIn(entry.rule, isStricter);
  const exceptions = listIn(entry.fields.get("unless"), "unless", complain);
  const unless = exceptions.flatMap((one) => {
    const excepted = patternIn(one, !isStricter);
    if (pattern !== null && excepted !== null && isCovered(pattern, excepted, list))
      complain(one, "it excepts all that the rule matches, so it matches nothing");
    return excepted ?? [];
  });
  const text = String(entry.rule.value);
  const when = listIn(entry.fields.get("when"), "when", complain).flatMap((one) => {
    const condition = readCondition(one, complain);
    if (pattern?.kind === "command" && condition !== null && !isOfCommand(condition))
      complain(one, "a command has the arguments $.argv and $.directory, and no other");
    return condition ?? ([] as Condition[]);
  });
  const rule = {
    list,
    text,
    unless,
    when,
    reason: textIn(entry.fields.get("reason"), "reason", complain),
    level: oneOf<Level>(entry.fields.get("level"), "level", levels, complain),
    maxScope: oneOf<Scope>(entry.fields.get("maxScope"), "maxScope", scopes, complain),
    state: stateIn(entry.fields.get("state"), pattern, complain),
    isReadOnly: isReadOnlyBy(entry.fields.get("readOnly"), pattern, complain),
    file: file.name,
    line: file.isCurrent ? lineOf(node) : null,
    key: keyOf(node),
  };
  const match = textsIn(entry.fields.get("match"), "match", complain);
  const notMatch = textsIn(entry.fields.get("notMatch"), "notMatch", complain);
  textIn(entry.fields.get("comment"), "comment", complain);
  if (pattern === null || said.count > 0) return null;
  return { rule: { ...rule, pattern }, match, notMatch };
}

/** What of a command can be asked for: where nothing is found a rule that denies would never hold. */
function isOfCommand({ path: { steps } }: Condition): boolean {
  const [first] = steps;
  return first?.kind === "all" || (first?.kind === "name" && ["argv", "directory"].includes(first.name));
}

/** An entry that is the text of a rule and nothing else. */
function readText(node: JsonNode, list: VerdictName, { file, object, lineOf }: Place): ReadRule | null {
  const pattern = readPattern(node, { ...file, isStricter: list !== "allow" }, object);
  if (pattern === null) return null;
  const text = String(node.value);
  const rule = {
    list,
    text,
    pattern,
    unless: [],
    when: [],
    reason: null,
    level: null,
    maxScope: null,
    state: null,
    isReadOnly: false,
    file: file.name,
    line: file.isCurrent ? lineOf(node) : null,
    key: keyOf(node),
  };
  return { rule, match: [], notMatch: [] };
}

/** Where an entry stands. */
export interface Place {
  readonly file: RuleFile;
  readonly object: Complain;
  readonly lineOf: (node: JsonNode) => number;
}

interface Entry {
  readonly rule: JsonNode;
  readonly fields: ReadonlyMap<string, JsonNode>;
}

function entryOf(node: JsonNode, list: VerdictName, complain: Complain): Entry | null {
  if (node.type !== "object") {
    complain(node, "a rule is a text, or an object with the key rule");
    return null;
  }
  const fields = new Map<string, JsonNode>();
  for (const { key, keyNode, value } of membersOf(node)) {
    fields.set(key, value);
    if (!anywhere.includes(key) && !ownKeys[list].includes(key)) complain(keyNode, unknownKey(key, list));
  }
  const rule = fields.get("rule");
  if (rule?.type === "string") return { rule, fields };
  complain(rule ?? node, rule === undefined ? "the key rule is missing" : "rule is a text");
  return null;
}

function unknownKey(key: string, list: VerdictName): string {
  const homes = Object.entries(ownKeys).flatMap(([name, keys]) => (keys.includes(key) ? [name] : []));
  if (homes.length > 0) return `${key} stands in ${homes.join(" and ")} rules only`;
  const meant = nearest(key, [...anywhere, ...ownKeys[list]]);
  return `${named(key)} is no key${meant === null ? "" : `; the nearest is ${meant}`}`;
}

function readPattern(
  node: JsonNode,
  place: Parameters<typeof parsePattern>[1],
  complain: Complain,
): Pattern | null {
  if (node.type !== "string") {
    complain(node, "a rule is a text");
    return null;
  }
  const parsed = parsePattern(String(node.value), place);
  if (parsed.kind === "pattern") return parsed.pattern;
  complain(node, `${named(String(node.value)) || '""'}: ${parsed.why}`);
  return null;
}

function listIn(node: JsonNode | undefined, key: string, complain: Complain): readonly JsonNode[] {
  if (node === undefined) return [];
  const items = itemsOf(node);
  if (items.length === 0) complain(node, `${key} is a list that is not empty`);
  if (items.length > mostEntries) complain(node, `${key} holds more than ${mostEntries} entries`);
  return items;
}

function stateIn(node: JsonNode | undefined, pattern: Pattern | null, complain: Complain): StateSpec | null {
  if (node === undefined) return null;
  objectToOthers(node, "state", pattern, complain);
  return readState(node, complain);
}

function isReadOnlyBy(node: JsonNode | undefined, pattern: Pattern | null, complain: Complain): boolean {
  if (node === undefined) return false;
  objectToOthers(node, "readOnly", pattern, complain);
  if (node.value !== true) complain(node, "readOnly is true, or left out");
  return true;
}

/** Nobody looks at it but what stands before a server. */
function objectToOthers(node: JsonNode, key: string, pattern: Pattern | null, complain: Complain): void {
  if (pattern !== null && (pattern.kind !== "tool" || pattern.server === null))
    complain(node, `${key} stands in rules about tools of servers only: mcp__server__tool`);
}

function textsIn(node: JsonNode | undefined, key: string, complain: Complain): readonly string[] {
  return listIn(node, key, complain).map((one) => textOf(one, `each of ${key}`, complain, longestTest));
}

function textIn(node: JsonNode | undefined, key: string, complain: Complain): string | null {
  return node === undefined ? null : textOf(node, key, complain, longestReason);
}

function textOf(node: JsonNode, key: string, complain: Complain, longest: number): string {
  if (node.type !== "string") complain(node, `${key} is a text`);
  else if (String(node.value).length > longest) complain(node, `${key} is longer than ${longest} characters`);
  return String(node.value);
}

function oneOf<Value extends string>(
  node: JsonNode | undefined,
  key: string,
  values: readonly Value[],
  complain: Complain,
): Value | null {
  if (node === undefined) return null;
  const found = values.find((value) => value === node.value);
  if (found === undefined) complain(node, `${key} is one of ${values.join(", ")}`);
  return found ?? null;
}

const longestShown = 64;

/** A text of the file in a sentence, cut where it is very long: as it stands there, so whoever prints it shows it. */
export function named(text: string): string {
  const characters = [...text.slice(0, 2 * longestShown + 1)];
  return characters.length > longestShown ? `${characters.slice(0, longestShown).join("")}…` : text;
}

/** Keys that change nothing of what a rule does. */
const untold = new Set(["comment", "match", "notMatch"]);

/** The same for every spelling of the same entry: comments and the order of keys change nothing. */
function keyOf(node: JsonNode): string {
  if (node.type !== "object") return `{"rule":${JSON.stringify(plainValue(node))}}`;
  const said = membersOf(node)
    .filter(({ key }) => !untold.has(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return `{${said.map(({ key, value }) => `"${key}":${JSON.stringify(plainValue(value))}`).join(",")}}`;
}
