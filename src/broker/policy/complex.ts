/**
 * Which shell lines are plain enough to be remembered by their text. Invariant: only a line of which every character
 * was understood is simple; all else is complex. One pass, linear in the line; limits are counts, so that a verdict
 * never depends on how busy the machine is.
 */

/** More than anybody reads before saying yes. */
const longestLine = 16 * 1024;
const mostWords = 256;
const mostCommands = 64;

/**
 * Is `line` more than plain and quoted words, joined by `;`, `&&`, `||`, `|` and newlines, with no redirection but to
 * `/dev/null` and `2>&1`? What a shell cannot read, and what holds no command, is complex too.
 */
export function isComplex(line: string): boolean {
  return scanned(line) === null;
}

/** One word of a simple line. */
export interface ScannedWord {
  /** As it is written. */
  readonly raw: string;
  /** Quotes removed; nothing is expanded. */
  readonly text: string;
  /** The same, with `fileGlob` where bash puts names of files: no quoted text is equal to it. */
  readonly active: string;
  /** Does bash read its `~` as the home of the person? */
  readonly isBelowHome: boolean;
}

/** A lone surrogate: neither an argument nor a rule can hold one. */
export const fileGlob = "\ud800";

/** The words of each command of a simple line, redirections left out; null for a complex one. */
export function scanned(line: string): readonly (readonly ScannedWord[])[] | null {
  if (line.length > longestLine || !allowedCharacters.test(line)) return null;
  return plainCommand(line) ?? scannedLine(line);
}

/** One command of words without any sign: most lines are so, and a rule may be tested by it. */
const plainLine = /^[A-Za-z0-9_@%+:,./-]+(?: [A-Za-z0-9_@%+:,./-]+)*$/;

/** Is it made of such words, parted by one blank each? */
export function isPlainLine(line: string): boolean {
  return plainLine.test(line);
}

/** What `scannedLine` finds in such a line; null for another one. */
function plainCommand(line: string): readonly (readonly ScannedWord[])[] | null {
  if (!plainLine.test(line)) return null;
  const words = line.split(" ");
  if (words.length > mostWords || words.slice(0, 1).some((word) => controlWords.has(word))) return null;
  return [words.map((word) => ({ raw: word, text: word, active: word, isBelowHome: false }))];
}

/** The words of every line of such characters. */
export function scannedLine(line: string): readonly (readonly ScannedWord[])[] | null {
  const scan: Scan = { line, at: 0, words: 0, commands: [], isInCommand: false, isOpen: false };
  while (scan.at < line.length) {
    if (!step(scan)) return null;
    if (scan.words > mostWords || scan.commands.length > mostCommands) return null;
  }
  return scan.isOpen || scan.commands.length === 0 ? null : scan.commands;
}

/** Printable ASCII, and the newline that joins commands. */
const allowedCharacters = /^[\x20-\x7e\n]*$/;

interface Scan {
  readonly line: string;
  at: number;
  words: number;
  readonly commands: ScannedWord[][];
  /** Has the command that is being read a first word? */
  isInCommand: boolean;
  /** Does a joiner wait for the command after it? */
  isOpen: boolean;
}

const blanks = / +/y;
/** `&` alone, `;;` and the like are none of these. */
const joiner = /&&|\|\||\||;|\n/y;
const redirection = /(?:[12]?>>? *\/dev\/null|2>&1)(?=[ ;&|\n]|$)/y;

/** Reads what stands next; false where it is not understood. */
function step(scan: Scan): boolean {
  if (taken(scan, blanks) !== null) return true;
  const joined = taken(scan, joiner);
  if (joined !== null) return join(scan, joined);
  // A redirection without a command does nothing that anybody wants, and is read differently by shells.
  if (taken(scan, redirection) !== null) return scan.isInCommand;
  return word(scan);
}

function join(scan: Scan, joined: string): boolean {
  if (!scan.isInCommand) return joined === "\n";
  scan.isInCommand = false;
  scan.isOpen = joined !== ";" && joined !== "\n";
  return true;
}

/** One word, of plain and quoted parts. */
function word(scan: Scan): boolean {
  let value = "";
  let active = "";
  let isGlob = false;
  const from = scan.at;
  for (;;) {
    const plain = taken(scan, plainPart);
    if (plain !== null) {
      if (!isPlain(plain, value)) return false;
      isGlob ||= globs.test(plain);
      value += plain;
      // What a bracket ends with is not worth telling: all the rest of the word may become another text.
      active += plain.replace(/[*?]/g, fileGlob).replace(/\[.*$/, fileGlob);
      continue;
    }
    const quoted = taken(scan, quotedPart);
    if (quoted === null) break;
    value += quoted.slice(1, -1);
    active += quoted.slice(1, -1);
  }
  // Nothing was read: a character that belongs to no word of ours.
  if (scan.at === from || !endsWord(scan)) return false;
  const raw = scan.line.slice(from, scan.at);
  scan.words += 1;
  if (!scan.isInCommand) scan.commands.push([]);
  scan.commands.at(-1)?.push({ raw, text: value, active, isBelowHome: ownHome.test(raw) });
  if (scan.isInCommand) return true;
  scan.isInCommand = true;
  scan.isOpen = false;
  return !isGlob && !assignment.test(raw) && !controlWords.has(value);
}

/** Everything that means itself outside quotes, and what `isPlain` judges: globs, `~` and `#`. */
const plainPart = /[A-Za-z0-9_@%+:,./=^\]}*?[~#-]+/y;
/**
 * Inside double quotes a shell still reads `$`, backtick and `!`, and a backslash before some characters; before any
 * other it is itself.
 */
const quotedPart = /'[^']*'|"(?:[^"$`!\\]|\\(?!["$`\\\n]))*"/y;
const globs = /[*?[]/;

/** `before` is the word so far, quotes removed. */
function isPlain(part: string, before: string): boolean {
  // A comment, or another person's home.
  if (before === "" && (part.startsWith("#") || (part.startsWith("~") && !ownHome.test(part)))) return false;
  // bash looks for a home behind these signs, too.
  if (/[=:]~/.test(before.slice(-1) + part)) return false;
  const glob = part.search(globs);
  if (glob === -1) return true;
  // A file called `--output=x` would become an option; what begins with a literal character never matches it.
  const first = (before + part.slice(0, glob)).charAt(0);
  return first !== "" && first !== "-";
}

const ownHome = /^~(?:\/|$)/;

function endsWord({ line, at }: Scan): boolean {
  return at === line.length || " ;&|\n".includes(line.charAt(at));
}

/** What stands before a command is the environment of the command. */
const assignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\+?=|\[)/;

const controlWords = new Set([
  "[[",
  "]]",
  "}",
  "case",
  "coproc",
  "do",
  "done",
  "elif",
  "else",
  "esac",
  "fi",
  "for",
  "function",
  "if",
  "in",
  "select",
  "then",
  "time",
  "until",
  "while",
]);

function taken(scan: Scan, pattern: RegExp): string | null {
  pattern.lastIndex = scan.at;
  const text = pattern.exec(scan.line)?.[0] ?? null;
  if (text !== null) scan.at += text.length;
  return text;
}
