/**
 * The word a person types to approve something dangerous. It is taken from the action itself, so that typing it
 * means having read what runs; every face asks for the same one.
 */
import type { Text } from "../request/long-text.js";
import type { ApprovalRequest } from "../request/request.js";

/**
 * The last word of the last simple command that is no option, quotes removed; the program's or tool's name where
 * that word cannot be typed from the screen; `approve` where neither can.
 */
export function typedWord(subject: ApprovalRequest["subject"]): string {
  const words = wordsOf(subject);
  const program = words[0]?.split("/").at(-1) ?? "";
  return [operandOf(words), program].find(isTypeable) ?? "approve";
}

/** Longer words are copied instead of read. */
const longestWord = 24;

const typeable = /^[\x21-\x7e]+$/;

function isTypeable(word: string): boolean {
  return word.length <= longestWord && typeable.test(word);
}

function wordsOf(subject: ApprovalRequest["subject"]): readonly string[] {
  switch (subject.type) {
    case "tool":
    case "permission":
      return [subject.tool];
    case "command":
      return subject.argv === null
        ? lastSimpleCommand(wholeOf(subject.line))
        : subject.argv.map((word) => wholeOf(word));
    default:
      return subject satisfies never;
  }
}

/** Of a spooled text only its ends are at hand; no word of it is surely whole, so none is used. */
function wholeOf(text: Text): string {
  return typeof text === "string" ? text : "";
}

function operandOf(words: readonly string[]): string {
  const end = words.indexOf("--", 1);
  const lastOperand = end === -1 ? undefined : words.slice(end + 1).at(-1);
  return lastOperand ?? words.findLast((word) => !word.startsWith("-")) ?? "";
}

/** Words of the shell's grammar that stand before or after a command and are no part of it. */
const reserved = new Set("{ } ! if then elif else fi for while until do done case esac time".split(" "));
const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

function lastSimpleCommand(line: string): readonly string[] {
  return (
    splitLine(line)
      .map(withoutPrefixes)
      .findLast((words) => words.length > 0) ?? []
  );
}

function withoutPrefixes(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !reserved.has(word) && !assignment.test(word));
  return first === -1 ? [] : words.slice(first);
}

interface Reader {
  readonly line: string;
  at: number;
  /** The word being read, quotes removed; null between words. */
  word: string | null;
  /** The next word is the target of a redirection. */
  isTarget: boolean;
  words: string[];
  readonly commands: string[][];
}

/**
 * The words of each simple command, in order. No expansion and no judgement: this only picks a word to type; what
 * is dangerous is decided elsewhere, and a line this reader misreads still has one word that every face names.
 */
function splitLine(line: string): readonly (readonly string[])[] {
  const reader: Reader = { line, at: 0, word: null, isTarget: false, words: [], commands: [] };
  while (reader.at < line.length) step(reader);
  endCommand(reader);
  return reader.commands;
}

function step(reader: Reader): void {
  const { line, at } = reader;
  const character = line.charAt(at);
  reader.at += 1;
  if (character === "\\") escaped(reader);
  else if (character === "'" || character === '"') quoted(reader, character);
  else if (character === "#" && reader.word === null) commented(reader);
  else if (character === "<" || character === ">" || (character === "&" && line.charAt(at + 1) === ">")) {
    redirected(reader);
  } else if (character === " " || character === "\t") endWord(reader);
  else if (";&|\n()`".includes(character)) endCommand(reader);
  else reader.word = (reader.word ?? "") + character;
}

function escaped(reader: Reader): void {
  const next = reader.line.charAt(reader.at);
  reader.at += 1;
  if (next !== "\n") reader.word = (reader.word ?? "") + next;
}

function quoted(reader: Reader, quote: string): void {
  reader.word ??= "";
  while (reader.at < reader.line.length) {
    let character = reader.line.charAt(reader.at);
    reader.at += 1;
    if (character === quote) return;
    const next = reader.line.charAt(reader.at);
    if (quote === '"' && character === "\\" && next !== "" && '"\\$`'.includes(next)) {
      character = next;
      reader.at += 1;
    }
    reader.word += character;
  }
}

function commented(reader: Reader): void {
  const end = reader.line.indexOf("\n", reader.at);
  reader.at = end === -1 ? reader.line.length : end;
}

function redirected(reader: Reader): void {
  // `2>file`: the digits name a descriptor and are no word.
  if (reader.word !== null && /^\d+$/.test(reader.word)) reader.word = null;
  endWord(reader);
  while (reader.at < reader.line.length && "<>&|".includes(reader.line.charAt(reader.at))) reader.at += 1;
  reader.isTarget = true;
}

function endWord(reader: Reader): void {
  if (reader.word === null) return;
  if (!reader.isTarget) reader.words.push(reader.word);
  reader.word = null;
  reader.isTarget = false;
}

function endCommand(reader: Reader): void {
  endWord(reader);
  reader.isTarget = false;
  if (reader.words.length > 0) reader.commands.push(reader.words);
  reader.words = [];
}
