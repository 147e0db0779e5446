/** A person ticks the tools that pass, at a terminal, line by line. Invariant: every page was shown before it goes on. */
import { type ListedTool, shownLines, shownText } from "../../broker/index.js";
import { widthsFor } from "../../face/widths.js";
import { pagesOf } from "../accept/show.js";
import { exits } from "../exits.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import { valueAt } from "./find-entry.js";
import {
  isTickable,
  mostTicked,
  readingIn,
  tickedAtFirst,
  tickLines,
  typedIn,
  withChanged,
} from "./ticks.js";

/** Rows that the head, the question and what is typed take. */
const otherRows = 5;
const longestShown = 16_000;
const longestNames = 1_000;

/** Those that were ticked, or the exit code: 130 after Ctrl-C, 7 where the input ended. */
export async function tickTools(
  name: string,
  tools: readonly ListedTool[],
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<readonly ListedTool[] | number> {
  const { err } = terminal;
  let ticked = tickedAtFirst(tools);
  let at = 0;
  if (readingIn(tools).length > mostTicked)
    err.write(`More than ${mostTicked} of them say that they only read: none is ticked.\n`);
  err.write(head(name, tools));
  for (;;) {
    const pages = await pagesWith(tools, ticked, terminal);
    for (const row of pages[at] ?? []) err.write(`${row}\n`);
    const line = await lineOrEnd(question(at, pages.length, tools.length), terminal, interrupted);
    if (typeof line === "number") return line;
    const typed = typedIn(line, tools.length);
    switch (typed.kind) {
      case "on":
        if (at < pages.length - 1) at += 1;
        else if (ticked.size <= mostTicked) return tools.filter((_, index) => ticked.has(index + 1));
        else err.write(`At most ${mostTicked} are ticked in one go, not ${ticked.size}.\n`);
        break;
      case "back":
        at = Math.max(0, at - 1);
        break;
      case "show": {
        const end = await showWhole(tools[typed.number - 1], pages[at]?.length ?? 0, terminal, interrupted);
        if (end !== null) return end;
        break;
      }
      case "change":
        ticked = withChanged(ticked, typed.numbers, tools);
        break;
      case "wrong":
        err.write(wrongText(tools.length));
        break;
      default:
        typed satisfies never;
    }
  }
}

function head(name: string, tools: readonly ListedTool[]): string {
  const star = tools.some(({ isReadOnly }) => isReadOnly)
    ? "* is where the server says that a tool only reads: nothing proves it.\n"
    : "";
  const none = tools.every(isTickable) ? "" : "- is where no rule can name the tool: it asks.\n";
  return `\nTools of ${shownText(name)}. What is ticked passes without a question; all else asks.\n${star}${none}`;
}

function question(at: number, count: number, tools: number): string {
  const page = count === 1 ? "" : `Page ${at + 1} of ${count}${at === 0 ? "" : " (b: back)"}. `;
  const numbers = tools === 1 ? "1 ticks, ?1 shows it" : `Numbers tick (${manyIn(tools)}), ?2 shows 2`;
  return `${page}${numbers}, Enter goes on: `;
}

function wrongText(tools: number): string {
  if (tools === 1) return "1, ?1, or Enter alone.\n";
  return `Numbers from 1 to ${tools}, as ${manyIn(tools)}; ?2; b; or Enter alone.\n`;
}

/** Numbers that there are, as they may be typed. */
function manyIn(tools: number): string {
  return tools < 7 ? `2 1-${tools}` : "2 4-7";
}

/** What is typed, or the exit code: 130 after Ctrl-C, 7 where the input ended. */
async function lineOrEnd(
  text: string,
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<string | number> {
  const line = await terminal.readLine(text, interrupted);
  if (interrupted.aborted) return exits.interrupted;
  if (line !== null) return line;
  complain(terminal, { what: "Nothing was changed: it was not confirmed.", why: null, fix: null });
  return exits.notApproved;
}

/** Shows all of it, a page after the other; `listRows` stand below the last one. Null, or the exit code. */
async function showWhole(
  tool: ListedTool | undefined,
  listRows: number,
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<number | null> {
  const { err } = terminal;
  const lines = tool === undefined ? [] : wholeLines(tool);
  const pages = pagesOf(lines, { columns: err.columns, rows: err.rows - 1 }, await widthsFor(lines));
  for (const [index, rows] of pages.entries()) {
    for (const row of rows) err.write(`${row}\n`);
    // Where the list would push it away, the last one stands until it was read as well.
    const isLast = index === pages.length - 1;
    if (isLast && rows.length + listRows < err.rows) break;
    const page = pages.length === 1 ? "" : `Page ${index + 1} of ${pages.length}. `;
    const end = await lineOrEnd(`${page}Enter goes on: `, terminal, interrupted);
    if (typeof end === "number") return end;
  }
  return null;
}

async function pagesWith(
  tools: readonly ListedTool[],
  ticked: ReadonlySet<number>,
  { err: { columns, rows } }: Terminal,
): Promise<readonly (readonly string[])[]> {
  const widths = await widthsFor(
    tools.flatMap(({ name, description }) => [name, description ?? ""]).map(shownText),
  );
  return pagesOf(tickLines(tools, ticked, columns, widths), { columns, rows: rows - otherRows }, widths);
}

/** What the server says of it in words, and the names of what it takes: the rest is for programs. */
function wholeLines(tool: ListedTool): readonly string[] {
  const { inputSchema, annotations } = JSON.parse(tool.text) as Readonly<Record<string, unknown>>;
  const words = tool.description ?? "(no description)";
  const more = words.length - longestShown;
  const cutWords = `${words.slice(0, longestShown)}${more > 0 ? `… (${more} more)` : ""}`;
  const taken = Object.keys(Object(valueAt(inputSchema, ["properties"])));
  const lines = [
    ...shownLines(cutWords).lines,
    `takes: ${shownText(taken.join(", ").slice(0, longestNames))}`,
    `says of itself: ${shownText((JSON.stringify(annotations) ?? "nothing").slice(0, longestNames))}`,
  ];
  return lines.map((line) => `  ${line}`);
}
