/**
 * Cuts shell text into its simple commands for the search after dangerous words. This is no parser and grants
 * nothing: what it misreads can only cost or miss a warning. One pass, linear in the text, never throws.
 */
import { decoded } from "./escapes.js";

/** A simple command as far as it could be read; quotes removed, escapes decoded. */
export interface Piece {
  readonly words: readonly string[];
  /** Where its redirections lead. */
  readonly targets: readonly string[];
  /** The command whose output it reads through a pipe. */
  readonly from: Piece | null;
  /** For a substitution: the command it stands in, and which word of that command it becomes. */
  readonly host: { readonly piece: Piece; readonly index: number } | null;
}

/** The simple commands of `text`, inner ones before the command they stand in. `from` feeds the first of them. */
export function piecesOf(text: string, from: Piece | null): readonly Piece[] {
  const reader: Reader = {
    text,
    at: 0,
    frames: [],
    draft: newDraft(from, null),
    pieces: [],
    hasBraces: true,
  };
  while (reader.at < text.length) step(reader);
  while (reader.frames.length > 0) close(reader);
  endPiece(reader, null);
  return reader.pieces;
}

interface Draft {
  readonly words: string[];
  readonly targets: string[];
  readonly from: Piece | null;
  readonly host: Piece["host"];
  /** The word being read; null between words. */
  word: string | null;
  isTarget: boolean;
}

interface Frame {
  readonly kind: "group" | "substitution" | "backtick";
  /** What is read on after a substitution; what feeds every command of a group. */
  readonly outer: Draft;
}

interface Reader {
  readonly text: string;
  at: number;
  readonly frames: Frame[];
  draft: Draft;
  readonly pieces: Piece[];
  /** False once no closing brace follows: searching the rest again and again would not be linear. */
  hasBraces: boolean;
}

/** Only names of programs are worth carrying out of a substitution; a limit keeps nesting linear. */
const longestCarried = 16;

function newDraft(from: Piece | null, host: Piece["host"]): Draft {
  return { words: [], targets: [], from, host, word: null, isTarget: false };
}

function step(reader: Reader): void {
  const character = reader.text.charAt(reader.at);
  reader.at += 1;
  if (character === "#" && reader.draft.word === null) comment(reader);
  else if (isBlank(character)) endWord(reader.draft);
  else (actions[character] ?? add)(reader, character);
}

const actions: Readonly<Record<string, (reader: Reader, character: string) => void>> = {
  "\\": escaped,
  "'": (reader) => add(reader, until(reader, "'")),
  '"': doubleQuoted,
  $: (reader) => dollar(reader, false),
  "`": backtick,
  "(": (reader) => open(reader, "group"),
  ")": close,
  "<": redirect,
  ">": redirect,
  "|": pipe,
  "&": separate,
  ";": separate,
  "\n": separate,
};

/** Control characters other than the newline part words too: erring that way only finds more. */
function isBlank(character: string): boolean {
  return character <= " " && character !== "\n";
}

function add(reader: Reader, text: string): void {
  reader.draft.word = (reader.draft.word ?? "") + text;
}

function escaped(reader: Reader): void {
  const next = reader.text.charAt(reader.at);
  reader.at += 1;
  if (next !== "\n") add(reader, next);
}

/** The text up to the next `end`, or to the end of the text; reading goes on after it. */
function until(reader: Reader, end: string): string {
  const found = reader.text.indexOf(end, reader.at);
  const stop = found === -1 ? reader.text.length : found;
  const text = reader.text.slice(reader.at, stop);
  reader.at = stop + 1;
  return text;
}

/** Substitutions inside double quotes stay as text: a word that holds any is read again as a line of its own. */
function doubleQuoted(reader: Reader): void {
  add(reader, "");
  while (reader.at < reader.text.length) {
    const character = reader.text.charAt(reader.at);
    reader.at += 1;
    if (character === '"') return;
    if (character === "$") dollar(reader, true);
    else if (character !== "\\") add(reader, character);
    else if ('"\\$`\n'.includes(reader.text.charAt(reader.at))) escaped(reader);
    else add(reader, "\\");
  }
}

