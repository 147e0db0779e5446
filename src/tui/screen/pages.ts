/** What is read instead of the queue: how requests ended, the keys or words, and why something is asked. */

import type { HistoryEntry } from "../../face/history.js";
import { localTime } from "../../face/late-texts.js";
import { slashHelp } from "../../face/slash.js";
import { helpLines, spokenHelpLines } from "../state/help.js";
import type { Model, Page } from "../state/model.js";
import { whyFields } from "../state/why.js";
import { fitted, foldedBeside, foldedWords } from "./fold.js";
import { drawable, framedTextColumns, frameRows } from "./measures.js";
import type { Body, PageLine } from "./screen.js";

/** `page` in a body of `bodyRows`. Only what is visible is made. */
export function pagesOf(model: Model, page: Page, bodyRows: number): Extract<Body, { kind: "pages" }> {
  const rows = pageRows(bodyRows);
  const columns = framedTextColumns(drawable(model.size).columns);
  const source = sourceOf(model, page.kind, columns);
  const first = Math.min(page.scroll, Math.max(0, source.count - rows));
  const lines = source.lines(first, first + rows);
  return {
    kind: "pages",
    title: source.title,
    lines,
    above: first,
    below: Math.max(0, source.count - first - lines.length),
  };
}

/** How many lines of a page are visible in a body of `bodyRows`. */
export function pageRows(bodyRows: number): number {
  return Math.max(1, bodyRows - frameRows);
}

/** How many lines `page` has in all. */
export function pageLength(model: Model, page: Page): number {
  return sourceOf(model, page.kind, framedTextColumns(drawable(model.size).columns)).count;
}

interface Source {
  readonly title: string;
  readonly count: number;
  lines(from: number, to: number): readonly PageLine[];
}

function sourceOf(model: Model, kind: Page["kind"], columns: number): Source {
  switch (kind) {
    case "history":
      return historySource(model.history, columns);
    case "help":
      return model.isLinear
        ? fixed("Words", [...spokenHelpLines, "", "Commands:", ...slashHelp], columns)
        : fixed("Keys", [...helpLines, "", "Commands, after / or i:", ...slashHelp], columns);
    case "why":
      return fixed("Why this asks", whyFields(model), columns);
    default:
      return kind satisfies never;
  }
}

function historySource(history: readonly HistoryEntry[] | null, columns: number): Source {
  const title = "How requests ended";
  if (history === null) return fixed(title, ["It is being read."], columns);
  if (history.length === 0) return fixed(title, ["Nothing has ended yet."], columns);
  return linesSource(title, historyLines(history, columns), columns);
}

/** All of a history is folded once for each width. */
function historyLines(history: readonly HistoryEntry[], columns: number): readonly string[] {
  const known = foldings.get(history);
  if (known?.columns === columns) return known.lines;
  const lines = history.flatMap((entry) => entryLines(entry, columns));
  foldings.set(history, { columns, lines });
  return lines;
}

const foldings = new WeakMap<
  readonly HistoryEntry[],
  { readonly columns: number; readonly lines: readonly string[] }
>();

/**
 * What came of it and how it ended, with the note; below that what it asked for. Texts of others come last, for they say
 * what they like, and rows in which one goes on have a mark, so that none passes for the next entry or for what ran.
 */
function entryLines(
  { at, id, outcome, mark, what, effect }: HistoryEntry,
  columns: number,
): readonly string[] {
  const told = [effect, outcome].filter((part) => part !== null).join("  ");
  const [head = "", ...rest] = foldedWords(`${localTime(at)}  ${mark} ${id}  ${told}`, columns - 4);
  const asked = what === null ? [] : short(foldedWords(what, columns - 4));
  return [
    head,
    ...rest.map((line) => `  · ${line}`),
    ...asked.map((line, index) => `  ${index === 0 ? "—" : "·"} ${line}`),
  ];
}

/** What a request asked for can be of many screens. */
function short(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostDetailLines) return lines;
  return [...lines.slice(0, mostDetailLines - 1), lines.slice(mostDetailLines - 1).join(" ")];
}

const mostDetailLines = 3;

function fixed(title: string, texts: readonly string[], columns: number): Source {
  return linesSource(
    title,
    texts.flatMap((text) => foldedBeside(text, columns)),
    columns,
  );
}

function linesSource(title: string, lines: readonly string[], columns: number): Source {
  return {
    title,
    count: lines.length,
    lines: (from, to) => lines.slice(from, to).map((line) => plain(fitted(line, columns))),
  };
}

function plain(text: string): PageLine {
  return { text, isDim: false, isSelected: false };
}
