/**
 * Options that run programs, and words like them: `git -c core.pager=x`, `tar --checkpoint-action=exec=x`. A rule that
 * allows speaks of a command with one only where the rule itself names it. It errs towards asking.
 */
import { globalsIn, verbAt } from "./global-options.js";
import { commandOf, optionOf } from "./programs.js";
import { generalRunners, type Runners, runnersOf } from "./running-data.js";
import { scriptsThatRun } from "./sed-script.js";

/** What stands among `words` that may run a program, each by its name, as often as it stands there. */
export function runningOptions(words: readonly string[]): readonly string[] {
  const { words: all, names, programs } = commandOf({ words, targets: [], from: null, host: null }, true);
  if (programs.length > mostPrograms) return [`one of ${all.length} words`];
  const found = new Map<number, string>();
  const search = (from: number, to: number, runners: Runners, hasShortForms: boolean): void => {
    for (let index = from; index < to; index += 1) {
      const name = found.has(index) ? null : nameIn(all[index] ?? "", runners, hasShortForms);
      if (name !== null) found.set(index, name);
    }
  };
  // What stands before the program is its environment.
  search(0, programs[0]?.at ?? all.length, { assignments: true }, true);
  for (const { at, name } of programs) {
    const behind = all.slice(at);
    const verb = at + verbAt(behind);
    for (const [index, name] of globalsIn(behind)) found.set(at + index, name);
    if (environments.has(name)) {
      found.set(at, name);
      search(at + 1, all.length, { assignments: true }, true);
    }
    const own = runnersOf(name);
    if (own !== null) search(at + 1, all.length, own, true);
    if (own?.verbs !== undefined) search(verb, verb + 1, { words: own.verbs }, true);
    const ofVerb = runnersOf(`${name} ${names[verb] ?? ""}`);
    if (ofVerb !== null) search(verb + 1, all.length, ofVerb, true);
    if (own?.isSed === true) for (const [index, text] of scriptsThatRun(all, at + 1)) found.set(index, text);
    // In `tar xIf` the first word is one of options.
    if (own?.bareLetters !== undefined && all[at + 1]?.startsWith("-") === false) {
      search(at + 1, at + 2, { letters: own.bareLetters }, true);
    }
  }
  search(1, all.length, generalRunners, false);
  return [...found.values()];
}

/** Is each of `running` named among the literal words of a rule, as often as it stands in the command? */
export function areNamedIn(running: readonly string[], literals: readonly string[]): boolean {
  if (running.length === 0) return true;
  if (literals.length > mostPrograms) return false;
  const left = [...runningOptions(literals)];
  return running.every((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

/** Each may be the program; of more nothing is told, and no rule names that. */
const mostPrograms = 512;

/** Programs that set what other programs read. */
const environments = new Set(["env", "export", "setenv"]);
const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
/** Without a table for the program a shorter beginning may be of anything. */
const shortestBeginning = 3;

function nameIn(word: string, runners: Runners, hasShortForms: boolean): string | null {
  const { long = [], short = "", dashed = [], words = [], text, assignments, letters = "" } = runners;
  if (word.startsWith("--")) {
    const name = optionOf(word.slice(2));
    const shortest = hasShortForms ? 1 : shortestBeginning;
    const meant = long.find((one) => one === name || (name.length >= shortest && one.startsWith(name)));
    if (meant !== undefined) return `--${meant}`;
  }
  const plain = word.replace(/^--?/, "").replace(/[=:].*$/s, "");
  if (word.startsWith("-") && dashed.includes(plain)) return `-${plain}`;
  if (/^-[^-]/.test(word)) {
    const letter = [...short].find((one) => word.includes(one));
    if (letter !== undefined) return `-${letter}`;
  }
  const bare = [...letters].find((one) => word.includes(one));
  if (bare !== undefined) return `-${bare}`;
  if (words.includes(word)) return word;
  if (assignments === true) return assignment.exec(word)?.[0] ?? null;
  return text?.test(word) === true ? word : null;
}
