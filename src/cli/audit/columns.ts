/**
 * Decisions in the columns of a terminal, one line each under the day: what ran has room first, then by which rule; what
 * does not fit is told short, then cut, then left out. A wider terminal, a pipe and `show ID` tell the rest.
 */
import { shownOnce } from "../../broker/index.js";
import { durationText } from "../../face/describe.js";
import { localTime } from "../../face/late-texts.js";
import { cut, missingIn, type Widths } from "../../face/wrap.js";
import { type Decision, howShort, howText, levelShort, resultText, ruleShort, whoText } from "./decision.js";

/** The columns, as they stand there. */
export const columnNames = ["time", "id", "who", "level", "how", "effect", "after", "rule", "what"] as const;
type Column = (typeof columnNames)[number];

/** What is told of one decision: whole, or short. */
interface Cell {
  readonly short: string;
  readonly full: string;
}

/** One decision in its cells, safe to print. */
export type Row = Readonly<Record<Column, Cell>>;

/** The cells of a decision. */
export function rowOf(decision: Decision): Row {
  const { at, id, run, seconds, level, rule, what, client } = decision;
  return {
    time: same(localTime(at).slice(11)),
    // What `show ID` takes.
    id: same(shownOnce(id ?? run ?? "")),
    who: { short: shownOnce(client ?? ""), full: whoText(decision) },
    level: { short: levelShort(level), full: shownOnce(level ?? "") },
    how: { short: howShort(decision), full: howText(decision) },
    effect: same(resultText(decision)),
    after: same(seconds === null ? "" : durationText(seconds)),
    rule: { short: ruleShort(rule), full: shownOnce(rule ?? "") },
    what: same(shownOnce(what ?? "")),
  };
}

/** The names of the columns as a row. */
export const headRow: Row = {
  time: same("time"),
  id: same("id"),
  who: same("who"),
  level: same("level"),
  how: same("how"),
  effect: same("effect"),
  after: same("after"),
  rule: same("rule"),
  what: same("what"),
};

function same(text: string): Cell {
  return { short: text, full: text };
}

const gap = 2;
/** No wider than this, short and full. */
const widest: Readonly<Partial<Record<Column, readonly [number, number]>>> = {
  id: [8, 8],
  who: [11, 28],
  how: [12, 32],
  effect: [10, 20],
  rule: [14, 64],
};
/** In this order what is left out gets room, and then what is told short; each as long as what runs keeps its share. */
const wanted: readonly (readonly [Column, Form])[] = [
  ["effect", "short"],
  ["how", "short"],
  ["id", "short"],
  ["rule", "short"],
  ["who", "short"],
  ["level", "short"],
  ["after", "short"],
  ["effect", "full"],
  ["rule", "full"],
  ["level", "full"],
  ["how", "full"],
  ["who", "full"],
];
type Form = "short" | "full";
/** What runs gets at least this part of the line, and so many columns, where it is as long. */
const partOfWhat = 1 / 3;
const leastOfWhat = 24;

/** A column that is shown. */
interface Share {
  readonly name: Column;
  readonly form: Form;
  readonly width: number;
}

/** Which columns of `rows` are shown in `columns` columns, how, and how wide; `who` only where they differ. */
export function sharesOf(rows: readonly Row[], columns: number, widths: Widths): readonly Share[] {
  const naturalOf = (name: Column, form: Form): number => {
    const most = widest[name]?.[form === "short" ? 0 : 1] ?? columns;
    return Math.min(
      most,
      rows.reduce((width, row) => Math.max(width, widths.of(row[name][form])), 0),
    );
  };
  const shown = new Map<Column, Share>();
  const put = (name: Column, form: Form, width: number) => shown.set(name, { name, form, width });
  put("time", "full", naturalOf("time", "full"));
  const least = Math.min(naturalOf("what", "full"), Math.max(leastOfWhat, Math.floor(columns * partOfWhat)));
  const taken = (but: Column): number =>
    [...shown.values()].reduce((sum, { name, width }) => sum + (name === but ? 0 : width + gap), 0);
  for (const [name, form] of wanted) {
    if (isAlike(rows, name)) continue;
    const width = naturalOf(name, form);
    if (taken(name) + width + gap + least <= columns) put(name, form, width);
  }
  const before = columnNames.flatMap((name) => shown.get(name) ?? []);
  return [...before, { name: "what", form: "full", width: Math.max(0, columns - taken("what")) }];
}

/** A column that says the same of each, or nothing, needs no room. */
function isAlike(rows: readonly Row[], name: Column): boolean {
  // The first is the head.
  const texts = new Set(rows.slice(1).map((row) => row[name].full));
  return name === "who" ? texts.size < 2 : texts.size === 1 && texts.has("");
}

/** A line of these cells. */
export function lineOf(row: Row, shares: readonly Share[], widths: Widths): string {
  const drawn = shares.map(({ name, form, width }) => {
    const said = row[name][form];
    // The end of a rule says where it stands.
    const missing = name === "rule" ? "beginning" : name === "what" ? missingIn(said) : "end";
    const text = cut(said, width, missing, widths);
    return text + " ".repeat(Math.max(0, width - widths.of(text)));
  });
  return drawn.join(" ".repeat(gap)).trimEnd();
}
