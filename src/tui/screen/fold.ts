/** Texts cut and folded to columns. Each is safe to print already; what is plain is not measured character by character. */
import { wide } from "../../face/wide.js";
import { isPlain } from "../../face/widths.js";
import { cut, missingIn, type Widths, wrapped } from "../../face/wrap.js";

/** Columns that `text` takes. */
export function widthOf(text: string): number {
  return measured.of(text);
}

/** `text` in pieces of at most `columns` each; at least one. */
export function folded(text: string, columns: number): readonly string[] {
  if (columns < 1) return [""];
  if (!isPlain(text)) return wrapped(text, columns, measured).map((piece) => fitted(piece, columns));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += columns) pieces.push(text.slice(at, at + columns));
  return pieces.length === 0 ? [""] : pieces;
}

/** Sentences of ours in lines of at most `columns`, broken at blanks where there are any. */
export function foldedWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = folded(word, columns);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return [...lines, line];
}

/** `text` cut to `columns`, with … where its end is missing; "" where there is no room at all. */
export function fitted(text: string, columns: number): string {
  if (columns < 1) return "";
  const visible = text.slice(0, columns * mostUnitsPerColumn);
  const isWhole = visible.length === text.length;
  if (isPlain(visible)) {
    return isWhole && text.length <= columns ? text : `${visible.slice(0, columns - 1)}…`;
  }
  return cut(isWhole ? visible : `${visible}…`, columns, "end", measured);
}

/** What is asked for, cut where it says least. */
export function fittedWhat(text: string, columns: number): string {
  if (columns < 1 || missingIn(text) === "end") return fitted(text, columns);
  const most = columns * mostUnitsPerColumn;
  // Of a text of many screens its middle is not measured.
  const visible = text.length <= 2 * most ? text : `${text.slice(0, most)}…${text.slice(-most)}`;
  return cut(visible, columns, "middle", measured);
}

/** The first `rows` of `lines`, the last with … where there are more: a sentence of ours never ends as if it were whole. */
export function clipped(lines: readonly string[], rows: number, columns: number): readonly string[] {
  if (lines.length <= rows) return lines;
  if (rows < 1) return [];
  return [...lines.slice(0, rows - 1), fitted(`${lines.slice(rows - 1).join(" ")} …`, columns)];
}

/** The end of `text` in `columns`, with … where its beginning is missing. */
export function fittedEnd(text: string, columns: number): string {
  return columns < 1 ? "" : cut(text, columns, "beginning", measured);
}

/** `text` in lines of at most `columns`; all but the first begin below the second of its columns of text. */
export function foldedBeside(text: string, columns: number): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const [beside = ""] = /^(?:\S.*?)? {2,}/.exec(text) ?? [];
  // In a narrow column every word would have a line of its own.
  const isNarrow = columns - beside.length < columns / 3;
  const indent = isNarrow ? Math.min(leastIndent, columns - 1) : beside.length;
  const [first = "", ...others] = foldedWords(isNarrow ? text : text.slice(indent), columns - indent);
  return [isNarrow ? first : beside + first, ...others.map((line) => " ".repeat(indent) + line)];
}

const leastIndent = 8;

/** A base with its marks and joiners is a few units; of a text of many screens no more than a line is measured. */
const mostUnitsPerColumn = 16;

/** The same measures, quicker where a text is plain. */
const measured: Widths = {
  of: (text) => (isPlain(text) ? text.length : wide.of(text)),
  pieces: wide.pieces,
};
