/**
 * What a yes for longer than a connection may remember. Invariant: each is shown as the rule that will stand in the file,
 * the first of them matches exactly this command, and none leaves open which program runs.
 */
import type { Offer } from "../request/request.js";
import { hasFileGlob, type SimpleCommand } from "./command-line.js";
import { exactPattern, patternWord } from "./command-pattern.js";
import { longestRule } from "./parse-pattern.js";
import { runningOptions } from "./running-options.js";
import { isUnremembered } from "./unremembered.js";
import { leastWordsOf } from "./wider-verbs.js";

const mostWider = 2;

/** What is offered for a command that is understood and not dangerous; empty where nothing can be remembered. */
export function offersOf(command: SimpleCommand): readonly Offer[] {
  const { words } = command;
  // What bash puts in the place of a glob is another command tomorrow.
  if (hasFileGlob(command) || isUnremembered(words)) return [];
  const rule = ruleOf(exactPattern(words));
  // Nobody reads a longer one.
  if (rule.length > longestShown || words.some((word) => unseen.test(word))) return [];
  // A wider form would not speak of this command.
  const wider = runningOptions(words).length > 0 ? [] : widerOf(words);
  return [{ rule, matches: null, misses: null }, ...wider.slice(0, mostWider)];
}

/** A rule of this pattern. */
function ruleOf(pattern: string): string {
  return `Bash(${pattern})`;
}

const longestShown = Math.min(2_000, longestRule);
/** Controls and what has no width: a rule must be seen to be agreed to. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The same beginning, and anything behind it. */
function widerOf(words: readonly string[]): readonly Offer[] {
  const least = leastWordsOf(words);
  // Of all others nobody can say what other words do.
  if (least === null) return [];
  const lengths = new Set(
    [words.length - 1, least].filter((length) => length >= least && length <= words.length),
  );
  return [...lengths].flatMap((length) => widerFrom(words.slice(0, length)) ?? []);
}

/** Null where an option stands among the words: what follows it may be anything. */
function widerFrom(words: readonly string[]): Offer | null {
  const [program = "", ...rest] = words;
  if (rest.some((word) => word.startsWith("-"))) return null;
  const rule = ruleOf(`${exactPattern(words)} *`);
  const matches = [...words, "and", "more"];
  const misses = [program, ...rest.slice(0, -1), rest.at(-1) === "other" ? "another" : "other"];
  return { rule, matches: spelled(matches), misses: spelled(misses) };
}

function spelled(words: readonly string[]): string {
  return words.map(patternWord).join(" ");
}
