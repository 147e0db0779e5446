/**
 * The verdict on a call: rules, floors, and what a yes left behind. Invariant: a rule that is remembered only answers a
 * question that would be asked; deny rules, floors and levels come before it, every time. Pure but for `look`.
 */
import type { Level } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import { hasFileGlob } from "./command-line.js";
import { mostEffort, mostEffortOfProjects, newEffort } from "./effort.js";
import {
  floorRule,
  highestLevel,
  type Known,
  narrowest,
  type RuleSet,
  type Ruling,
  rulingOf,
} from "./evaluate.js";
import { floorsOf } from "./floors.js";
import {
  createKnownVerdicts,
  hasBesidePaths,
  isByNameAlone,
  type KnownVerdicts,
  verdictKey,
} from "./known-verdicts.js";
import { harmless, type Judgement, judgeCommand } from "./levels.js";
import type { ToolSubject } from "./match.js";
import { offersOf } from "./offers.js";
import { type OnlyCommand, type Parts, partsOf, type Surroundings } from "./parts.js";
import type { JudgeSettings } from "./policy.js";
import type { RememberedRule } from "./remembered.js";
import { findRemembered } from "./remembered-match.js";
import type { DecidingRule, Judged, JudgedCommand, JudgedTool, Verdict } from "./verdict.js";

/** What the files say at this moment. */
export interface Standing {
  /** The accepted rules, and those in the file as it stands; the strictest of them counts. Never empty. */
  readonly sets: readonly RuleSet[];
  readonly remembered: readonly RememberedRule[];
  /** What cannot be used, in few words: all that is not denied asks, and a yes is for once. Null where everything can. */
  readonly fault: string | null;
  readonly notices: readonly string[];
}

/** Where and when it is judged. */
export interface JudgedAt extends Surroundings {
  /** The path of the home of wisp. */
  readonly home: string;
  /** Wall time. */
  readonly now: number;
}

/**
 * Judges one call by what the files say at this moment; the same answer for the same input. What is `known` of other calls is
 * looked at, and added to.
 */
export function verdictOn(
  judged: Judged,
  files: Standing,
  settings: JudgeSettings,
  at: JudgedAt,
  known: KnownVerdicts = createKnownVerdicts(),
): Verdict {
  const parts = partsOf(judged, at);
  const judgement = judgementOf(judged, parts, at);
  const [part] = parts.parts;
  const by = (read: Parts): Verdict => verdictBy(judged, read, judgement, files, settings, at);
  if (judged.kind !== "tool" || part?.subject.kind !== "tool") return by(parts);
  const { subject, text } = part;
  const besides = (said: Verdict): Verdict =>
    withBeside(said, judged, subject, files, (beside) =>
      by({ ...parts, parts: [{ text, subject: { ...subject, beside } }] }),
    );
  if (isDangerous(judgement.level)) return besides(by(parts));
  const verdicts = known(files, settings);
  const key = verdictKey(subject);
  const before = verdicts.get(key);
  if (before !== undefined) return before;
  const verdict = by(parts);
  if (!isByNameAlone(files.sets, subject)) return besides(verdict);
  verdicts.set(key, verdict);
  return verdict;
}

/** What is denied at one path is at each; what asks at one only adds to what is said of the others. */
function withBeside(
  said: Verdict,
  { pathArguments = [] }: JudgedTool,
  subject: ToolSubject,
  { sets }: Standing,
  judgeBeside: (names: readonly string[]) => Verdict,
): Verdict {
  if (said.name === "deny" || !hasBesidePaths(sets, subject, pathArguments)) return said;
  const more = judgeBeside(pathArguments);
  if (more.name === "deny") return more;
  if (more.rule.list !== "ask" || said.rule.list === "ask") return said;
  return { ...more, level: highestLevel([said.level, more.level]), isBeside: true };
}

function verdictBy(
  judged: Judged,
  parts: Parts,
  judgement: Judgement,
  files: Standing,
  settings: JudgeSettings,
  at: JudgedAt,
): Verdict {
  const standing = withSettings(files, settings);
  const { ruling: said, level, reasons } = ruled(parts, judgement, standing, settings);
  const ruling = faulted(said, standing);
  const isOpen = judged.kind === "command" && judged.isProgramOpen;
  const isOffered = parts.only !== null && parts.shellWord === null && !isOpen && !isDangerous(ruling.level);
  const offers = isOffered ? offersOf(parts.only.command) : [];
  const maxScope = narrowest([ruling.maxScope, widestFor(ruling, parts, offers.length > 0, standing)]);
  const isWide = maxScope === "project" || maxScope === "always";
  // What is new stands before what is copied: the other way round each verdict would be an object of a class of its own.
  const asks: Verdict = {
    reasons: reasonsFor(ruling, { level, reasons }, files),
    isComplex: parts.isComplex,
    isBeside: false,
    remembered: null,
    waiting: allowedOnceAccepted(ruling, standing, {
      parts,
      level,
      threshold: settings.threshold,
      efforts: newEfforts(),
    }),
    offers: ruling.name === "ask" && isWide ? offers : [],
    nearest: null,
    notices: standing.notices,
    isFaulty: standing.fault !== null,
    ...ruling,
    maxScope,
  };
  if (ruling.name !== "ask" || judged.kind !== "command" || parts.only === null) return asks;
  // No rule answers for a program that whoever works there may change; that one was for another file is said all the same.
  const isTold = isOpen && !isDangerous(ruling.level);
  return isWide || isTold ? answered(asks, judged, parts.only, standing, settings, at) : asks;
}

