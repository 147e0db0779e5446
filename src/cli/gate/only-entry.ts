/** The one entry that was meant. Where several could be, or none, it is said what there is. */
import { nearest, shownText } from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { exits } from "../exits.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import { aroundOf } from "../wiring/clients.js";
import { whereOf } from "./change.js";
import { type FoundEntry, findEntry, type Search, type Sought, type UnusableFile } from "./find-entry.js";
import { behindGate } from "./gate-line.js";

/** What was typed. */
export interface GateChange extends Sought {
  readonly verb: "install" | "uninstall";
}

/** It, or the exit code: 2 where there are several, 78 where a file in which it could stand is not understood, else 3. */
export function onlyEntry(sought: GateChange, terminal: Terminal): FoundEntry | number {
  const search = findEntry(sought, aroundOf(terminal));
  const [first, second] = meantIn(sought, search.found);
  if (first === undefined) return notFound(sought, search, terminal);
  if (second !== undefined) return tooMany(sought, meantIn(sought, search.found), terminal);
  for (const file of search.unusable) terminal.err.write(unusableText(file));
  return first;
}

/** Where a gate is to be taken away, those that are behind one, if there are any. */
function meantIn({ verb }: GateChange, found: readonly FoundEntry[]): readonly FoundEntry[] {
  const gated = verb === "uninstall" ? found.filter(isGated) : [];
  return gated.length === 0 ? found : gated;
}

function isGated({ value: { command, args } }: FoundEntry): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((one) => typeof one === "string");
  return behindGate(words) !== null;
}

function tooMany({ verb, name }: GateChange, found: readonly FoundEntry[], terminal: Terminal): number {
  complain(terminal, {
    what: `${shownText(name)} stands in ${found.length} places, and nothing was changed. Name one:`,
    why: null,
    fix: null,
  });
  for (const entry of found) {
    const words = ["gate", verb, name, "--client", entry.word, "--scope", entry.scope];
    // A line to copy stands alone: talk leaves it whole.
    terminal.err.write(`${whereOf(entry)}\n  ${wispLine(terminal.environment, words)}\n`);
  }
  return exits.usage;
}

function notFound({ name }: Sought, search: Search, terminal: Terminal): number {
  const { unusable, files } = search;
  const near = nearest(
    name,
    files.flatMap(({ names }) => names),
  );
  complain(terminal, {
    what: `No configuration that was read has an entry ${shownText(name)}.`,
    why: near === null ? null : `There is ${shownText(near)}.`,
    fix:
      files.length + unusable.length === 0
        ? "No file of a known client is here; those of a project are read in its directory."
        : "Files of a project are read in this directory alone.",
  });
  for (const { client, path, names } of files)
    terminal.err.write(`  Read: ${client}: ${shownText(path)}\n    ${namesText(names)}\n`);
  for (const file of unusable) terminal.err.write(`  ${unusableText(file)}`);
  return unusable.length > 0 ? exits.faulty : exits.unknown;
}

const mostNamed = 40;

function namesText(names: readonly string[]): string {
  if (names.length === 0) return "no entries";
  const more = names.length - mostNamed;
  const named = names.slice(0, mostNamed).map((name) => shownText(name.slice(0, 64)));
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function unusableText({ client, path, why }: UnusableFile): string {
  return `left alone: ${client}: ${shownText(path)} (${shownText(why)})\n`;
}
