/**
 * Writes what was shown. Invariants: a person saw it and said yes; what the file was is kept before it is replaced; a file that
 * says something else by then stays as it is.
 */
import { type Backup, dropBackup, keepBackup, replaceOthersFile } from "../../broker/index.js";
import { configPlace } from "../config/place.js";
import { exits } from "../exits.js";
import { type LastingLook, refusedLasting } from "../lasting.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import type { Change } from "./change.js";
import type { GateChange } from "./only-entry.js";
import { changeText } from "./show-change.js";

/** What was typed, and whether what the file was is to be kept. */
export interface Writing {
  readonly what: GateChange;
  readonly isKept: boolean;
}

/** What was written. */
export interface Written {
  /** Where what the file was is kept; null where it is not. */
  readonly backup: string | null;
  /** Removes a backup that nobody needs any more. */
  readonly drop: (backup: Backup) => void;
}

/**
 * Shows it, asks and writes; or the exit code: 4 without a terminal, after the change was printed, 10 within an agent, 7 not
 * confirmed, 6 where the file was changed meanwhile.
 */
export async function writeChange(
  change: Change,
  { what, isKept }: Writing,
  terminal: Terminal,
  look: LastingLook | undefined,
): Promise<Written | number> {
  const { out, err } = terminal;
  // Off a terminal it is for whoever wants to read it: nobody is asked.
  if (!terminal.canAnswer || !err.isTerminal) out.write(changeText(change));
  const refused = await refusedLasting(
    terminal,
    { refusal: "Nothing was changed", words: wordsOf(what) },
    look,
  );
  if (refused !== null) return refused;
  err.write(changeText(change));
  const stopped = await notConfirmed(terminal);
  if (stopped !== null) return stopped;
  const { place } = configPlace(terminal);
  const { entry, text, changes } = change;
  const { file } = entry;
  const backup = isKept
    ? await keepBackup(place, { path: file.path, place: entry.place, changes }, file.text, text)
    : null;
  const drop = (one: Pick<Backup, "id">): void => dropBackup(place.path, one);
  if (!(await replaceOthersFile(file, text, terminal.clock))) {
    if (backup !== null) drop(backup);
    complain(terminal, {
      what: "Nothing was changed: the file was changed while you were reading.",
      why: "Only what was shown is written.",
      fix: "Run it again.",
    });
    return exits.altered;
  }
  return { backup: backup?.original ?? null, drop };
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

async function notConfirmed(terminal: Terminal): Promise<number | null> {
  const interrupted = terminal.interruption();
  const question = "Type y and Enter to write it; anything else changes nothing: ";
  const line = await terminal.readLine(question, interrupted);
  if (interrupted.aborted) return exits.interrupted;
  if (line?.trim().toLowerCase() === "y") return null;
  complain(terminal, { what: "Nothing was changed: it was not confirmed.", why: null, fix: null });
  return exits.notApproved;
}