/** What was not searched to its end is dangerous, unless it is denied already. */
function ruled(
  parts: Parts,
  judgement: Judgement,
  { sets }: Standing,
  { threshold }: JudgeSettings,
): Judgement & { readonly ruling: Ruling } {
  const efforts = newEfforts();
  const by = ({ level, reasons }: Judgement) => ({
    level,
    reasons,
    ruling: rulingOf(sets, { parts, level, threshold, efforts }),
  });
  const first = by(judgement);
  const isWhole = !efforts.own.isSpent && !efforts.projects.isSpent;
  return isWhole || first.ruling.name === "deny" ? first : by(dangerous(judgement, [unsearched]));
}

function newEfforts(): Known["efforts"] {
  return { own: newEffort(mostEffort), projects: newEffort(mostEffortOfProjects) };
}

const unsearched = "holds more commands than are searched";

function dangerous({ level, reasons }: Judgement, more: readonly string[]): Judgement {
  return { level: "dangerous", reasons: [...(isDangerous(level) ? reasons : []), ...more] };
}

/** A rule that is remembered makes the question needless; a near one says what of it does not fit. */
function answered(
  asks: Verdict,
  judged: JudgedCommand,
  { command, subject }: OnlyCommand,
  { remembered }: Standing,
  { persistDays }: JudgeSettings,
  { now, homeDirectory }: JudgedAt,
): Verdict {
  const found = findRemembered(remembered, {
    subject,
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
    parts: [{ text: command.text, verdict: "allow", rule }],
    remembered: found.rule,
    offers: [],
  };
}

/** A rule that lets it through in the file as it stands, and not before it was accepted. */
function allowedOnceAccepted(ruling: Ruling, { sets, fault }: Standing, known: Known): DecidingRule | null {
  const [own] = sets;
  if (ruling.name !== "ask" || fault !== null || own === undefined) return null;
  const { name, rule } = rulingOf([own], known);
  return name === "allow" && rule.list === "allow" ? rule : null;
}

/** What is remembered names one rule that asks: where several do, it would answer none of them. */
function withoutSeveral(asks: Verdict): Verdict {
  if (asks.askedBy.length === 1) return asks;
  return { ...asks, maxScope: narrowest([asks.maxScope, "session"]), offers: [] };
}

function judgementOf(judged: Judged, { parts, isCut }: Parts, around: JudgedAt): Judgement {
  const subjects = parts.map(({ subject }) => subject);
  const line = judged.kind === "command" && judged.argv === null ? judged.line : null;
  const floors = floorsOf(subjects, line, { ...around, directory: judged.directory });
  const cut = isCut() ? [unsearched] : [];
  const base: Judgement =
    judged.kind === "command" ? judgeCommand(judged) : { level: "moderate", reasons: [harmless] };
  const more = [...floors, ...cut];
  return more.length === 0 ? base : dangerous(base, more);
}

function isDangerous(level: Level): boolean {
  return level === "dangerous";
}

/** What the configuration adds to what the files of rules say. */
function withSettings(files: Standing, { notices, onceBecause }: JudgeSettings): Standing {
  const fault = onceBecause === null ? files.fault : (files.fault ?? "config.json cannot be used");
  const all = [...files.notices, ...notices, ...(onceBecause === null ? [] : [onceBecause])];
  return { ...files, fault, notices: all };
}

/** While a file cannot be used nothing is let through by what may be missing a rule. */
function faulted(ruling: Ruling, { fault }: Standing): Ruling {
  if (fault === null || ruling.name !== "allow") return ruling;
  const rule = floorRule(`${fault}, so everything asks`);
  const parts = ruling.parts.map((part) => ({ ...part, verdict: "ask" as const, rule }));
  return { ...ruling, name: "ask", rule, parts };
}

/** By what the call is, whatever rules say. */
function widestFor(ruling: Ruling, parts: Parts, canRemember: boolean, { fault }: Standing): Scope {
  if (parts.isComplex || fault !== null) return "once";
  if (isDangerous(ruling.level) || parts.only === null || hasFileGlob(parts.only.command)) return "session";
  // It is no program: nothing says what it makes of its words.
  if (parts.shellWord !== null) return "session";
  return canRemember ? "always" : "session";
}

/** What is wrong with the configuration is told whole, as a notice. */
function reasonsFor(ruling: Ruling, known: Judgement, files: Standing): readonly string[] {
  const fault = files.fault === null ? [] : [files.fault];
  const { list, text } = ruling.rule;
  const byRule = ruling.level === known.level ? "a rule asks" : `a rule asks, and says ${ruling.level}`;
  switch (ruling.name) {
    case "deny":
      return ["a rule denies it"];
    case "allow":
      return [list === "threshold" ? "no rule asks" : "a rule allows it"];
    case "ask": {
      if (isDangerous(known.level)) return [...known.reasons, ...fault];
      // What cannot be used says itself that it asks. Where no rule of a file does, what does is named.
      const isFaults = list === "floor" && files.fault !== null && text.startsWith(files.fault);
      const why = list === "floor" || list === "threshold" ? text : byRule;
      return isFaults ? fault : [why, ...fault];
    }
    default:
      return ruling.name satisfies never;
  }
}
