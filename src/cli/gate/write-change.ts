/**
 * Writes what was shown. Invariants: a person saw it and said yes; what the file was is kept before it is replaced; a file that
 * says something else by then stays as it is.
 */
import {
  type AuditLog,
  asciiJson,
  type Backup,
  dropBackup,
  keepBackup,
  replaceOthersFile,
  sha256Hex,
  shownText,
  type Testimony,
} from "../../broker/index.js";
import { auditIn } from "../../face/kept-log.js";
import { looserMark } from "../accept/show.js";
import { configPlace } from "../config/place.js";
import { exits } from "../exits.js";
import { type JudgedLasting, judgeLasting, type LastingLook } from "../lasting.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import type { Change } from "./change.js";
import type { GateChange } from "./only-entry.js";
import { changeText } from "./show-change.js";

/** What a person has to say yes to, and what is kept and recorded of it. */
export interface Writing {
  /** What the gate is called; null where it is taken away, and what the file was is not kept. */
  readonly gate: string | null;
  readonly seen: Testimony["seen"];
  /** The rules that are written with it: then a whole word is typed, as for `wisp accept`. */
  readonly rules: readonly string[];
}

/** What was written. */
export interface Written {
  /** Where what the file was is kept; null where it is not. */
  readonly backup: string | null;
  /** Removes a backup that nobody needs any more. */
  readonly drop: (backup: Backup) => void;
}

/** May this process change it? Else tells why not, with the exit code: 4 without a terminal, after the change was printed, 10 within an agent. */
export async function judgeChange(
  change: Change,
  what: GateChange,
  terminal: Terminal,
  look: LastingLook | undefined,
): Promise<JudgedLasting> {
  const { out, err } = terminal;
  // Off a terminal it is for whoever wants to read it: nobody is asked.
  if (!terminal.canAnswer || !err.isTerminal) out.write(await changeText(change, out));
  return await judgeLasting(terminal, { refusal: "Nothing was changed", words: wordsOf(what) }, look);
}

/** Shows it, asks and writes; or the exit code: 7 not confirmed, 6 where the file was changed meanwhile. */
export async function writeChange(
  change: Change,
  { gate, seen, rules }: Writing,
  terminal: Terminal,
): Promise<Written | number> {
  const { err } = terminal;
  err.write(await changeText(change, err));
  const stopped = await notConfirmed(rules, terminal);
  if (stopped !== null) return stopped;
  const { place, keys } = configPlace(terminal);
  const { entry, text, changes } = change;
  const { file } = entry;
  const backup =
    gate === null
      ? null
      : await keepBackup(
          place,
          keys,
          { path: file.path, place: entry.place, changes },
          { before: file.text, after: text },
        );
  const drop = (one: Pick<Backup, "id">): void => dropBackup(place.path, one);
  let isWritten = false;
  try {
    await writeDown(change, gate, seen, auditIn(place, terminal.via, keys));
    isWritten = await replaceOthersFile(file, text, terminal.clock);
  } finally {
    if (!isWritten && backup !== null) drop(backup);
  }
  if (!isWritten) {
    complain(terminal, {
      what: "Nothing was changed: the file was changed while you were reading.",
      why: "Only what was shown is written.",
      fix: "Run it again.",
    });
    return exits.altered;
  }
  return { backup: backup?.original ?? null, drop };
}

/** Written down before it is done: what nobody can look up later is not done. */
async function writeDown(
  { entry: { file, place }, text }: Change,
  gate: string | null,
  seen: Testimony["seen"],
  audit: AuditLog,
): Promise<void> {
  const details = {
    how: gate === null ? ("uninstall" as const) : ("install" as const),
    file: shownText(file.path),
    entry: shownText(asciiJson(place)),
    gate,
    before: sha256Hex(file.text),
    after: sha256Hex(text),
  };
  await audit.append([{ kind: "gate.changed", call: null, verified: seen, details }], "durable");
}

function wordsOf({ verb, name, client, scope }: GateChange): readonly string[] {
  return [
    "gate",
    verb,
    name,
    ...(client === null ? [] : ["--client", client]),
    ...(scope === null ? [] : ["--scope", scope]),
  ];
}

async function notConfirmed(rules: readonly string[], terminal: Terminal): Promise<number | null> {
  const interrupted = terminal.interruption();
  const isLooser = rules.length > 0;
  // What lets more through takes a whole word, which nobody types by the way.
  const word = isLooser ? "accept" : "y";
  if (isLooser) terminal.err.write(rulesText(rules));
  const question = `Type ${isLooser ? `"${word}"` : word} and Enter to write ${isLooser ? "both" : "it"}; anything else changes nothing: `;
  const line = await terminal.readLine(question, interrupted);
  if (interrupted.aborted) return exits.interrupted;
  if (line?.trim().toLowerCase() === word) return null;
  complain(terminal, { what: "Nothing was changed: it was not confirmed.", why: null, fix: null });
  return exits.notApproved;
}

/** In words that nobody takes for a part of the client's file. */
function rulesText(rules: readonly string[]): string {
  const count = rules.length === 1 ? "1 rule" : `${rules.length} rules`;
  const lines = rules.map((rule) => `  + ${looserMark}allow ${shownText(rule)}\n`);
  return `policy.json: ${count}, for as long as the server says the same of its tools:\n${lines.join("")}`;
}