const parameter = /(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/y;
/** Parameters that hold a shell when nobody says otherwise. */
const shellParameters = new Set(["SHELL", "BASH", "0"]);

function dollar(reader: Reader, isQuoted: boolean): void {
  const next = reader.text.charAt(reader.at);
  if (next === "(") {
    reader.at += 1;
    if (isQuoted) add(reader, "$(");
    else open(reader, "substitution");
  } else if (next === "{") braced(reader, isQuoted);
  else if (next === "'" && !isQuoted) ansiQuoted(reader);
  else if (next !== '"' || isQuoted) named(reader, isQuoted);
}

function named(reader: Reader, isQuoted: boolean): void {
  parameter.lastIndex = reader.at;
  const name = parameter.exec(reader.text)?.[0];
  reader.at += name?.length ?? 0;
  if (name === undefined) add(reader, "$");
  else expand(reader, name, isQuoted);
}

/** An unknown parameter stands for nothing, so that `r$@m` reads as what it runs. */
function expand(reader: Reader, name: string, isQuoted: boolean): void {
  if (name === "IFS" && !isQuoted) endWord(reader.draft);
  else add(reader, shellParameters.has(name) ? "sh" : "");
}

/** `${name}` and `${name:-text}`: the text is read as part of the word. */
function braced(reader: Reader, isQuoted: boolean): void {
  reader.hasBraces &&= reader.text.indexOf("}", reader.at) !== -1;
  if (!reader.hasBraces) {
    add(reader, "$");
    return;
  }
  reader.at += 1;
  const inside = until(reader, "}");
  parameter.lastIndex = 0;
  const name = parameter.exec(inside)?.[0] ?? "";
  expand(reader, name, isQuoted);
  const operator = /^:?[-=+?]/.exec(inside.slice(name.length))?.[0];
  if (operator !== undefined) add(reader, inside.slice(name.length + operator.length));
}

function ansiQuoted(reader: Reader): void {
  const start = reader.at + 1;
  let end = start;
  while (end < reader.text.length && reader.text.charAt(end) !== "'") {
    end += reader.text.charAt(end) === "\\" ? 2 : 1;
  }
  reader.at = end + 1;
  add(reader, decoded(reader.text.slice(start, end)));
}

function backtick(reader: Reader): void {
  if (reader.frames.at(-1)?.kind === "backtick") close(reader);
  else open(reader, "backtick");
}

function open(reader: Reader, kind: Frame["kind"]): void {
  if (kind === "group") endPiece(reader, reader.draft.from);
  const outer = reader.draft;
  reader.frames.push({ kind, outer });
  if (kind === "group") reader.draft = newDraft(outer.from, outer.host);
  else {
    add(reader, "");
    reader.draft = newDraft(null, { piece: outer, index: outer.words.length });
  }
}

/** Ends the innermost substitution or group; a `)` that closes nothing, as in `case`, ends a command. */
function close(reader: Reader): void {
  const inner = reader.draft;
  endPiece(reader, null);
  const frame = reader.frames.pop();
  if (frame === undefined) return;
  if (frame.kind === "group") reader.draft = newDraft(null, frame.outer.host);
  else {
    reader.draft = frame.outer;
    // `$(which rm) -rf x` runs what it names.
    const last = inner.words.at(-1) ?? "";
    if (last.length <= longestCarried) add(reader, last);
  }
}

function redirect(reader: Reader): void {
  endWord(reader.draft);
  while ("<>|&".includes(reader.text.charAt(reader.at) || " ")) reader.at += 1;
  if (reader.text.charAt(reader.at) === "(") {
    reader.at += 1;
    open(reader, "substitution");
  } else reader.draft.isTarget = true;
}

function pipe(reader: Reader): void {
  const isOr = reader.text.charAt(reader.at) === "|";
  if (isOr || reader.text.charAt(reader.at) === "&") reader.at += 1;
  endPiece(reader, null);
  const last = reader.pieces.at(-1) ?? null;
  reader.draft = newDraft(isOr ? groupFeed(reader) : last, reader.draft.host);
}

function separate(reader: Reader, separator: string): void {
  const { words, word, from } = reader.draft;
  // A newline right after `|` separates nothing.
  const isEmptyLine = separator === "\n" && words.length === 0 && word === null;
  endPiece(reader, isEmptyLine ? from : groupFeed(reader));
}

/** What feeds every command of the group that is being read. */
function groupFeed(reader: Reader): Piece | null {
  const frame = reader.frames.at(-1);
  return frame?.kind === "group" ? frame.outer.from : null;
}

/** A comment is kept as one word: its quotes must not open anything, its words are still searched. */
function comment(reader: Reader): void {
  const text = until(reader, "\n");
  reader.at -= 1;
  const outer = reader.draft;
  reader.pieces.push({ words: ["#", text], targets: [], from: null, host: null });
  reader.draft = outer;
}

function endWord(draft: Draft): void {
  const { word } = draft;
  if (word === null) return;
  draft.word = null;
  if (draft.isTarget) {
    draft.isTarget = false;
    draft.targets.push(word);
  } else for (const one of alternatives(word)) draft.words.push(one);
}

/** `{rm,-rf,x}` and `-{r,f}` are several words. */
function alternatives(word: string): readonly string[] {
  const from = word.indexOf("{");
  const to = word.indexOf("}", from);
  if (from === -1 || to === -1) return [word];
  const inside = word.slice(from + 1, to);
  const before = word.slice(0, from);
  const after = word.slice(to + 1);
  if (!inside.includes(",") || before.length + after.length > longestCarried) return [word];
  return inside.split(",").map((one) => before + one + after);
}

function endPiece(reader: Reader, nextFrom: Piece | null): void {
  const { draft } = reader;
  endWord(draft);
  draft.isTarget = false;
  if (draft.words.length > 0 || draft.targets.length > 0) reader.pieces.push(draft);
  reader.draft = newDraft(nextFrom, draft.host);
}
