/**
 * What a program is given that runs others. Which of the words is the program depends on options that nobody lists, so a
 * command may begin at any of them; a copy of the rest for each would be quadratic.
 */
import type { ArgumentPath } from "./argument-path.js";
import type { Condition } from "./condition.js";
import { type Glob, globMatchFrom } from "./glob.js";
import { baseOf } from "./programs.js";

/** Words among which a command begins. */
export interface Run {
  readonly words: readonly string[];
  /** They, joined by one blank. */
  readonly text: string;
  /** The text with another character for each blank within a word. */
  readonly marks: string;
}

/** The run of `words`; `text` is they, joined by one blank. */
export function runOf(words: readonly string[], text: string): Run {
  const isMarked = words.some((word) => word.includes(" "));
  return { words, text, marks: isMarked ? words.map((word) => word.replaceAll(" ", "\0")).join(" ") : text };
}

/** Does a command that one of `globs` matches begin at any word of the run? */
export function isRunMatched({ text, marks }: Run, globs: readonly Glob[]): boolean {
  return globs.some((glob) => globMatchFrom(glob, text, marks) !== -1);
}

/**
 * Does it, and holds all of `when` of its words? `isHeld` tells that of one condition and an argv. What asks for one word by
 * its place is held against each beginning, all else against everything from the first of them on: that is more than any
 * later command has.
 */
export function isRunHeld(
  run: Run,
  globs: readonly Glob[],
  when: readonly Condition[],
  isHeld: (condition: Condition, argv: readonly string[]) => boolean,
): boolean {
  const { words, text, marks } = run;
  const found = globs.map((glob) => globMatchFrom(glob, text, marks)).filter((at) => at !== -1);
  const from = Math.min(...found);
  const beginnings = beginningsIn(run, globs).filter(({ end }) => end >= from);
  const [first] = beginnings;
  if (first === undefined) return false;
  const rest = words.slice(first.index);
  const placed = when.filter(({ path }) => placeOf(path) !== null);
  return (
    when.every((one) => placed.includes(one) || isHeld(one, rest)) &&
    beginnings.some(({ index }) => {
      const [word = "", ...behind] = words.slice(index, index + mostPlaces);
      return [word, baseOf(word)].some((name) =>
        placed.every((one) => isPlaceHeld(one, [name, ...behind], isHeld)),
      );
    })
  );
}

/** Of a word further behind nothing is told: that counts against the call. */
const mostPlaces = 16;

function isPlaceHeld(
  one: Condition,
  argv: readonly string[],
  isHeld: (condition: Condition, argv: readonly string[]) => boolean,
): boolean {
  const place = placeOf(one.path);
  return (place !== null && place >= mostPlaces) || isHeld(one, argv);
}

/** Which word alone the path asks for, counted from the first; null for any other path. */
function placeOf({ steps: [of, at, more] }: ArgumentPath): number | null {
  if (of?.kind !== "name" || of.name !== "argv" || more !== undefined) return null;
  return at?.kind === "index" && at.index >= 0 ? at.index : null;
}

/** The words at which a glob may begin, by their own text or by the name of their program. */
function beginningsIn(
  { words, text }: Run,
  globs: readonly Glob[],
): readonly { readonly index: number; readonly end: number }[] {
  const found: { readonly index: number; readonly end: number }[] = [];
  let offset = 0;
  for (const [index, word] of words.entries()) {
    const end = offset + word.length;
    const named = end - baseOf(word).length;
    const begins = ([first = ""]: Glob): boolean =>
      text.startsWith(first, offset) || text.startsWith(first, named);
    if (globs.some(begins)) found.push({ index, end });
    offset = end + 1;
  }
  return found;
}
