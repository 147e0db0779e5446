/** Frames. Every line of one is exactly as wide as the frame, so that it closes on every row. */
import { fitted, widthOf } from "../screen/fold.js";
import { cell, countOf } from "./cells.js";
import { type Look, painted, type Style } from "./look.js";

/** One piece of a line that is drawn in one style. */
export interface Piece {
  readonly text: string;
  readonly style: Style;
}

/** `╭─ title ───── mark ─ mark ─╮`; a title that is too long is cut, marks never are. */
export function topEdge(title: string, marks: readonly Piece[], columns: number, look: Look): string {
  const inside = columns - 4;
  const ends = marks.reduce((sum, { text }) => sum + widthOf(text) + 3, 0);
  const room = Math.max(0, inside - ends - 2);
  const name = fitted(title, room);
  const head = name === "" ? "" : ` ${name} `;
  const fill = "─".repeat(Math.max(0, inside - ends - widthOf(head)));
  const tail = marks.map(({ text, style }) => ` ${painted(text, style, look)} ─`).join("");
  return `╭─${painted(head, "strong", look)}${fill}${tail}─╮`;
}

/** `╰─ ↑ 3 rows above ─ ↓ 12 rows below ─╯`, as far as there is room for it. */
export function bottomEdge(above: number, below: number, columns: number): string {
  const inside = columns - 4;
  const told = [
    above === 0 ? "" : ` ↑ ${countOf(above, "row")} above ─`,
    below === 0 ? "" : ` ↓ ${countOf(below, "row")} below ─`,
  ].join("");
  const fits = told.length <= inside ? told : "";
  return `╰─${"─".repeat(Math.max(0, inside - fits.length))}${fits}─╯`;
}

/** `│ text │`, in `style` but for the frame. */
export function framed(text: string, style: Style, columns: number, look: Look): string {
  return `│ ${painted(cell(text, columns - 4), style, look)} │`;
}
