/** Cells of exactly their width, whatever the script of the text in them. */
import { fitted, widthOf } from "../screen/fold.js";

/** `text` in exactly `columns`: filled with blanks, or cut with … where it is too long after all. */
export function cell(text: string, columns: number): string {
  const kept = fitted(text, columns);
  return kept + " ".repeat(Math.max(0, columns - widthOf(kept)));
}

/** `1 row`, `9,990 rows` */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
}
