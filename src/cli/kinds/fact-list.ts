/** `wisp facts list`: what a person kept, or dropped, for scripts and to read. */
import { type DroppedFact, type FactStore, type KeptFact, shownText } from "../../broker/index.js";
import { durationText } from "../../face/describe.js";
import { widthsFor } from "../../face/widths.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { lineToType } from "../line-to-type.js";
import { fitted } from "../table.js";
import type { Terminal } from "../terminal.js";

/** One that is listed. Its texts are hostile. */
interface Listed {
  readonly fact: KeptFact | DroppedFact;
  readonly scope: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Where it holds, or was dropped; null for everywhere. */
  readonly directory: string | null;
}

/** Lists them, oldest first. Data to standard output, all else to standard error. */
export async function listAll(
  isDropped: boolean,
  isJson: boolean,
  facts: Pick<FactStore, "list">,
  terminal: Terminal,
): Promise<number> {
  const { out, err, clock } = terminal;
  const { kept, dropped, unreadable } = facts.list();
  const listed = isDropped ? dropped.map(listedDrop) : kept.map(listedFact);
  const now = clock.now();
  if (isJson) {
    out.write(jsonLine({ schemaVersion: 1, facts: isDropped ? dropped.map(dropEntry) : kept.map(entryOf) }));
  } else if (!out.isTerminal) {
    out.write(listed.map((one) => `${cellsOf(one, now, String).join("\t")}\n`).join(""));
  } else if (listed.length > 0) out.write(await tableOf(listed, isDropped, now, out.columns));
  if (listed.length === 0) err.write(`No fact ${isDropped ? "was dropped" : "is kept"}.\n`);
  if (unreadable > 0) err.write(unreadableText(unreadable));
  if (listed.length > 0 && out.isTerminal && err.isTerminal) {
    const lineOf = (...words: readonly string[]): string => lineToType(terminal, ["facts", ...words]);
    const forget = lineOf("forget", "ID");
    err.write(`All of one: ${lineOf("show", "ID")}\n`);
    if (isDropped) err.write(`Let one be asked for again: ${forget}\n`);
    else err.write(`Keep one no longer: ${forget}\nWhat was dropped: ${lineOf("list", "--dropped")}\n`);
  }
  return exits.done;
}

/** `project` or `global`; of a drop of a drop `for good`, or how far it counts where it is not: `this thread`, or session. */
export function scopeOf(fact: KeptFact | DroppedFact): string {
  if ("scope" in fact) return fact.scope;
  if (fact.isForGood) return "for good";
  return fact.proposedBy.thread === null ? "this session" : "this thread";
}

/** Files in facts/ that this home did not write hide nothing, and are nobody's facts. */
function unreadableText(count: number): string {
  return count === 1
    ? "1 file in facts/ is none that this home kept.\n"
    : `${count} files in facts/ are none that this home kept.\n`;
}

function listedFact(fact: KeptFact): Listed {
  const directory = fact.scope === "project" ? fact.directory : null;
  return { fact, scope: scopeOf(fact), at: fact.keptBy.at, directory };
}

function listedDrop(fact: DroppedFact): Listed {
  return { fact, scope: scopeOf(fact), at: fact.droppedBy.at, directory: fact.directory };
}

/** One fact as JSON has it, kept or dropped. */
export function jsonOf(fact: KeptFact | DroppedFact): Record<string, unknown> {
  return "scope" in fact ? entryOf(fact) : dropEntry(fact);
}

function entryOf(fact: KeptFact): Record<string, unknown> {
  return { ...wordsOf(fact), scope: fact.scope, keptAt: fact.keptBy.at };
}

function dropEntry(fact: DroppedFact): Record<string, unknown> {
  return { ...wordsOf(fact), forGood: fact.isForGood, droppedAt: fact.droppedBy.at };
}

function wordsOf(fact: KeptFact | DroppedFact): Record<string, unknown> {
  const { id, subject, name, value, source, directory, proposedBy } = fact;
  return { id, subject, name, value, source, directory, client: proposedBy.client };
}

function cellsOf(
  { fact, scope, at, directory }: Listed,
  now: number,
  age: (seconds: number) => string,
): readonly string[] {
  // Wall time: a clock set back must not show a negative age.
  const seconds = Math.max(0, Math.floor((now - at) / 1_000));
  const client = shownText(fact.proposedBy.client?.name ?? fact.proposedBy.caller);
  const what = shownText(`${fact.subject} · ${fact.name}: ${fact.value}`);
  return [fact.id, scope, age(seconds), client, shownText(directory ?? ""), what];
}

async function tableOf(
  listed: readonly Listed[],
  isDropped: boolean,
  now: number,
  columns: number,
): Promise<string> {
  const head = ["id", isDropped ? "dropped" : "scope", "age", "who", "directory", "what"];
  const rows = [head, ...listed.map((one) => cellsOf(one, now, durationText))];
  const widths = await widthsFor(rows.flat());
  return fitted(rows, columns, widths)
    .map((line) => `${line}\n`)
    .join("");
}
