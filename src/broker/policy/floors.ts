/**
 * What is dangerous whatever any file says. Invariant: this is code and no configuration, so nobody who can write files
 * removes it. It is a search like that of levels.ts: it errs towards asking.
 */
import { resolve } from "node:path";
import { textsIn } from "./condition.js";
import type { Subject } from "./match.js";
import type { PathLook, PathPlace } from "./path-place.js";
import { baseOf, type Command, commandOf, runsArguments } from "./programs.js";
import { type Guarded, reachesHome, type Said } from "./reaches-home.js";
import { isGlob, isStandingFor } from "./shell-glob.js";

const namesItself = "names wisp itself";
const reachesIn = "reaches into the home of wisp";

/** All that is dangerous here, in the words of its reasons. */
export const floorReasons = [namesItself, reachesIn];

/** What to warn of, in the words that a request carries; empty where nothing is. */
export function floorsOf(
  subjects: readonly Subject[],
  line: string | null,
  place: PathPlace & Guarded,
): readonly string[] {
  const found = subjects.map(saidIn);
  const said = found.filter((one) => one !== null);
  const texts = new Set(said.flatMap((one) => one.texts));
  const wholes = new Set(said.flatMap((one) => one.wholes));
  const reasons: string[] = [];
  const isCommand = subjects.some(({ kind }) => kind === "command");
  if (isCommand && namesOurs([...texts], place)) reasons.push(namesItself);
  if (line !== null) texts.add(line);
  // Of arguments that are more than are looked at nobody can say where they lead.
  const isTooMuch = said.length < found.length;
  if (isTooMuch || reachesHome({ texts: [...texts], wholes: [...wholes] }, place, place)) {
    reasons.push(reachesIn);
  }
  return reasons;
}

/** Each command that it may run and the words of all of them, or every text among its arguments; null where there are too many. */
function saidIn(subject: Subject): Said | null {
  if (subject.kind === "command") {
    const { commands } = subject.searched();
    return { texts: commands.map(({ text }) => text), wholes: commands.flatMap(({ words }) => words) };
  }
  const texts = textsIn(subject.arguments);
  return texts === null ? null : { texts, wholes: texts };
}

/**
 * A program of ours where it can run: as the program, behind what runs its arguments, and as its file wherever that
 * stands. `git log -- wisp` and `ls src/wisp` speak of other things.
 */
function namesOurs(texts: readonly string[], { directory, look }: PathPlace): boolean {
  const named = new Set<string>();
  for (const text of texts) {
    if (!/wisp/i.test(text) && !isGlob(text)) continue;
    const words = text.split(/\s+/);
    if (words.some(mayBeOurs) && runsArguments(commandIn(words))) return true;
    const ours = words.filter(isOurs);
    if (ours.length === 0) continue;
    if (isRunByIts(words)) return true;
    for (const word of ours) named.add(word);
  }
  // Each is looked for on the disk. Of more nobody speaks by chance.
  return named.size > mostLookedFor || [...named].some((word) => isOurFile(word, directory, look));
}

/** More names of one program than stand in any command that is meant well. */
const mostLookedFor = 16;
/** Names in one path: each part of it that is not there is looked for. */
const deepestLookedFor = 64;

function isRunByIts(words: readonly string[]): boolean {
  const command = commandIn(words);
  const [first] = command.programs;
  // What is assigned may be run under another name.
  if (first === undefined || words.slice(0, first.at).some(isOurs)) return true;
  if (runsArguments(command) || launchers.has(first.name)) return true;
  return command.programs.some(({ word }) => isOurs(word));
}

function commandIn(words: readonly string[]): Command {
  return commandOf({ words, targets: [], from: null, host: null }, true);
}

/** A glob that the shell may put one of our programs in the place of. */
function mayBeOurs(word: string): boolean {
  const base = baseOf(word);
  return isGlob(base) && shipped.some((name) => isStandingFor(base, name));
}

/** Those that answer, accept or change, or lead to one that does. */
const shipped = (
  "wisp wisp.cjs wisp-tui wisp-tui.mjs wisp-screen.mjs wisp-verbs.cjs wisp-program.cjs wisp-chat.cjs wisp-kinds.cjs " +
  "wisp-kept.cjs wisp-config.cjs wisp-accept.cjs wisp-doctor.mjs"
).split(" ");

function isOurs(word: string): boolean {
  return ourProgram.test(baseOf(word));
}

const ourProgram = /^wisp(?:-[a-z]+)?(?:\.[cm]?js)?$/i;
const ourFile = /^wisp(?:-[a-z]+)?\.[cm]?js$/i;

/** Programs that run one of a package, by its name among their arguments. */
const launchers = new Set("npm pnpm yarn corepack make just open xdg-open start nq entr find fd".split(" "));

/** By its ending, or as the link to it that an installation leaves on PATH. */
function isOurFile(word: string, directory: string, look: PathLook): boolean {
  const path = word.slice(word.lastIndexOf("=") + 1);
  if (path.split("/").length > deepestLookedFor) return true;
  return ourFile.test(baseOf(path)) || ourFile.test(baseOf(look.real(resolve(directory, path)) ?? ""));
}
