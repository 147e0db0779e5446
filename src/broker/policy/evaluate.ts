/**
 * What a set of rules says of a call: deny, then ask, then allow; the first that matches in a list; where no rule speaks,
 * ask. Each command of a line is judged, and the strictest decides. Pure.
 */
import { isAbsolute } from "node:path";
import { type Level, levels } from "../request/request.js";
import { type Scope, scopes } from "../request/scope.js";
import type { StateSpec } from "../request/state-spec.js";
import type { Effort } from "./effort.js";
import { joinedState } from "./joined-state.js";
import { isRuleMatched, type Subject } from "./match.js";
import type { Part, Parts } from "./parts.js";
import type { Rule, RuleLists } from "./rule.js";
import { unseenIn } from "./unseen.js";
import { type DecidingRule, type JudgedPart, type VerdictName, verdicts } from "./verdict.js";

/** Rules that have a say at the same time. */
export interface RuleSet {
  readonly own: RuleLists;
  /** They deny and ask; what else stands in them is never read. */
  readonly projects: readonly RuleLists[];
  /** Nothing was ever accepted: that nothing asks there is no word of the person. */
  readonly isEmpty: boolean;
}

/** What is known of a call before any rule is looked at. */
export interface Known {
  readonly parts: Parts;
  /** By code: no rule makes a dangerous call less. */
  readonly level: Level;
  readonly threshold: Level;
  /** For the rules of the person, and for those of all projects. */
  readonly efforts: { readonly own: Effort; readonly projects: Effort };
}

/** What rules say of a call. */
export interface Ruling {
  readonly name: VerdictName;
  readonly level: Level;
  readonly rule: DecidingRule;
  readonly denial: string | null;
  readonly parts: readonly JudgedPart[];
  /** What asks, in every set in which something does: null where that is no rule of a file. */
  readonly askedBy: readonly (string | null)[];
  readonly maxScope: Scope;
  /** Of the rule that decided, and of those that say the same of the call. */
  readonly state: StateSpec | null;
  readonly isReadOnly: boolean;
}

/** What they say together: of each part the strictest counts. `sets` is not empty. */
export function rulingOf(sets: readonly RuleSet[], known: Known): Ruling {
  const rulings = known.parts.parts.map((part) =>
    sets.map((set) => floored(partRuling(part, set, known), known)).reduce(stricter),
  );
  const name = rulings.map(({ rule }) => rule.verdict).reduce(strictest);
  const deciding = rulings.filter(({ rule }) => rule.verdict === name);
  // A rule says more than that there is none.
  const first = deciding.reduce((one, other) => (isOfFile(one) || !isOfFile(other) ? one : other));
  return {
    name,
    level: highestLevel(rulings.map(({ level }) => level)),
    rule: first.rule.by,
    denial: first.denial,
    parts: rulings.map(({ rule, text }) => ({ text, verdict: rule.verdict, rule: rule.by })),
    askedBy: askersOf(rulings, sets),
    maxScope: narrowest(rulings.map(({ maxScope }) => maxScope)),
    // Only a call of a tool has any, and that is one part.
    state: first.state,
    isReadOnly: first.isReadOnly,
  };
}

/** Where a copy was accepted in which no rule asks, a rule of the file alone asks for nobody: it may have been taken out before. */
function askersOf(rulings: readonly PartRuling[], sets: readonly RuleSet[]): Ruling["askedBy"] {
  const all = [...new Set(rulings.flatMap(({ askedBy }) => askedBy))];
  const rules = all.filter((one) => one !== null);
  return rules.length > 0 && sets.some(({ isEmpty }) => isEmpty) ? rules : all;
}

/** Where both say the same, the rule of the first is named, or whichever stands in a file. */
function stricter(a: PartRuling, b: PartRuling): PartRuling {
  const both = {
    level: highestLevel([a.level, b.level]),
    maxScope: narrowest([a.maxScope, b.maxScope]),
    askedBy: [...a.askedBy, ...b.askedBy],
  };
  const [one, other] = [a.rule.verdict, b.rule.verdict];
  if (one !== other) return { ...(strictest(one, other) === one ? a : b), ...both };
  const said = {
    state: joinedState(a.state, b.state),
    isReadOnly: a.isReadOnly && b.isReadOnly,
  };
  return { ...(isOfFile(a) || !isOfFile(b) ? a : b), ...both, ...said };
}

/** The lower of scopes. */
export function narrowest(all: readonly Scope[]): Scope {
  return scopes.find((scope) => all.includes(scope)) ?? "once";
}

/** A rule of code, in words. */
export function floorRule(text: string): DecidingRule {
  return { list: "floor", text, file: null, line: null };
}

interface PartRuling {
  readonly text: string;
  readonly rule: { readonly verdict: VerdictName; readonly by: DecidingRule };
  readonly level: Level;
  readonly denial: string | null;
  readonly askedBy: Ruling["askedBy"];
  readonly maxScope: Scope;
  readonly state: StateSpec | null;
  readonly isReadOnly: boolean;
}

