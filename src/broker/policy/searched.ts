/**
 * Which commands a deny or ask rule is searched in. Invariants: it only ever adds commands to those that surely run, so it
 * can only make stricter; and all that is kept and read is bounded, so that no call takes long.
 */
import { flattened } from "./escapes.js";
import { takesGlobals, withoutGlobals } from "./global-options.js";
import { type Piece, piecesOf } from "./pieces.js";
import {
  baseOf,
  type Command,
  commandOf,
  isReserved,
  joinsArguments,
  runsFrom,
  takesTexts,
} from "./programs.js";
import { runningOptions } from "./running-options.js";
import { type Run, runOf } from "./runs.js";

/** Text inside text: deeper than this nothing is searched for rules; dangerous words still are (levels.ts). */
const deepest = 4;
/** Of a line with more, only so many are searched; `isCut` says so. */
const mostCommands = 2_048;
/** So many characters are kept, and as many are read to find them: four times the longest command. */
export const mostSearched = 512 * 1024;

/** One of them. */
export interface SearchedCommand {
  readonly words: readonly string[];
  /** They, joined by one blank. */
  readonly text: string;
}

/** The commands in which rules are searched. */
export interface Searched {
  readonly commands: readonly SearchedCommand[];
  /** What programs are given that run others: a command may begin at any word of it. */
  readonly runs: readonly Run[];
  /** There were more than are ever searched. */
  readonly isCut: boolean;
}

/** Those that `words` run: themselves, by the name of their program, and what they are a wrapper of. */
export function searchedInWords(words: readonly string[], homeDirectory: string): Searched {
  return plainlySearched(words) ?? searchedInAll(words, homeDirectory);
}

/** A program that no path leads to, and words in which nothing stands that is searched: most commands are so. */
const plainText = /^[A-Za-z0-9_.,:@%+-]+(?: [^\s;&|~]+)*$/;

/** What `searchedInAll` finds in such words; null for others. */
function plainlySearched(words: readonly string[]): Searched | null {
  const text = words.join(" ");
  if (!plainText.test(text) || text.split(" ").length !== words.length) return null;
  if (/(?:^|[ /=!])git-/.test(text) || words.slice(0, 1).some(isReserved)) return null;
  if (runsFrom(commandOf(pieceOf(words), true)) !== null) return null;
  const search = newSearch("");
  for (const one of [words, ...withoutGlobals(words)]) put(one, search);
  return found(search);
}

/** Those that any words run. */
export function searchedInAll(words: readonly string[], homeDirectory: string): Searched {
  const search = newSearch(homeDirectory);
  searchPiece(pieceOf(words), 0, search);
  return found(search);
}

/** Those that a line may run that is more than the policy understands: every command that can be seen in it. */
export function searchedInLine(line: string, homeDirectory: string): Searched {
  const search = newSearch(homeDirectory);
  searchText(line, 0, search);
  // Quotes may have been misread, where more than quotes stands in the line.
  searchText(flattened(line), deepest, search);
  return found(search);
}

function pieceOf(words: readonly string[]): Piece {
  return { words, targets: [], from: null, host: null };
}

interface Search {
  /** By the words of each: the same text may be other words, of which a rule may ask. */
  readonly commands: Map<string, readonly string[]>;
  readonly runs: Map<string, readonly string[]>;
  readonly homeDirectory: string;
  /** How many characters may still be kept, and read. */
  toKeep: number;
  toRead: number;
  isCut: boolean;
}

function newSearch(homeDirectory: string): Search {
  return {
    commands: new Map(),
    runs: new Map(),
    homeDirectory,
    toKeep: mostSearched,
    toRead: mostSearched,
    isCut: false,
  };
}

function found({ commands, runs, isCut }: Search): Searched {
  return {
    commands: [...commands.values()].map((words) => ({ words, text: words.join(" ") })),
    runs: [...runs.values()].map((words) => runOf(words, words.join(" "))),
    isCut,
  };
}

function searchText(text: string, depth: number, search: Search): void {
  const home = text.replace(/\$HOME\b|\$\{HOME\}/g, () => search.homeDirectory);
  if (!isRead(home.length, search)) return;
  for (const piece of piecesOf(home, null)) searchPiece(piece, depth, search);
}

function searchPiece(piece: Piece, depth: number, search: Search): void {
  if (search.isCut) return;
  const command = commandOf(piece, true);
  const atHome = (word: string): string => word.replace(/^~(?=\/|$)/, () => search.homeDirectory);
  // `git-push` is two words there.
  const words = command.words.map(atHome);
  // Nobody expands the ~ of an argv.
  add(piece.words, search);
  add(words, search);
  const first = command.programs[0]?.at ?? 0;
  if (first > 0) add(words.slice(first), search);
  const from = runsFrom(command);
  if (from !== null) {
    put(command.words.slice(from), search, search.runs);
    searchRun(words.slice(from), search);
  }
  if (depth < deepest) searchInside(command, words.slice(from ?? first + 1), depth + 1, search);
}

/** What a program among `words` is given before its verb is left out, as it is where the program stands first. */
function searchRun(words: readonly string[], search: Search): void {
  put(words, search, search.runs);
  for (const [index, word] of words.entries()) {
    if (words[index + 1]?.startsWith("-") !== true || !takesGlobals(word)) continue;
    const rest = words.slice(index);
    if (!isRead(rest.length, search)) return;
    for (const one of withoutGlobals([baseOf(word), ...rest.slice(1)])) if (one.length > 1) put(one, search);
  }
}

/** What makes a word a text that holds a command. */
const special = /[\s;&|]/;

/** Texts for a shell, an interpreter, or an option that runs programs. */
function searchInside(command: Command, words: readonly string[], depth: number, search: Search): void {
  const first = command.programs[0]?.at ?? 0;
  const texts = command.words.filter((word, index) => index !== first && special.test(word));
  if (joinsArguments(command)) texts.push(words.join(" "));
  if (texts.length === 0 || !(takesTexts(command) || hasRunner(command))) return;
  for (const text of texts) {
    searchText(text, depth, search);
    // The strings of another language are quoted once more.
    if (/["'\\]/.test(text)) searchText(flattened(text), deepest, search);
  }
}

/** Does an option of it run what it is given? Behind a wrapper and `-exec` stand words, and no text. */
function hasRunner(command: Command): boolean {
  return runsFrom(command) === null && runningOptions(command.words).some((name) => name.startsWith("-"));
}

function add(words: readonly string[], search: Search): void {
  const [program = "", ...rest] = words;
  put(words, search);
  const name = baseOf(program);
  const named = [name, ...rest];
  if (name !== program) put(named, search);
  for (const one of withoutGlobals(named)) put(one, search);
}

function put(words: readonly string[], search: Search, where = search.commands): void {
  if (search.isCut) return;
  const key = words.join("\0");
  if (where.has(key)) return;
  search.toKeep -= key.length;
  if (search.toKeep < 0 || search.commands.size + search.runs.size >= mostCommands) search.isCut = true;
  else where.set(key, words);
}

function isRead(length: number, search: Search): boolean {
  search.toRead -= length;
  if (search.toRead < 0) search.isCut = true;
  return !search.isCut;
}
