/**
 * Which commands a deny or ask rule is searched in. Invariant: it only ever adds commands to those that surely run, so it
 * can only make stricter.
 */
import { flattened } from "./escapes.js";
import { withoutGlobals } from "./global-options.js";
import { type Piece, piecesOf } from "./pieces.js";
import { baseOf, commandOf, isReserved, isShell } from "./programs.js";

/** Text inside text: deeper than this nothing is searched for rules; dangerous words still are (levels.ts). */
const deepest = 4;
/** Of a line with more, only so many are searched; `isCut` says so. */
const mostCommands = 2_048;

/** The commands in which rules are searched. */
export interface Searched {
  /** Each as its words joined by one blank, and no two the same. */
  readonly texts: readonly string[];
  /** The words of each. */
  readonly commands: readonly (readonly string[])[];
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
  const name = words[0] ?? "";
  if (!plainText.test(text) || text.split(" ").length !== words.length) return null;
  if (name.startsWith("git-") || prefixes.has(name.toLowerCase()) || isReserved(name)) return null;
  const search = newSearch("");
  for (const one of [words, ...withoutGlobals(words)]) put(one, search);
  return found(search);
}

/** Those that any words run. */
export function searchedInAll(words: readonly string[], homeDirectory: string): Searched {
  const search = newSearch(homeDirectory);
  searchPiece({ words, targets: [], from: null, host: null }, 0, search);
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

interface Search {
  /** By the text of each. */
  readonly commands: Map<string, readonly string[]>;
  readonly homeDirectory: string;
  isCut: boolean;
}

function newSearch(homeDirectory: string): Search {
  return { commands: new Map(), homeDirectory, isCut: false };
}

function put(words: readonly string[], { commands }: Search): void {
  const text = words.join(" ");
  if (!commands.has(text)) commands.set(text, words);
}

function found({ commands, isCut }: Search): Searched {
  return { texts: [...commands.keys()], commands: [...commands.values()], isCut };
}

function searchText(text: string, depth: number, search: Search): void {
  const home = text.replace(/\$HOME\b|\$\{HOME\}/g, () => search.homeDirectory);
  for (const piece of piecesOf(home, null)) searchPiece(piece, depth, search);
}

function searchPiece(piece: Piece, depth: number, search: Search): void {
  const { programs, names } = commandOf(piece, true);
  const atHome = (word: string): string => word.replace(/^~(?=\/|$)/, () => search.homeDirectory);
  const words = piece.words.map(atHome);
  // Nobody expands the ~ of an argv.
  add(piece.words, search);
  add(words, search);
  const first = programs[0] ?? 0;
  if (first > 0) add(words.slice(first), search);
  for (const index of wrappedIn(names, words, first)) add(words.slice(index), search);
  if (depth < deepest && isShellAmong(names, first)) {
    for (const word of piece.words.slice(1)) if (/[\s;&|]/.test(word)) searchText(word, depth + 1, search);
  }
}

function add(words: readonly string[], search: Search): void {
  const [program = "", ...rest] = words;
  if (search.commands.size >= mostCommands) {
    search.isCut = true;
    return;
  }
  put(words, search);
  const name = baseOf(program);
  const named = [name, ...rest];
  if (name !== program) put(named, search);
  for (const one of withoutGlobals(named)) put(one, search);
}

/** Programs that run the words behind them, and do nothing else. */
const prefixes = new Set(
  (
    "sudo doas env command exec builtin nice nohup timeout gtimeout time stdbuf setsid ionice chrt taskset " +
    "xargs parallel watch chroot unshare flock strace ltrace pkexec run0 eval"
  ).split(" "),
);

/** Where the program behind one or several of them may stand: an option may have a word of its own before it. */
function wrappedIn(names: readonly string[], words: readonly string[], first: number): readonly number[] {
  const found: number[] = [];
  let start = first;
  for (let depth = 0; depth < deepest && prefixes.has(names[start] ?? ""); depth += 1) {
    let left = 1;
    let next = start;
    for (let index = start + 1; index < words.length && left > 0; index += 1) {
      const word = words[index] ?? "";
      if (word.startsWith("-")) left += 1;
      else if (!/^[A-Za-z_]\w*=|^[0-9.]+[smhd]?$/.test(word)) {
        found.push(index);
        left -= 1;
        if (next === start || prefixes.has(names[index] ?? "")) next = index;
      }
    }
    if (next === start) break;
    start = next;
  }
  return found;
}

function isShellAmong(names: readonly string[], first: number): boolean {
  return names.slice(first).some((name) => isShell(name) || name === "eval");
}
