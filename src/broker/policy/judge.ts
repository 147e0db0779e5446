/**
 * The verdict on a call: rules, floors, and what a yes left behind. Invariant: a rule that is remembered only answers a
 * question that would be asked; deny rules, floors and levels come before it, every time. Pure but for `look`.
 */
import type { Level } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import { hasFileGlob } from "./command-line.js";
import { floorRule, narrowest, type RuleSet, type Ruling, rulingOf } from "./evaluate.js";
import { floorsOf } from "./floors.js";
import { type Judgement, judgeCommand } from "./levels.js";
import { offersOf } from "./offers.js";
import { type Parts, partsOf, type Surroundings } from "./parts.js";
import type { JudgeSettings } from "./policy.js";
import type { RememberedRule } from "./remembered.js";
import { findRemembered } from "./remembered-match.js";
import type { Judged, Verdict } from "./verdict.js";

/** What the files say at this moment. */
export interface Standing {
  /** The accepted rules, and those in the file as it stands; the strictest of them counts. Never empty. */
  readonly sets: readonly RuleSet[];
  readonly remembered: readonly RememberedRule[];
  /** A file cannot be used: all that is not denied asks, and a yes is for once. */
  readonly isFaulty: boolean;
  readonly notices: readonly string[];
}

/** Where and when it is judged. */
export interface JudgedAt extends Surroundings {
  /** The path of the home of wisp. */
  readonly home: string;
  /** Wall time. */
  readonly now: number;
}

/** Judges one call by what the files say at this moment; the same answer for the same input. */
export function verdictOn(
  judged: Judged,
  standing: Standing,
  settings: JudgeSettings,
  at: JudgedAt,
): Verdict {
  const parts = partsOf(judged, at);
  const { level, reasons } = judgementOf(judged, parts, at);
  const known = { parts, level, threshold: settings.threshold };
  const ruling = faulted(rulingOf(standing.sets, known), standing);
  const isOpen = judged.kind === "command" && judged.isProgramOpen;
  const isOffered = parts.only !== null && parts.shellWord === null && !isOpen && !isDangerous(ruling.level);
  const offers = isOffered ? offersOf(parts.only) : [];
  const maxScope = narrowest([ruling.maxScope, widestFor(ruling, parts, offers.length > 0, standing)]);
  const isWide = maxScope === "project" || maxScope === "always";
  const asks: Verdict = {
    ...ruling,
    reasons: reasonsFor(ruling, { level, reasons }, standing),
    isComplex: parts.isComplex,
    maxScope,
    remembered: null,
    offers: ruling.name === "ask" && isWide ? offers : [],
    nearest: null,
    notices: standing.notices,
    isFaulty: standing.isFaulty,
  };
  // No rule answers for a program that whoever works there may change; that one was for another file is said all the same.
  const isTold = isOpen && parts.only !== null && !isDangerous(ruling.level);
  return ruling.name === "ask" && (isWide || isTold)
    ? answered(asks, judged, parts, standing, settings, at)
    : asks;
}

/** A rule that is remembered makes the question needless; a near one says why it is asked again. */
function answered(
  asks: Verdict,
  judged: Judged,
  { parts }: Parts,
  { remembered }: Standing,
  { persistDays }: JudgeSettings,
  { now, homeDirectory }: JudgedAt,
): Verdict {
  const [part] = parts;
  if (part === undefined || judged.kind !== "command") return asks;
  const found = findRemembered(remembered, {
    subject: part.subject,
    directory: judged.directory,
    program: judged.program,
    programIdentity: judged.programIdentity,
    askedBy: asks.askedBy,
    maxScope: asks.maxScope,
    now,
    persistDays,
    homeDirectory,
  });
  if (found.rule === null) return withoutSeveral({ ...asks, nearest: found.nearest });
  const rule = { list: "remembered" as const, text: found.rule.rule, file: "remembered.json", line: null };
  return {
    ...asks,
    name: "allow",
    rule,
    reasons: ["a yes of the person is remembered"],
    parts: [{ text: part.text, verdict: "allow", rule }],
    remembered: found.rule,
    offers: [],
  };
}

/** What is remembered names one rule that asks: where several do, it would answer none of them. */
function withoutSeveral(asks: Verdict): Verdict {
  if (asks.askedBy.length === 1) return asks;
  return { ...asks, maxScope: narrowest([asks.maxScope, "session"]), offers: [] };
}

function judgementOf(judged: Judged, { parts, isCut }: Parts, { home, homeDirectory }: JudgedAt): Judgement {
  const subjects = parts.map(({ subject }) => subject);
  const line = judged.kind === "command" && judged.argv === null ? judged.line : null;
  const floors = floorsOf(subjects, line, { home, homeDirectory });
  const cut = isCut ? ["holds more commands than are searched"] : [];
  const base: Judgement =
    judged.kind === "command" ? judgeCommand(judged) : { level: "moderate", reasons: ["every call asks"] };
  const more = [...floors, ...cut];
  if (more.length === 0) return base;
  return { level: "dangerous", reasons: [...(isDangerous(base.level) ? base.reasons : []), ...more] };
}

function isDangerous(level: Level): boolean {
  return level === "dangerous";
}

/** While a file cannot be used nothing is let through by what may be missing a rule. */
function faulted(ruling: Ruling, { isFaulty }: Standing): Ruling {
  if (!isFaulty || ruling.name !== "allow") return ruling;
  const rule = floorRule("a file of rules cannot be used, so everything asks");
  const parts = ruling.parts.map((part) => ({ ...part, verdict: "ask" as const, rule }));
  return { ...ruling, name: "ask", rule, parts };
}

/** By what the call is, whatever rules say. */
function widestFor(ruling: Ruling, parts: Parts, canRemember: boolean, { isFaulty }: Standing): Scope {
  if (parts.isComplex || isFaulty) return "once";
  if (isDangerous(ruling.level) || parts.only === null || hasFileGlob(parts.only)) return "session";
  // It is no program: nothing says what it makes of its words.
  if (parts.shellWord !== null) return "session";
  return canRemember ? "always" : "session";
}

function reasonsFor(ruling: Ruling, known: Judgement, { isFaulty }: Standing): readonly string[] {
  const fault = isFaulty ? ["a file of rules cannot be used"] : [];
  const isKnown = isDangerous(known.level) || ruling.rule.list === "threshold";
  const byRule = ruling.level === known.level ? "a rule asks" : `a rule asks, and says ${ruling.level}`;
  switch (ruling.name) {
    case "deny":
      return ["a rule denies it"];
    case "allow":
      return [ruling.rule.list === "threshold" ? "no rule asks" : "a rule allows it"];
    case "ask":
      return [...(isKnown ? known.reasons : [byRule]), ...fault];
    default:
      return ruling.name satisfies never;
  }
}
