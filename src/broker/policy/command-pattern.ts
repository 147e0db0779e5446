/**
 * The text inside `Bash(…)`. Words are separated by blanks; `'…'`, `"…"` and `\x` quote, so that a quoted `*` is itself.
 * A `*` stands for anything, blanks and `/` too; behind a blank at the end also for nothing at all.
 */
import type { Glob } from "./glob.js";
import { type CommandPattern, separator } from "./pattern.js";

/** A pattern, or what is wrong with the text. */
export type ParsedCommandPattern =
  | { readonly kind: "pattern"; readonly pattern: CommandPattern }
  | { readonly kind: "wrong"; readonly why: string };

/** `homeDirectory` is what `~` and `$HOME` stand for at the beginning of a word. */
export function parseCommandPattern(body: string, homeDirectory: string): ParsedCommandPattern {
  return plainPattern(body) ?? readPattern(body, homeDirectory);
}

/** Blanks around words of which no character means anything but `*`. Most rules are so, and there may be thousands. */
const plainBody = /^[A-Za-z0-9_@%+=,./*-]+(?: [A-Za-z0-9_@%+=,./*-]+)*$/;

/** What `readPattern` reads in such a text; null for another one. */
function plainPattern(body: string): ParsedCommandPattern | null {
  if (!plainBody.test(body)) return null;
  const all = body.length > 2 && / \*+$/.test(body) ? [body, body.slice(0, body.lastIndexOf(" "))] : [body];
  const literals = body
    .split(" ")
    .map((word) => (word.includes("*") ? word.slice(0, word.indexOf("*")) : word));
  return {
    kind: "pattern",
    pattern: {
      kind: "command",
      exact: all.map((one) => partsOf(one.replaceAll(" ", separator))),
      loose: all.map(partsOf),
      literals,
    },
  };
}

/** Two `*` side by side are one. */
function partsOf(text: string): Glob {
  return text.includes("**") ? text.split(/\*+/) : text.split("*");
}

/** The same for every text. */
export function readPattern(body: string, homeDirectory: string): ParsedCommandPattern {
  const reading: Reading = {
    text: body.replace(/^(.+[^\s\\]):\*$/s, "$1 *"),
    at: 0,
    words: [],
    word: null,
    why: null,
  };
  while (reading.at < reading.text.length && reading.why === null) step(reading, homeDirectory);
  if (reading.word !== null) reading.words.push(reading.word);
  if (reading.why !== null) return { kind: "wrong", why: reading.why };
  if (reading.words.length === 0)
    return { kind: "wrong", why: "it matches nothing; for every command: Bash" };
  if (body === ":*") return { kind: "wrong", why: "it matches nothing; for every command: Bash" };
  return { kind: "pattern", pattern: patternOf(reading.words) };
}

/** The text that `parseCommandPattern` reads as exactly these words. */
export function exactPattern(words: readonly string[]): string {
  return words.map(patternWord).join(" ");
}

/** One word of a pattern that stands for itself. */
export function patternWord(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A word as its literal parts. */
type Word = string[];

interface Reading {
  readonly text: string;
  at: number;
  readonly words: Word[];
  /** The word being read; null between words. */
  word: Word | null;
  why: string | null;
}

const home = /(?:~|\$HOME|\$\{HOME\})(?=[/\s]|$)/y;
const single = /'[^']*'/y;
const double = /"(?:[^"\\]|\\.)*"/sy;
/** All but blanks, quotes, `*` and what joins commands. */
const plain = /[^\s'"\\*;&|<>()]+/y;

function step(reading: Reading, homeDirectory: string): void {
  const character = reading.text.charAt(reading.at);
  if (/\s/.test(character)) {
    reading.at += 1;
    if (reading.word !== null) reading.words.push(reading.word);
    reading.word = null;
    return;
  }
  if (reading.word === null && taken(reading, home) !== null) {
    add(reading, homeDirectory);
    return;
  }
  const text = taken(reading, plain);
  if (text !== null) add(reading, text);
  else if (character === "*") {
    reading.at += 1;
    add(reading, "");
    reading.word?.push("");
  } else if (character === "\\") {
    if (reading.at + 1 === reading.text.length) reading.why = "a \\ at the end quotes nothing";
    add(reading, reading.text.charAt(reading.at + 1));
    reading.at += 2;
  } else if (character === "'") quoted(reading, single, (inside) => inside);
  else if (character === '"') quoted(reading, double, (inside) => inside.replace(/\\(["\\$`])/g, "$1"));
  else reading.why = joinerText(character);
}

function quoted(reading: Reading, pattern: RegExp, decode: (text: string) => string): void {
  const found = taken(reading, pattern);
  if (found === null) reading.why = "a quote has no end";
  else add(reading, decode(found.slice(1, -1)));
}

function joinerText(character: string): string {
  return "<>".includes(character)
    ? `redirections are no words of a command; for the character itself write '${character}'`
    : `each command of a line is matched alone: write one rule for each; for the character itself write '${character}'`;
}

function add(reading: Reading, text: string): void {
  reading.word ??= [""];
  reading.word[reading.word.length - 1] += text;
}

function taken(reading: Reading, pattern: RegExp): string | null {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text)?.[0] ?? null;
  reading.at += found?.length ?? 0;
  return found;
}

function patternOf(words: readonly Word[]): CommandPattern {
  const isAnyAtEnd = words.length > 1 && words.slice(-1).every(isAny);
  const all = isAnyAtEnd ? [words, words.slice(0, -1)] : [words];
  return {
    kind: "command",
    exact: all.map((one) => joined(one, separator)),
    loose: all.map((one) => joined(one, " ")),
    literals: words.map(([start = ""]) => start),
  };
}

/** Nothing but `*`. */
function isAny(word: Word): boolean {
  return word.length > 1 && word.every((part) => part === "");
}

function joined(words: readonly Word[], between: string): Glob {
  const parts: string[] = [];
  for (const [index, word] of words.entries()) {
    const [first = "", ...rest] = word;
    if (index === 0) parts.push(first);
    else parts[parts.length - 1] += `${between}${first}`;
    parts.push(...rest);
  }
  // Two `*` side by side are one.
  return parts.filter((part, index) => part !== "" || index === 0 || index === parts.length - 1);
}
