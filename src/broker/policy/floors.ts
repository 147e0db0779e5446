/**
 * What is dangerous whatever any file says. Invariant: this is code and no configuration, so nobody who can write files
 * removes it. It is a search like that of levels.ts: it errs towards asking.
 */
import { resolve } from "node:path";
import { textsIn } from "./condition.js";
import type { Subject } from "./match.js";
import { baseOf } from "./programs.js";

/** The places of the person that floors protect. */
export interface Guarded {
  /** The path of the home of wisp. */
  readonly home: string;
  readonly homeDirectory: string;
}

/** What to warn of, in the words that a request carries; empty where nothing is. */
export function floorsOf(
  subjects: readonly Subject[],
  line: string | null,
  guarded: Guarded,
): readonly string[] {
  const texts = subjects.flatMap((subject) =>
    subject.kind === "command" ? subject.loose : (textsIn(subject.arguments) ?? []),
  );
  const directory = subjects[0]?.place.directory ?? "/";
  const reasons: string[] = [];
  const isCommand = subjects.some(({ kind }) => kind === "command");
  if (isCommand && texts.some(namesOurs)) reasons.push("names wisp itself");
  if ([...texts, ...(line === null ? [] : [line])].some((text) => reachesHome(text, directory, guarded))) {
    reasons.push("reaches into the home of wisp");
  }
  return reasons;
}

/** A program of ours, by its name or as a script: `node dist/wisp.cjs`. */
function namesOurs(text: string): boolean {
  return text.includes("wisp") && text.split(/\s+/).some((word) => ourProgram.test(baseOf(word)));
}

const ourProgram = /^wisp(?:-[a-z]+)?(?:\.[cm]?js)?$/i;

function reachesHome(text: string, directory: string, { home, homeDirectory }: Guarded): boolean {
  if (text.includes("WISP_HOME")) return true;
  const expanded = text.replace(/(?<![^\s='"])(?:~|\$HOME|\$\{HOME\})(?=\/)/g, () => homeDirectory);
  if (isNamedIn(expanded, home) || isNamedIn(expanded, `${homeDirectory}/.wisp`)) return true;
  // A path from the directory of the call.
  return expanded
    .split(/[\s'"=:;&|<>()]+/)
    .some(
      (word) => (word.includes("/") || word.startsWith(".")) && isNamedIn(resolve(directory, word), home),
    );
}

/** Does `path` stand in `text` as a whole path, or the beginning of one? */
function isNamedIn(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const next = text.charAt(at + path.length);
    if (!/[A-Za-z0-9_.-]/.test(next)) return true;
  }
  return false;
}