function partRuling(part: Part, { own, projects }: RuleSet, known: Known): PartRuling {
  const { text, subject } = part;
  const { level, efforts } = known;
  const all = [own, ...projects];
  const effortOf = (index: number): Effort => (index === 0 ? efforts.own : efforts.projects);
  const unsaid = { denial: null, askedBy: [], state: null, isReadOnly: false };
  const plain = { text, level, maxScope: "always" as const, ...unsaid };
  const denying = firstIn(all.map(({ deny }, index) => firstOf(deny, subject, effortOf(index))));
  if (denying !== null) {
    return { rule: { verdict: "deny", by: decidingRule(denying) }, ...plain, denial: denying.reason };
  }
  const asking = all.map(({ ask }, index) => firstOf(ask, subject, effortOf(index)));
  const first = firstIn(asking);
  if (first !== null) {
    return {
      rule: { verdict: "ask", by: decidingRule(first) },
      ...plain,
      level: levelBy(asking, level),
      askedBy: asking.flatMap((rule) => (rule === null ? [] : [askerText(rule)])),
      maxScope: narrowest(["always", ...asking.flatMap((rule) => rule?.maxScope ?? [])]),
      state: stateBy(asking),
    };
  }
  const allowing = firstOf(own.allow, subject, efforts.own);
  if (allowing !== null) {
    const { state, isReadOnly } = allowing;
    return { rule: { verdict: "allow", by: decidingRule(allowing) }, ...plain, state, isReadOnly };
  }
  const rule = uncovered(own.allow, subject, efforts.own) ?? withoutRule(subject, known);
  return { rule, ...plain, askedBy: rule.verdict === "ask" ? [null] : [] };
}

/** The person's own rule says it; a project only adds to what is bound. */
function stateBy([own = null, ...projects]: readonly (Rule | null)[]): StateSpec | null {
  const added = projects.flatMap((rule) => rule?.state ?? []).filter((state) => state !== "none");
  return added.reduce<StateSpec | null>(joinedState, own?.state ?? null);
}

/** A project's rule is another than the person's own of the same words: an agent may write it there. */
function askerText({ text, file }: Rule): string {
  return isAbsolute(file) ? `${text} (${file})` : text;
}

/** A rule that would allow it but for what it does not name: whoever wrote it is told why it asks. */
function uncovered(allow: readonly Rule[], subject: Subject, effort: Effort): PartRuling["rule"] | null {
  if (subject.kind !== "command") return outside(allow, subject, effort);
  const [option] = subject.exact[0]?.running() ?? [];
  if (option === undefined) return null;
  const exact = subject.exact.map(({ text }) => ({ text, running: () => [] }));
  const rule = firstOf(allow, { ...subject, exact }, effort);
  return rule === null
    ? null
    : {
        verdict: "ask",
        by: floorRule(`${option} may run another program, and ${rule.text} does not name it`),
      };
}

/** Whoever allowed a tool for some paths said that others ask: nothing else that is known of the tool lets them through. */
function outside(allow: readonly Rule[], subject: Subject, effort: Effort): PartRuling["rule"] | null {
  const ofPaths = allow.filter(({ when }) => when.some(({ test }) => test.kind === "path"));
  const rule = ofPaths.find((one) => isRuleMatched({ ...one, when: [] }, subject, effort));
  return rule === undefined
    ? null
    : { verdict: "ask", by: floorRule(`${rule.text} allows it for other paths alone`) };
}

/** Dangerous calls, lines into which bash puts names of files, lines that are more than the policy understands, and what works inside a shell are never let through. */
function floored(ruling: PartRuling, { level, parts }: Known): PartRuling {
  if (ruling.rule.verdict !== "allow") return ruling;
  if (level === "dangerous") return { ...ruling, rule: dangerousAsks };
  const why = unseenIn(parts);
  return why === null ? ruling : { ...ruling, rule: { verdict: "ask", by: floorRule(why) } };
}

const dangerousAsks: PartRuling["rule"] = {
  verdict: "ask",
  by: floorRule("what is dangerous always asks"),
};

/** The person's own rule says what level it is, but for what is dangerous; a project only raises it. */
function levelBy([own, ...projects]: readonly (Rule | null)[], level: Level): Level {
  const said = level === "dangerous" ? level : (own?.level ?? level);
  return highestLevel([said, ...projects.flatMap((rule) => rule?.level ?? [])]);
}

function withoutRule(subject: Subject, { level, threshold }: Known): PartRuling["rule"] {
  const by = (text: string): DecidingRule => ({ list: "threshold", text, file: null, line: null });
  if (level === "dangerous") return dangerousAsks;
  if (subject.kind === "tool") return { verdict: "ask", by: by("no rule speaks of it, so it asks") };
  return levels.indexOf(level) >= levels.indexOf(threshold)
    ? { verdict: "ask", by: by("no rule speaks of it, so it asks") }
    : { verdict: "allow", by: by(`no rule speaks of it, and below ${threshold} nothing asks`) };
}

function firstOf(rules: readonly Rule[], subject: Subject, effort: Effort): Rule | null {
  return rules.find((rule) => isRuleMatched(rule, subject, effort)) ?? null;
}

function firstIn(found: readonly (Rule | null)[]): Rule | null {
  return found.find((rule) => rule !== null) ?? null;
}

function decidingRule({ list, text, file, line }: Rule): DecidingRule {
  return { list, text, file, line };
}

function isOfFile({ rule }: PartRuling): boolean {
  return rule.by.file !== null;
}

function strictest(one: VerdictName, other: VerdictName): VerdictName {
  return verdicts.indexOf(one) < verdicts.indexOf(other) ? other : one;
}

/** The gravest of levels; of none the gravest that there is. */
export function highestLevel(all: readonly Level[]): Level {
  return levels.findLast((level) => all.includes(level)) ?? "dangerous";
}
