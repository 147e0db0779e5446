/**
 * Hostile text to visible text: the only road from a request, a file or an upstream to a screen, a dialog, a
 * banner or a log line. Nothing is stripped; what a terminal would interpret or a person could not see becomes
 * a visible escape, and the original can be decoded back, so two different texts are never shown as the same one.
 */
import { isAlike, isComposing } from "./alike.js";

/** What a text looks like. */
export interface Shown {
  readonly text: string;
  /** How many characters stand as escapes: a card says so. */
  readonly escapes: number;
}

/** One line: newlines too become escapes. */
export function shown(original: string): Shown {
  if (isPlain(original)) return { text: original, escapes: 0 };
  const foreign = foreignLetters(original);
  const isEastAsian = patterns().eastAsian.test(original);
  const out: Output = { text: "", escapes: 0, base: 0, marks: mostMarks, blanks: 0, isAfterRun: false };
  let index = 0;
  for (const character of original) {
    const isDoubtful = foreign.has(index) || isAlike(character, index, original, isEastAsian);
    show(character, index, original, isDoubtful, out);
    index += character.length;
  }
  flushBlanks(out);
  return { text: out.text, escapes: out.escapes };
}

/** The text of `shown`, for places that do not count escapes. */
export function shownText(original: string): string {
  return shown(original).text;
}

/** Line by line, for faces that print a command over several lines; joined by newlines they decode back. */
export function shownLines(original: string): {
  readonly lines: readonly string[];
  readonly escapes: number;
} {
  const lines = original.split("\n").map(shown);
  return {
    lines: lines.map((line) => line.text),
    escapes: lines.reduce((sum, line) => sum + line.escapes, 0),
  };
}

/** The original of a text that `shown` made; throws a RangeError for some that it cannot have made. */
export function decodeShown(text: string): string {
  return text.replace(/\\u\{([0-9a-f]{1,6})\}|␠×([0-9]+)/g, (_all, code: string | undefined, run: string) =>
    code === undefined ? " ".repeat(Number(run)) : String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

/** A longer run of blanks can push the end of a command off the screen. */
const mostBlanks = 8;
/** More marks than this on one base climb over neighbouring lines. */
const mostMarks = 4;

const plainText = /^[\x20-\x7e]*$/;

/**
 * Patterns of whole Unicode take a millisecond to read, a twentieth of a command's start, and most texts are plain: so
 * they are read with the first that is not. Those with classes are texts, because V8 checks a pattern that stands in the code
 * when it reads the code, used or not; the others become texts when they are bundled.
 */
function readPatterns() {
  const read = (pattern: string, flags = "u"): RegExp => new RegExp(pattern, flags);
  return {
    /** `DI` is Default_Ignorable_Code_Point. */
    invisible: /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{DI}]|(?! )\p{Zs}/u,
    /** Blank though their category is not: braille, object replacement, hieroglyphs, a filler, a note head. */
    blankSign: /[\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u,
    mark: /\p{M}/u,
    word: read("[\\p{L}\\p{M}\\p{N}_]+", "gu"),
    letter: /\p{L}/u,
    latin: /\p{sc=Latin}/u,
    /** Scripts that are written together with Latin and with each other in ordinary text. */
    eastAsian: read("[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Bopo}]"),
    commonScript: /\p{sc=Common}|\p{sc=Inherited}/u,
    otherScripts: ["Cyrillic", "Greek", "Armenian", "Hebrew", "Arabic", "Cherokee", "Coptic", "Georgian"].map(
      (name) => ({ name, pattern: read(`\\p{sc=${name}}`) }),
    ),
  };
}

let known: ReturnType<typeof readPatterns> | null = null;

function patterns(): ReturnType<typeof readPatterns> {
  known ??= readPatterns();
  return known;
}

function isPlain(text: string): boolean {
  return plainText.test(text) && !text.includes("\\u{") && !text.includes(" ".repeat(mostBlanks + 1));
}

interface Output {
  text: string;
  escapes: number;
  /** Where the current base stands. */
  base: number;
  /** Marks on the current base; at the limit where there is no base to carry one. */
  marks: number;
  /** Blanks read and not yet written. */
  blanks: number;
  /** A digit right after `␠×9` would be read as part of the count. */
  isAfterRun: boolean;
}

function show(character: string, index: number, original: string, isDoubtful: boolean, out: Output): void {
  if (character === " ") {
    out.blanks += 1;
    return;
  }
  flushBlanks(out);
  const { mark, invisible, blankSign } = patterns();
  const isMark = mark.test(character);
  if (!isMark) out.base = index;
  // A mark after the fourth is an escape whatever it makes of its base.
  const isUnfitMark =
    isMark && (out.marks >= mostMarks || isComposing(original.slice(out.base, index + character.length)));
  const isLiteralEscape =
    (character === "\\" && original.startsWith("\\u{", index)) ||
    (character === "␠" && original.startsWith("␠×", index));
  const isDigitOfRun = out.isAfterRun && character >= "0" && character <= "9";
  const isInvisible = invisible.test(character) || blankSign.test(character);
  if (isDoubtful || isUnfitMark || isLiteralEscape || isDigitOfRun || isInvisible) {
    out.text += `\\u{${character.codePointAt(0)?.toString(16)}}`;
    out.escapes += 1;
    // A mark after an escape would sit on its closing brace and change how it reads.
    out.marks = mostMarks;
  } else {
    out.text += character;
    out.marks = isMark ? out.marks + 1 : 0;
  }
  out.isAfterRun = false;
}

function flushBlanks(out: Output): void {
  if (out.blanks === 0) return;
  const isRun = out.blanks > mostBlanks;
  out.text += isRun ? `␠×${out.blanks}` : " ".repeat(out.blanks);
  if (isRun) out.escapes += 1;
  out.isAfterRun = isRun;
  // A mark would sit on the count, as on the brace of an escape; on a blank it looks like the accent that stands alone.
  out.marks = mostMarks;
  out.blanks = 0;
}

/**
 * Where letters stand that do not belong to the script of their word: a Cyrillic `а` inside a Latin name reads
 * as the Latin one. In a word with Latin letters the others are foreign; elsewhere those that differ from the first.
 */
function foreignLetters(text: string): ReadonlySet<number> {
  const { word, letter } = patterns();
  const foreign = new Set<number>();
  for (const match of text.matchAll(word)) {
    const letters: { readonly index: number; readonly script: string }[] = [];
    let index = match.index;
    for (const character of match[0]) {
      const script = character === micro ? micro : letter.test(character) ? scriptOf(character) : null;
      if (script !== null) letters.push({ index, script });
      index += character.length;
    }
    const own = letters.filter(({ script }) => script !== micro);
    const home = own.some((one) => one.script === "Latin") ? "Latin" : own[0]?.script;
    for (const { index: at, script } of letters) {
      if (script === micro ? home !== "Latin" : script !== home) foreign.add(at);
    }
  }
  return foreign;
}

/** The sign for a millionth, which looks like the Greek letter. Among Latin ones that would be foreign, and elsewhere this is. */
const micro = "\u00b5";

/** The script of a letter as far as mixing matters; null for letters that belong to any. */
function scriptOf(character: string): string | null {
  const { latin, eastAsian, commonScript, otherScripts } = patterns();
  if (latin.test(character)) return "Latin";
  if (eastAsian.test(character) || commonScript.test(character)) return null;
  return otherScripts.find((script) => script.pattern.test(character))?.name ?? "other";
}
