/** `wisp audit show`: one line a decision, the newest last. */
import {
  type Home,
  localDay,
  nearest,
  outcomes,
  shortestPrefix,
  shownOnce,
  shownText,
} from "../../broker/index.js";
import { widthsFor } from "../../face/widths.js";
import { cut, wrappedWords } from "../../face/wrap.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import type { Terminal } from "../terminal.js";
import { headRow, lineOf, rowOf, sharesOf } from "./columns.js";
import type { Decision } from "./decision.js";
import { howText, resultText, whoText } from "./decision.js";
import { createDecisions, passed, passedIn } from "./decisions.js";
import { outputText } from "./outputs.js";
import { readLog } from "./reading.js";

/** Which decisions are wanted; null for all. */
export interface Wanted {
  /** Epoch milliseconds. */
  readonly since: number | null;
  readonly client: string | null;
  readonly tool: string | null;
  readonly outcome: string | null;
  /** The id of a request or a run, or four or more of its first characters. */
  readonly id: string | null;
}

/** What may stand behind `--outcome`. */
export const outcomeNames: readonly string[] = [
  ...Object.keys(outcomes).filter((name) => name !== "pending"),
  "refused",
  "kept",
  "dropped",
  "answered",
  passed,
];

/** The outcome that is most like `typed`, or null. */
export function nearestOutcome(typed: string): string | null {
  return nearest(typed, outcomeNames);
}

/** Prints them. Data to standard output, all else to standard error. */
export async function showDecisions(
  home: Home,
  wanted: Wanted,
  isJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const { out, err } = terminal;
  const { id } = wanted;
  // Only a table has to be measured as a whole.
  const table: Decision[] = [];
  let count = 0;
  const isTable = !isJson && out.isTerminal;
  if (isJson) out.write('{"schemaVersion":1,"decisions":[');
  const tell = (decision: Decision): void => {
    if (!isWanted(decision, wanted)) return;
    count += 1;
    if (isJson) out.write(`${count === 1 ? "" : ","}${jsonLine(decision).trimEnd()}`);
    else if (isTable) table.push(decision);
    else out.write(`${pipedCells(decision).join("\t")}\n`);
    if (table.length > mostInTable) table.shift();
  };
  if (wanted.outcome === passed) readPassed(home, terminal, tell);
  else {
    const decisions = createDecisions(tell);
    // What was decided then may have been asked before.
    readLog(home, null, terminal, decisions.take);
    decisions.end();
  }
  if (isJson) out.write("]}\n");
  else if (isTable && id !== null) await writeWhole(table, home, terminal);
  else if (isTable) await writeTable(table, count, terminal);
  if (count > 0) return exits.done;
  const of = id === null ? "No such decision" : `No decision of ${shownText(id)}`;
  err.write(`${of} stands in the audit log.\n`);
  return id === null ? exits.done : exits.unknown;
}

/** They are many, and no decision of anybody's: told only where they are asked for. */
function readPassed(home: Home, terminal: Terminal, tell: (decision: Decision) => void): void {
  readLog(home, null, terminal, (record) => {
    const call = passedIn(record);
    if (call !== null) tell(call);
  });
}

/** Nobody reads more on a terminal; all of them go through a pipe. */
const mostInTable = 1_000;

function isWanted(decision: Decision, { since, client, tool, outcome, id }: Wanted): boolean {
  if (since !== null && decision.at < since) return false;
  if (client !== null && decision.client !== client) return false;
  if (tool !== null && decision.tool !== tool) return false;
  if (outcome !== null && decision.outcome !== outcome) return false;
  return id === null || isNamed(decision.id, id) || isNamed(decision.run, id);
}

function isNamed(name: string | null, typed: string): boolean {
  return name === typed || (typed.length >= shortestPrefix && name?.startsWith(typed) === true);
}

/** Whole: for programs, and to look into with other tools. Nothing in a cell is a tab or a newline. */
function pipedCells(decision: Decision): readonly string[] {
  const { at, id, run, outcome, level, via, assurance, scope, rule, seconds, directory, what } = decision;
  const result = `${resultText(decision)}${decision.repeated ? ", told again" : ""}`;
  const time = new Date(at).toISOString();
  const answered = [via, assurance, scope].map((word) => shownOnce(word ?? ""));
  const cells = [id, run, outcome, level].map((text) => shownOnce(text ?? ""));
  const after = seconds === null ? "" : String(seconds);
  const rest = [rule, directory, what].map((text) => shownOnce(text ?? ""));
  return [time, ...cells, whoText(decision), ...answered, result, after, ...rest];
}

/** Each decision in one line, under its day. */
async function writeTable(
  decisions: readonly Decision[],
  count: number,
  { out, err }: Terminal,
): Promise<void> {
  const [first] = decisions;
  if (first === undefined) return;
  const rows = decisions.map(rowOf);
  const widths = await widthsFor(
    [headRow, ...rows].flatMap((row) => Object.values(row).map(({ full }) => full)),
  );
  const shares = sharesOf([headRow, ...rows], out.columns, widths);
  const who = whoText(first);
  const isAlike = who !== "" && decisions.every((decision) => whoText(decision) === who);
  const line = (text: string): string => `${cut(text, out.columns, "end", widths)}\n`;
  let text = line(lineOf(headRow, shares, widths));
  let day = "";
  for (const [index, row] of rows.entries()) {
    const its = localDay(decisions[index]?.at ?? 0);
    // Who asked is told once where it is the same of all.
    if (its !== day) text += line(isAlike && day === "" ? `${its}  asked by ${who}` : its);
    day = its;
    text += line(lineOf(row, shares, widths));
  }
  out.write(text);
  if (count > decisions.length)
    err.write(`Older ones: ${count - decisions.length}; all go through a pipe.\n`);
}

/** Each decision in sentences, with what is kept of its output. */
async function writeWhole(decisions: readonly Decision[], home: Home, { out }: Terminal): Promise<void> {
  const texts = decisions.map((decision) => `${sentenceOf(decision)}${outputText(decision, home)}`);
  const widths = await widthsFor(texts);
  const rows = texts.flatMap((text) => wrappedWords(text, out.columns, widths));
  out.write(rows.map((row) => `${row}\n`).join(""));
}

/** One decision whole, to read. Safe to print. */
function sentenceOf(decision: Decision): string {
  const { at, id, run, outcome, level, rule, seconds, directory, what, effect } = decision;
  const how = howText(decision);
  const named = [id, run === null ? null : `run ${run}`].filter((text) => text !== null).join(", ");
  const took = effect?.durationMs == null ? "" : ` after ${effect.durationMs} ms`;
  const parts = [
    `${new Date(at).toISOString()} ${whoText(decision)}${named === "" ? "" : ` (${named})`}:`,
    `${what ?? "?"}${directory === null ? "" : ` in ${directory}`};`,
    `${level === null ? "" : `${level}; `}${outcome.replaceAll("_", " ")}${how === "" ? "" : ` (${how})`}`,
    `${seconds === null ? "" : `after ${seconds} s`}${rule === null ? "" : ` by ${rule}`}`,
    outcome === "approved" ? `; ${resultText(decision)}${took}` : "",
  ];
  return shownOnce(parts.join(" ").replace(" ;", ";").replace(/ +/g, " ").trim());
}
