/** `wisp audit stats`: how often a person is asked, how quickly they answer, and which rules only cost them time. */
import { type Home, type LogRecord, localDay, shownOnce } from "../../broker/index.js";
import { widthsFor } from "../../face/widths.js";
import { cut } from "../../face/wrap.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import type { Terminal } from "../terminal.js";
import { isByPrecedent } from "./facts.js";
import { readLog } from "./reading.js";
import { clientIn, numberIn, textIn } from "./values.js";

/** So many days, rules and clients are told apart; and so many requests wait for their client. */
const mostNames = 4_096;
/** Sooner than this nobody has read what they answer. */
const quickSeconds = 2;
/** A rule that was always approved so often may be relaxed. */
const leastToRelax = 10;

interface Rule {
  /** Calls that a person was asked about and that ended. */
  asked: number;
  approved: number;
}

/** Counts as it reads; memory is bounded. */
export class Stats {
  readonly days = new Map<string, number>();
  readonly rules = new Map<string, Rule>();
  /** Dialogs that were answered sooner than anybody reads, by client. */
  readonly unseen = new Map<string, number>();
  answers = 0;
  quick = 0;
  readonly #unseenOf = new Map<string, number>();

  take(record: LogRecord): void {
    const { kind, call, details } = record;
    if (kind === "policy.judged" && details.verdict === "ask") bump(this.days, localDay(record.at));
    else if (kind === "approval.answered") this.#answered(record);
    else if (kind === "dialog.ended" && details.unseen === true && call !== null) bump(this.#unseenOf, call);
    else if (kind === "approval.decided") this.#decided(record);
  }

  #answered({ call, details }: LogRecord): void {
    this.answers += 1;
    if ((numberIn(details, "seconds") ?? quickSeconds) < quickSeconds) this.quick += 1;
    if (details.unseen === true && call !== null) bump(this.#unseenOf, call);
  }

  #decided({ call, selfReported, details }: LogRecord): void {
    const unseen = call === null ? undefined : this.#unseenOf.get(call);
    if (call !== null && unseen !== undefined) {
      this.#unseenOf.delete(call);
      bump(this.unseen, clientIn(selfReported) ?? "", unseen);
    }
    const isAsked = details.outcome !== "pending" && call !== null && !isByPrecedent(details);
    if (!isAsked) return;
    const name = textIn(details, "rule") ?? "";
    if (!this.rules.has(name) && this.rules.size >= mostNames) return;
    const rule = this.rules.get(name) ?? { asked: 0, approved: 0 };
    rule.asked += 1;
    if (details.outcome === "approved") rule.approved += 1;
    this.rules.set(name, rule);
  }

  /** As `--json` prints it. */
  get summary() {
    const asks = [...this.days.values()].reduce((sum, count) => sum + count, 0);
    return {
      schemaVersion: 1,
      asks,
      days: [...this.days].map(([day, count]) => ({ day, asks: count })),
      answers: this.answers,
      answeredUnder2Seconds: this.quick,
      rules: [...this.rules]
        .sort(([, one], [, other]) => other.asked - one.asked)
        .map(([rule, { asked, approved }]) => ({
          rule: rule === "" ? null : rule,
          asked,
          approved,
          mayRelax: approved === asked && asked >= leastToRelax,
        })),
      unseenDialogs: [...this.unseen].map(([client, count]) => ({
        client: client === "" ? null : client,
        count,
      })),
    };
  }
}

function bump(counts: Map<string, number>, name: string, by = 1): void {
  if (!counts.has(name) && counts.size >= mostNames) return;
  counts.set(name, (counts.get(name) ?? 0) + by);
}

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
  const { summary } = stats;
  if (isJson) out.write(jsonLine(summary));
  else for (const line of await linesOf(summary, out.columns)) out.write(`${line}\n`);
  return exits.done;
}

async function linesOf(summary: Stats["summary"], columns: number): Promise<readonly string[]> {
  const { asks, days, answers, answeredUnder2Seconds: quick, rules, unseenDialogs } = summary;
  const mean = days.length === 0 ? "0" : (asks / days.length).toFixed(1);
  const lines = [
    `asked: ${asks} times on ${days.length} days, ${mean} a day`,
    `answered: ${answers} times, ${percent(quick, answers)} under ${quickSeconds} s`,
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

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`;
}
