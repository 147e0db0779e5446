/** The one entry that was meant. Where several could be, or none, it is said what there is. */
import { nearest, shownText } from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { exits } from "../exits.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import { aroundOf } from "../wiring/clients.js";
import { type FoundEntry, findEntry, type Search, type Sought, type UnusableFile } from "./find-entry.js";

/** What was typed. */
export interface GateChange extends Sought {
  readonly verb: "install" | "uninstall";
}

/** It, or the exit code: 2 where there are several, 78 where a file in which it could stand is not understood, else 3. */
export function onlyEntry(sought: GateChange, terminal: Terminal): FoundEntry | number {
  const search = findEntry(sought, aroundOf(terminal));
  const [first, second] = search.found;
  if (first === undefined) return notFound(sought, search, terminal);
  if (second !== undefined) return tooMany(sought, search.found, terminal);
  for (const file of search.unusable) terminal.err.write(`left alone: ${unusableText(file)}\n`);
  return first;
}

function tooMany({ verb, name }: GateChange, found: readonly FoundEntry[], terminal: Terminal): number {
  const lines = found.map(({ word, scope, file }) => {
    const words = ["gate", verb, name, "--client", word, "--scope", scope];
    return `  ${wispLine(terminal.environment, words)}   ${shownText(file.path)}\n`;
  });
  complain(terminal, {
    what: `${shownText(name)} stands in ${found.length} places, and nothing was changed. Name one:`,
    why: null,
    fix: null,
  });
  terminal.err.write(lines.join(""));
  return exits.usage;
}

function notFound({ name }: Sought, { unusable, names }: Search, terminal: Terminal): number {
  const near = nearest(name, names);
  complain(terminal, {
    what: `No configuration that was read has an entry ${shownText(name)}.`,
    why: near === null ? null : `There is ${shownText(near)}.`,
    fix: "Files of a project are read in this directory alone: start it where the entry stands.",
  });
  for (const file of unusable) terminal.err.write(`  left alone: ${unusableText(file)}\n`);
  return unusable.length > 0 ? exits.faulty : exits.unknown;
}

function unusableText({ client, path, why }: UnusableFile): string {
  return `${client}: ${shownText(path)} (${why})`;
}
