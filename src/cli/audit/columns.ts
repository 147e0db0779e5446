/** Decisions in the columns of a terminal: what does not fit is cut, and one line stays one line. */
import { shownOnce } from "../../broker/index.js";
import { durationText } from "../../face/describe.js";
import { localTime } from "../../face/late-texts.js";
import { cut, type Widths } from "../../face/wrap.js";
import { type Decision, howText, resultText, whoText } from "./decision.js";

/** What stands above them. */
export const columnNames = ["time", "who", "how", "effect", "after", "rule", "what"] as const;

/** One decision as cells in that order, safe to print. */
export function cellsOf(decision: Decision): readonly string[] {
  const { at, seconds, rule, what } = decision;
  return [
    localTime(at).slice(5),
    whoText(decision),
    howText(decision),
    resultText(decision),
    seconds === null ? "" : durationText(seconds),
    shownOnce(rule ?? ""),
    shownOnce(what ?? ""),
  ];
}

const gap = "  ";
/** The last two share what is left. */
const rule = 5;
const what = 6;
/** Who asked is cut to this, and no cell that is left out for want of room is narrower. */
const who = { index: 1, most: 16, least: 6 } as const;
const least = 8;

/** The widths of the columns of `rows` in `columns` columns; 0 for one that is left out. */
export function sharesOf(
  rows: readonly (readonly string[])[],
  columns: number,
  widths: Widths,
): readonly number[] {
  const shares = columnNames.map((_name, index) =>
    rows.reduce((widest, row) => Math.max(widest, widths.of(row[index] ?? "")), 0),
  );
  shares[who.index] = Math.min(shares[who.index] ?? 0, columns < 100 ? who.least : who.most);
  const fixed = shares.slice(0, rule).reduce((sum, width) => sum + width + (width > 0 ? gap.length : 0), 0);
  const room = columns - fixed;
  const wanted = shares[rule] ?? 0;
  const forRule = Math.min(wanted, Math.max(0, Math.floor((room - gap.length) / 2)));
  shares[rule] = forRule < Math.min(least, wanted) ? 0 : forRule;
  shares[what] = Math.max(0, room - shares[rule] - (shares[rule] > 0 ? gap.length : 0));
  return shares;
}

/** A line of these cells. */
export function lineOf(cells: readonly string[], shares: readonly number[], widths: Widths): string {
  const drawn = cells.flatMap((cell, index) => {
    const width = shares[index] ?? 0;
    if (width === 0) return [];
    const text = cut(cell, width, "end", widths);
    return [text + " ".repeat(Math.max(0, width - widths.of(text)))];
  });
  return drawn.join(gap).trimEnd();
}
