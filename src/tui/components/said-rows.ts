/**
 * Lines that are said, in rows of the terminal. Left to the terminal, a long line would go on at the beginning of the
 * next row, and a text of a request that is padded to that length could look like a line of ours there.
 */
import { folded, widthOf } from "../screen/fold.js";

/** `text` in rows of at most `columns`, broken behind blanks where there are any; each that goes on says so. */
export function saidRows(text: string, columns: number): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const [first = "", ...others] = brokenRows(text, Math.max(1, columns - continued.length));
  return [first, ...others.map((row) => continued + row)];
}

const continued = "Goes on: ";

/** All rows together are `text`. */
function brokenRows(text: string, columns: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const word of text.split(behindBlanks)) {
    const wide = widthOf(word);
    if (used + wide <= columns) {
      row += word;
      used += wide;
      continue;
    }
    if (row !== "") rows.push(row);
    const pieces = folded(word, columns);
    rows.push(...pieces.slice(0, -1));
    row = pieces.at(-1) ?? "";
    used = widthOf(row);
  }
  return [...rows, row];
}

const behindBlanks = /(?<= )/;
