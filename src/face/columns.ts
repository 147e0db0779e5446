/**
 * The most columns that a terminal draws a character in. Terminals disagree: some draw what belongs together as one, others
 * each code point by itself, by tables of their own time. A row that is counted too narrow loses its end, and with
 * it what a person approves; one counted too wide only ends early. So each code point counts, and as the widest.
 */
import stringWidth from "string-width";

/** Columns of `text`: no less than a terminal takes that draws ambiguous characters narrow, which one does unless told. */
export function mostColumns(text: string): number {
  let sum = 0;
  for (const character of text) sum += columnsOf(character);
  return sum;
}

const known = new Map<string, number>();
const mostKnown = 10_000;

function columnsOf(character: string): number {
  const before = known.get(character);
  if (before !== undefined) return before;
  const columns = isDrawnOverOthers(character)
    ? 0
    : drawnWide.test(character)
      ? 2
      : Math.max(1, stringWidth(character));
  if (known.size < mostKnown) known.set(character, columns);
  return columns;
}

/** All of the East Asian block, circled numbers, too; the half of a flag by itself; and emoji of old as those of today. */
const drawnWide =
  /[\u115f\u2e80-\u303e\u3040-\ua4cf\u{1f1e6}-\u{1f1ff}]|(?=\p{Extended_Pictographic})[\u{1f000}-\u{1ffff}]/u;

/** Is `character` a mark that takes no column anywhere? */
function isDrawnOverOthers(character: string): boolean {
  return mark.test(character) && oldMarks.test(character);
}

const mark = /[\p{Mn}\p{Me}]/u;

/**
 * Where the marks stand that are in use and in Unicode 5: terminals with tables of that age give a cell of its own to
 * each later one. The mark of a keycap is left out, as it makes its digit wide.
 */
const oldMarks = new RegExp(
  `[${[
    // Latin, Greek, Cyrillic
    "\\u0300-\\u036f\\u0483-\\u0486\\u1dc0-\\u1dca\\u1dfe-\\u1dff\\u20d0-\\u20e2\\u20e4-\\u20ef\\ufe20-\\ufe23",
    // Hebrew, Arabic, Syriac, Thaana, N'Ko
    "\\u0591-\\u05c7\\ufb1e\\u0610-\\u0615\\u064b-\\u065e\\u0670\\u06d6-\\u06ed\\u0711\\u0730-\\u074a\\u07a6-\\u07b0\\u07eb-\\u07f3",
    // Devanagari, Bengali, Gurmukhi
    "\\u0901-\\u0902\\u093c\\u0941-\\u0954\\u0962-\\u0963\\u0981\\u09bc-\\u09e3\\u0a01-\\u0a4d\\u0a70-\\u0a71",
    // Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, Sinhala
    "\\u0a81-\\u0ae3\\u0b01-\\u0b43\\u0b4d\\u0b56\\u0b82-\\u0bcd\\u0c3e-\\u0c56\\u0cbc-\\u0ce3\\u0d41-\\u0d43\\u0d4d\\u0dca-\\u0dd6",
    // Thai, Lao, Tibetan, Myanmar, Ethiopic, Khmer
    "\\u0e31-\\u0e4e\\u0eb1-\\u0eb9\\u0ebb-\\u0ecd\\u0f18-\\u0f87\\u0f90-\\u0fc6\\u102d-\\u1032\\u1036-\\u1039\\u1058-\\u1059\\u135f\\u17b7-\\u17dd",
    // Japanese and Chinese
    "\\u302a-\\u302d\\u3099-\\u309a",
  ].join("")}]`,
);
