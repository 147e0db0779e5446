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
import { aroundOf } from "../wiring/clients.js";
import { whereOf } from "./change.js";
import type { FoundEntry } from "./find-entry.js";
import { ledAway, ledAwayText, overridesIn } from "./gate-env.js";
import { type OwnProgram, ownWords, startsOwn } from "./gate-line.js";
import { installed, upstreamOf } from "./install.js";
import { letPass, rulesFor } from "./let-pass.js";
import { type FreeName, freeNameFor } from "./names-taken.js";
import { type GateChange, onlyEntry } from "./only-entry.js";
import { withOwnHome } from "./own-home.js";
import { type ToolsProgram, triaged } from "./triage.js";
import { uninstalled } from "./uninstall.js";
import { judgeChange, writeChange } from "./write-change.js";

export { gateWordsIn } from "./names-taken.js";

/** What stands for this process in a test: the look at it, and the program that it runs. */
export interface GateChangeParts {
  readonly look?: LastingLook;
  /** Loads what looks at servers. */
  readonly tools?: () => Promise<ToolsProgram>;
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
  { look, program = thisProgram(), tools = looking }: GateChangeParts,
): Promise<number> {
  const { environment, out, err } = terminal;
  const upstream = upstreamOf(entry, (words) => startsOwn(words, environment, program));
  const overrides = overridesIn(entry, { home: configPlace(terminal).home.path, environment });
  if (upstream === null) {
    if (overrides.length > 0) throw ledAway(entry, overrides);
    out.write(`${shownText(entry.name)} is behind the gate already:\n  ${whereOf(entry)}\n`);
    return exits.done;
  }
  const { name, taken } = freeNameFor(entry, upstream, aroundOf(terminal));
  const home = ownHome(terminal);
  const isShared = entry.scope === "project";
  const own = ownWords(environment, program, isShared);
  const change = installed(entry, { name, upstream, own, home });
  const judged = await judgeChange(change, what, terminal, look);
  if (judged.kind === "refused") return judged.exit;
  const { seen } = judged;
  // Where the home that is used is not the usual one, it is written over what stands there.
  const stillSet = overrides.filter((name) => name !== "WISP_HOME" || home === null);
  for (const text of [
    ...(taken === null ? [] : [takenText(taken, name)]),
    ...(isShared ? [sharedText(own)] : []),
    ...(upstream.kind === "address" ? [signsInText] : []),
    ...(stillSet.length > 0 ? [ledAwayText(stillSet)] : []),
  ])
    err.write(`${text}\n`);
  const triage = await triaged({ entry, upstream, name }, terminal, await tools());
  if (triage.kind === "stopped") return triage.exit;
  const ticked = triage.kind === "ticked" ? triage : null;
  const rules = ticked === null ? [] : rulesFor({ name, ticked });
  const written = await writeChange(change, { gate: name, seen, rules }, terminal);
  if (typeof written === "number") return written;
  const backup = written.backup === null ? [] : ["what the file was:", `  ${shownText(written.backup)}`];
  // What is copied stands alone, and whole.
  const closing = [
    `${shownText(entry.name)} is behind the gate once its client starts it again:`,
    `  ${whereOf(entry)}`,
    "rules call its tools:",
    `  mcp__${name}__TOOL`,
    ...backup,
    "to undo it:",
    `  ${wispLine(environment, undoWords(entry))}`,
  ];
  out.write(closing.map((line) => `${line}\n`).join(""));
  if (home !== null && withOwnHome(entry, home, "args") === null) err.write(`${noHome}\n`);
  if (ticked === null) return exits.done;
  await letPass({ name, ticked, seen }, terminal);
  out.write(`in force: ${rules.length === 1 ? "1 rule" : `${rules.length} rules`} in policy.json\n`);
  return exits.done;
}

/** Null for the one that is used where nothing is said. */
function ownHome(terminal: Terminal): string | null {
  const { home } = configPlace(terminal);
  return home.isDefault ? null : home.path;
}

function takenText(taken: NonNullable<FreeName["taken"]>, name: string): string {
  const { entry, path } = taken;
  return `A gate ${taken.name} stands before another server, ${shownText(entry)} in ${shownText(path)}: this one is called ${name}, and rules for ${taken.name} do not count for it.`;
}

function sharedText(own: readonly string[]): string {
  const needs =
    own.length === 1
      ? "everybody who has it needs wisp on the PATH of their client, and so do you"
      : "its line will name a path of this machine, where wisp is not on PATH, and start nothing elsewhere";
  return `This file belongs to the project: ${needs}.`;
}

const signsInText =
  "Where its client signs in there by itself (OAuth), the server answers 401 behind the gate: take the gate away then.";
const noHome =
  "The gate asks in ~/.wisp where its client does not set WISP_HOME: add it to the env of the entry.";

function undoWords({ name, word, scope }: FoundEntry): readonly string[] {
  return ["gate", "uninstall", name, "--client", word, "--scope", scope];
}

async function uninstall(
  entry: FoundEntry,
  what: GateChange,
  terminal: Terminal,
  { look }: GateChangeParts,
): Promise<number> {
  const { out, err } = terminal;
  const { home, keys } = configPlace(terminal);
  const undoing = uninstalled(entry, home.path, keys);
  if (undoing === null) {
    complain(terminal, {
      what: `${shownText(entry.name)} is behind no gate:`,
      why: whereOf(entry),
      fix: null,
    });
    return exits.unknown;
  }
  const { change, how, backup, isSpoilt } = undoing;
  const judged = await judgeChange(change, what, terminal, look);
  if (judged.kind === "refused") return judged.exit;
  const said = isSpoilt && how === "entry" ? "Only this entry is undone." : saysHow[how];
  err.write(`${isSpoilt ? spoilt : ""}${said}\n`);
  const written = await writeChange(change, { gate: null, seen: judged.seen, rules: [] }, terminal);
  if (typeof written === "number") return written;
  out.write(`${shownText(entry.name)} is behind no gate any more:\n  ${whereOf(entry)}\n`);
  if (backup === null) return exits.done;
  if (how === "whole") written.drop(backup);
  else out.write(`what the file was before the gate:\n  ${shownText(originalPath(home.path, backup.id))}\n`);
  return exits.done;
}

const spoilt = "A backup of it is not as it was kept: it counts for nothing. ";
const saysHow = {
  whole: "The file still is what was written with the gate: it becomes what it was before, to the last byte.",
  entry: "The file was changed since the gate was put there: only this entry is undone.",
  words: "No backup fits what stands there: only this entry is undone, by what the words of the gate say.",
} as const;

function looking(): Promise<ToolsProgram> {
  return import("../../server/gate/look/main.js");
}

function thisProgram(): OwnProgram {
  return { execPath: process.execPath, script: process.argv[1] ?? "wisp" };
}
