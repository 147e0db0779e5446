/** Texts in cells of a terminal, whatever their script. */
import { wide } from "../../face/wide.js";
import { isPlain } from "../../face/widths.js";
import { cut } from "../../face/wrap.js";

/** Columns that `text` takes; most texts need no tables. */
export function columnsOf(text: string): number {
  return isPlain(text) ? text.length : wide.of(text);
}

/** `text` in exactly `columns`: filled with blanks, or cut with … where it is too long after all. */
export function fitted(text: string, columns: number): string {
  const wanted = columnsOf(text);
  if (wanted <= columns) return text + " ".repeat(columns - wanted);
  const kept = cut(text, columns, "end", wide);
  // A cell of one column holds no wide character and, cut at 0 columns, not even the mark.
  const used = columnsOf(kept);
  return used > columns ? " ".repeat(columns) : kept + " ".repeat(columns - used);
}

/** `text` in at most `columns`. */
export function within(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : fitted(text, columns).trimEnd();
}

/** `1 row`, `9,990 rows` */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
}
