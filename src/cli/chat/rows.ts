/** What plain chat says, in rows of the terminal. */
import type { Widths } from "../../face/wrap.js";

/**
 * `text` in rows of at most `columns`, broken at blanks; further rows are indented. A single word that is longer stays
 * whole. Infinity leaves all of it in one row.
 */
export function inRows(text: string, columns: number, widths: Pick<Widths, "of">): readonly string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    const isFit = widths.of(longer) <= columns - (rows.length === 0 ? 0 : further.length);
    if (row === "" || isFit) row = longer;
    else {
      rows.push(row);
      row = word;
    }
  }
  return [...rows, row].map((one, index) => (index === 0 ? one : further + one));
}

const further = "  ";

/** A line of help: what a command does goes below it where there is no room beside it. */
export function helpRows(line: string, columns: number, widths: Widths): readonly string[] {
  if (widths.of(line) <= columns) return [line];
  const [command = "", ...does] = line.split(/ {2,}/);
  return [command, ...inRows(does.join(" "), columns - 4, widths).map((row) => `    ${row}`)];
}
