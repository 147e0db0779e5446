/**
 * `wisp gate install` and `uninstall`: a person puts a gate before a server of a client, or takes it away. A program of its own.
 * Each ends with an exit code; what went wrong has been told.
 */
import { originalPath, shownText } from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { configPlace } from "../config/place.js";
import { exits } from "../exits.js";
import type { LastingLook } from "../lasting.js";
import { complain, reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { whereOf } from "./change.js";
import type { FoundEntry } from "./find-entry.js";
import { type OwnProgram, ownWords } from "./gate-line.js";
import { installed } from "./install.js";
import { type GateChange, onlyEntry } from "./only-entry.js";
import { uninstalled } from "./uninstall.js";
import { writeChange } from "./write-change.js";

/** What stands for this process in a test: the look at it, and the program that it runs. */
export interface GateChangeParts {
  readonly look?: LastingLook;
  readonly program?: OwnProgram;
}

/** Does it. */
export async function changeGate(
  what: GateChange,
  terminal: Terminal,
  parts: GateChangeParts = {},
): Promise<number> {
  try {
    const entry = onlyEntry(what, terminal);
    if (typeof entry === "number") return entry;
    switch (what.verb) {
      case "install":
        return await install(entry, what, terminal, parts);
      case "uninstall":
        return await uninstall(entry, what, terminal, parts);
      default:
        return what.verb satisfies never;
    }
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  }
}

async function install(
  entry: FoundEntry,
  what: GateChange,
  terminal: Terminal,
  { look, program = thisProgram() }: GateChangeParts,
): Promise<number> {
  const { environment, out, err } = terminal;
  const change = installed(entry, ownWords(environment, program));
  if (change === null) {
    out.write(`${shownText(entry.name)} is behind the gate already: ${whereOf(entry)}\n`);
    return exits.done;
  }
  const written = await writeChange(change, { what, isKept: true }, terminal, look);
  if (typeof written === "number") return written;
  out.write(
    `${shownText(entry.name)} is behind the gate once its client starts it again: ${whereOf(entry)}\n`,
  );
  if (written.backup !== null) out.write(`what the file was: ${shownText(written.backup)}\n`);
  out.write(`to undo it: ${wispLine(environment, undoWords(entry))}\n`);
  // The client hands on its own environment, which need not have it.
  if ((environment.WISP_HOME ?? "") !== "")
    err.write(
      "Where its client does not set WISP_HOME, the gate asks in ~/.wisp: add it to the env of the entry.\n",
    );
  return exits.done;
}

function undoWords({ name, word, scope }: FoundEntry): readonly string[] {
  return ["gate", "uninstall", name, "--client", word, "--scope", scope];
}

async function uninstall(
  entry: FoundEntry,
  what: GateChange,
  terminal: Terminal,
  { look }: GateChangeParts,
): Promise<number> {
  const { out } = terminal;
  const { home } = configPlace(terminal);
  const undoing = uninstalled(entry, home.path);
  if (undoing === null) {
    complain(terminal, {
      what: `${shownText(entry.name)} is behind no gate: ${whereOf(entry)}`,
      why: null,
      fix: null,
    });
    return exits.unknown;
  }
  const { change, how, backup } = undoing;
  terminal.err.write(`${saysHow[how]}\n`);
  const written = await writeChange(change, { what, isKept: false }, terminal, look);
  if (typeof written === "number") return written;
  out.write(`${shownText(entry.name)} is behind no gate any more: ${whereOf(entry)}\n`);
  if (backup === null) return exits.done;
  if (how === "whole") written.drop(backup);
  else out.write(`what the file was before the gate: ${shownText(originalPath(home.path, backup.id))}\n`);
  return exits.done;
}

const saysHow = {
  whole: "The file still is what was written with the gate: it becomes what it was before, to the last byte.",
  entry: "The file was changed since the gate was put there: only this entry is undone.",
  words: "No backup fits what stands there: only this entry is undone, by what the words of the gate say.",
} as const;

function thisProgram(): OwnProgram {
  return { execPath: process.execPath, script: process.argv[1] ?? "wisp" };
}
