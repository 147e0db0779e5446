/**
 * What is dangerous whatever any file says. Invariant: this is code and no configuration, so nobody who can write files
 * removes it. It is a search like that of levels.ts: it errs towards asking.
 */
import { resolve } from "node:path";
import { textsIn } from "./condition.js";
import type { Subject } from "./match.js";
import type { PathLook } from "./path-place.js";
import { baseOf, commandOf, runsArguments } from "./programs.js";

/** The places of the person that floors protect. */
export interface Guarded {
  /** The path of the home of wisp. */
  readonly home: string;
  readonly homeDirectory: string;
}

const namesItself = "names wisp itself";
const reachesIn = "reaches into the home of wisp";

/** All that is dangerous here, in the words of its reasons. */
export const floorReasons = [namesItself, reachesIn];

/** What to warn of, in the words that a request carries; empty where nothing is. */
export function floorsOf(
  subjects: readonly Subject[],
  line: string | null,
  guarded: Guarded,
): readonly string[] {
  const texts = subjects.flatMap((subject) =>
    subject.kind === "command" ? subject.loose : (textsIn(subject.arguments) ?? []),
  );
  const { directory = "/", look } = subjects[0]?.place ?? {};
  const reasons: string[] = [];
  const isCommand = subjects.some(({ kind }) => kind === "command");
  if (isCommand && texts.some((text) => namesOurs(text, directory, look))) reasons.push(namesItself);
  if ([...texts, ...(line === null ? [] : [line])].some((text) => reachesHome(text, directory, guarded))) {
    reasons.push(reachesIn);
  }
  return reasons;
}

/**
 * A program of ours where it can run: as the program, behind what runs its arguments, and as its file wherever that
 * stands. `git log -- wisp` and `ls src/wisp` speak of other things.
 */
function namesOurs(text: string, directory: string, look: PathLook | undefined): boolean {
  if (!/wisp/i.test(text)) return false;
  const words = text.split(/\s+/);
  const isOurs = (word: string): boolean => ourProgram.test(baseOf(word));
  if (!words.some(isOurs)) return false;
  const command = commandOf({ words, targets: [], from: null, host: null }, true);
  const { programs, names } = command;
  if (runsArguments(command) || launchers.has(names[programs[0] ?? 0] ?? "")) return true;
  // What is assigned may be run under another name.
  if (words.slice(0, (programs[0] ?? words.length - 1) + 1).some(isOurs)) return true;
  if (programs.some((index) => isOurs(command.words[index] ?? ""))) return true;
  return words.some((word) => isOurs(word) && isOurFile(word, directory, look));
}

const ourProgram = /^wisp(?:-[a-z]+)?(?:\.[cm]?js)?$/i;
const ourFile = /^wisp(?:-[a-z]+)?\.[cm]?js$/i;

/** Programs that run one of a package, by its name among their arguments. */
const launchers = new Set("npm pnpm yarn corepack make just open xdg-open start nq entr find fd".split(" "));

/** By its ending, or as the link to it that an installation leaves on PATH. */
function isOurFile(word: string, directory: string, look: PathLook | undefined): boolean {
  const path = word.slice(word.lastIndexOf("=") + 1);
  return ourFile.test(baseOf(path)) || ourFile.test(baseOf(look?.real(resolve(directory, path)) ?? ""));
}

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
