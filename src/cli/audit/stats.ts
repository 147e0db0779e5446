/** `wisp audit stats`: how often a person is asked, how quickly they answer, and which rules only cost them time. */
import { type Home, shownOnce } from "../../broker/index.js";
import { widthsFor } from "../../face/widths.js";
import { cut } from "../../face/wrap.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import type { Terminal } from "../terminal.js";
import { quickSeconds, Stats } from "./counting.js";
import { readLog } from "./reading.js";

/** Prints them. */
export async function showStats(
  home: Home,
  since: number | null,
  isJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const { out } = terminal;
  const stats = new Stats();
  readLog(home, since, terminal, (record) => stats.take(record));
  stats.end();
  const { summary } = stats;
  if (isJson) out.write(jsonLine(summary));
  else for (const line of await linesOf(summary, out.columns)) out.write(`${line}\n`);
  return exits.done;
}

async function linesOf(summary: Stats["summary"], columns: number): Promise<readonly string[]> {
  const { asks, days, answers, answeredUnder2Seconds: quick, rules, unseenDialogs } = summary;
  const mean = (asks / Math.max(1, days.length)).toFixed(1);
  const lines = [
    `asked: ${counted(asks, "time")} on ${counted(days.length, "day")}${days.length > 1 ? `, ${mean} a day` : ""}`,
    `answered: ${counted(answers, "time")}${answers === 0 ? "" : `, ${percent(quick, answers)} under ${quickSeconds} s`}`,
    ...days.slice(-7).map(({ day, asks: count }) => `  ${day}  ${count}`),
    ...(rules.length === 0 ? [] : ["", "by rule: asked, approved"]),
    ...rules.map(({ rule, asked, approved, mayRelax }) => {
      const relax = mayRelax ? "  always approved: it may be relaxed" : "";
      const counts = `${String(asked).padStart(6)}  ${percent(approved, asked).padStart(4)}`;
      return `${counts}  ${shownOnce(rule ?? "(no rule)")}${relax}`;
    }),
    ...(unseenDialogs.length === 0 ? [] : ["", "dialogs that nobody can have read, by client"]),
    ...unseenDialogs.map(
      ({ client, count }) => `${String(count).padStart(6)}  ${shownOnce(client ?? "(no name)")}`,
    ),
  ];
  const widths = await widthsFor(lines);
  return lines.map((line) => cut(line, columns, "end", widths));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / Math.max(1, whole))} %`;
}
