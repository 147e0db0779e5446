/**
 * What `when` asks of the arguments of a call. Invariant: what cannot be told counts against the call: a rule that allows
 * does not hold then, one that makes stricter does (ADR 0021 has the table).
 */
import { isDeepStrictEqual } from "node:util";
import { type ArgumentPath, foundAt, mostFound } from "./argument-path.js";
import { besidePaths } from "./beside-paths.js";
import { type Effort, spend } from "./effort.js";
import { type Glob, isGlobMatch } from "./glob.js";
import type { PathGlob } from "./path-glob.js";
import { isPathAllowed, isPathMeant, type PathPlace } from "./path-place.js";

/** One entry of `when`: what is found at `path` must pass `test`. */
export interface Condition {
  readonly path: ArgumentPath;
  readonly test: ArgumentTest;
}

/** What is asked of it. */
export type ArgumentTest =
  | { readonly kind: "glob"; readonly glob: Glob }
  | { readonly kind: "path"; readonly glob: PathGlob }
  | { readonly kind: "equals"; readonly value: unknown }
  | {
      readonly kind: "matches";
      /** In steps that one character may be. */
      readonly size: number;
      readonly isFoundIn: (text: string) => boolean;
    }
  | { readonly kind: "countOver"; readonly count: number };

/** How sure a match must be: `exact` where it lets through, `loose` where it makes stricter. */
export type Mode = "exact" | "loose";

/** Where it is judged, and how much work that may be. */
export interface Judging {
  readonly place: PathPlace;
  readonly effort: Effort;
  /** Arguments that a rule which makes stricter for one of them speaks of as well; none where it is left out. */
  readonly beside?: readonly string[];
}

/** Does it hold of `args`? */
export function isHolding({ path, test }: Condition, args: unknown, mode: Mode, judging: Judging): boolean {
  // Nothing is looked for any more once too much was: what is left undone counts against the call already.
  if (judging.effort.isSpent) return mode === "loose";
  const there = foundAt(path, args);
  const isAlsoBeside = mode === "loose" && test.kind === "path" && judging.beside !== undefined;
  const beside = isAlsoBeside ? besidePaths(path, args, judging.beside) : [];
  const found = there === null || beside.length === 0 ? there : [...there, ...beside];
  const cost = costOfLook + costOfValue * (found?.length ?? mostFound);
  if (!spend(judging.effort, cost) || found === null) return mode === "loose";
  if (test.kind === "countOver") return found.length > test.count;
  if (mode === "loose") return found.some((value) => isLooselyPassed(test, value, judging));
  return found.length > 0 && found.every((value) => isPassed(test, value, judging));
}

/** Whoever allows by a text means a text. */
function isPassed(test: SomeTest, value: unknown, { place, effort }: Judging): boolean {
  if (test.kind === "equals") return isDeepStrictEqual(value, test.value);
  if (typeof value !== "string" || !spend(effort, costOf(test, value))) return false;
  if (test.kind === "path") return isPathAllowed(test.glob, value, place);
  return isTextPassed(test, value);
}

/** A server may take a list, or a number, for the text that it wants. */
function isLooselyPassed(test: SomeTest, value: unknown, { place, effort }: Judging): boolean {
  const texts = textsIn(value);
  if (!spend(effort, costOfValue * (texts?.length ?? mostFound)) || texts === null) return true;
  if (texts.some((text) => text.length > longestText)) return true;
  if (test.kind === "equals") {
    return isDeepStrictEqual(value, test.value) || texts.some((text) => text === String(test.value));
  }
  return texts.some((text) => {
    if (!spend(effort, costOf(test, text))) return true;
    return test.kind === "path" ? isPathMeant(test.glob, text, place) : isTextPassed(test, text);
  });
}

/** Finding what is at a path takes as long as so many characters of a text, and each value there. */
const costOfLook = 256;
const costOfValue = 16;
/** A step of an expression takes as long as many characters of a text that is only compared. */
const costOfStep = 24;

function costOf(test: Exclude<SomeTest, { kind: "equals" }>, text: string): number {
  switch (test.kind) {
    case "glob":
      return text.length;
    case "matches":
      return text.length * test.size * costOfStep;
    case "path":
      return pathCost(text);
    default:
      return test satisfies never;
  }
}

/** A look at the disk for each name of it, as it is written and as it leads. */
export function pathCost(text: string): number {
  return 4_000 * text.split("/").length;
}

type SomeTest = Exclude<ArgumentTest, { kind: "countOver" }>;

function isTextPassed(test: Extract<SomeTest, { kind: "glob" | "matches" }>, text: string): boolean {
  if (text.length > longestText) return false;
  return test.kind === "glob" ? isGlobMatch(test.glob, text.normalize("NFC")) : test.isFoundIn(text);
}

/** No argument of a tool that a person decides by a rule is longer. */
const longestText = 256 * 1024;
const mostTexts = 10_000;

/** Every text, number and truth value inside `value`, and every name of a member, which may be a path as well; null where there are too many. */
export function textsIn(value: unknown): readonly string[] | null {
  const texts: string[] = [];
  const open: unknown[] = [value];
  for (let next = 0; next < open.length; next += 1) {
    const one = open[next];
    if (typeof one === "object" && one !== null) {
      if (!Array.isArray(one)) open.push(...Object.keys(one));
      for (const inner of Object.values(one)) open.push(inner);
    } else if (one !== null && one !== undefined) texts.push(String(one));
    if (open.length > mostTexts) return null;
  }
  return texts;
}
