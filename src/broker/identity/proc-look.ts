/** A look at processes under /proc. Each question reads anew; what vanishes between two of them is not there. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { errnoOf } from "../request/errors.js";
import { parseStat } from "./proc-stat.js";
import type { Master, ProcessFacts, ProcessLook, StandardInput } from "./source.js";
import { controllingTerminal, pseudoTerminalName, terminalName } from "./terminal-device.js";

/** Linux gives out numbers up to 32,768 unless it is told otherwise; more processes are not looked through. */
const mostProcesses = 32_768;
/** Open files that are looked through in all: more than a tree of clients has. */
const mostFiles = 16_384;

/** Opens a look; nothing is read before it is asked for. */
export function lookAtProc(): ProcessLook {
  let files = 0;
  const all = (): readonly ProcessFacts[] =>
    numbersIn("/proc")
      .slice(0, mostProcesses)
      .flatMap((pid) => readStat(pid) ?? []);
  return {
    read: (pid) => readStat(pid) ?? (isSomebodyElses(pid) ? "hidden" : null),
    input: inputOf,
    isWithinOther: (pid, startedAt) =>
      all().some((one) => one.startedAt === startedAt && innermostNumber(one.pid) === pid),
    all,
    masters(pid) {
      const open = unless(unseen, () => unless(gone, () => numbersIn(`/proc/${pid}/fd`)) ?? []);
      files += open?.length ?? 0;
      if (open === null || files > mostFiles) return null;
      return open.flatMap((number) => masterAt(pid, number) ?? []);
    },
  };
}

function readStat(pid: number): ProcessFacts | null {
  const stat = unless([...gone, ...unseen], () => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === null) return null;
  const facts = parseStat(stat);
  if (facts === null) throw new Error(`/proc/${pid}/stat is not whole.`);
  return facts;
}

/** Asks with signal 0, which is never sent: /proc may be set to show nothing of others' processes. */
function isSomebodyElses(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}

/** The number that a process goes by in its own pid namespace. */
function innermostNumber(pid: number): number | null {
  const status = readIfThere(() => readFileSync(`/proc/${pid}/status`, "utf8"));
  const [, numbers] = /^NSpid:\s*(.*)$/m.exec(status ?? "") ?? [];
  return numbers === undefined ? null : Number(numbers.split(/\s+/).at(-1));
}

function inputOf(one: ProcessFacts): StandardInput {
  const file = `/proc/${one.pid}/fd/0`;
  try {
    const stats = unless(gone, () => statSync(file));
    if (stats === null || one.terminal === null || !stats.isCharacterDevice()) return { kind: "other" };
    const name = terminalName(stats.rdev);
    if (name === controllingTerminal) return { kind: "controlling", place: null };
    return name === one.terminal ? { kind: "controlling", place: stats.dev } : { kind: "other" };
  } catch (error) {
    if (isOneOf(unseen, error)) return { kind: "unseen" };
    throw error;
  }
}

/** The master that is open under a number of process `pid`; null for every other file. */
function masterAt(pid: number, number: number): Master | null {
  const path = readIfThere(() => readlinkSync(`/proc/${pid}/fd/${number}`));
  // Seen from another root the link names no more than the end of its path.
  if (path === null || !/(^|\/)ptmx$/.test(path)) return null;
  const information = readIfThere(() => readFileSync(`/proc/${pid}/fdinfo/${number}`, "utf8"));
  const [, index] = /^tty-index:\s*(\d+)$/m.exec(information ?? "") ?? [];
  if (index === undefined) return null;
  // Opened among the terminals, it tells which file system of terminals it is of; opened as /dev/ptmx, it does not.
  const stats = path.endsWith("/pts/ptmx") ? readIfThere(() => statSync(`/proc/${pid}/fd/${number}`)) : null;
  return { terminal: pseudoTerminalName(Number(index)), place: stats?.dev ?? null };
}

function numbersIn(directory: string): readonly number[] {
  return readdirSync(directory)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

const gone = ["ENOENT", "ESRCH"];
const unseen = ["EACCES", "EPERM"];

function readIfThere<Read>(read: () => Read): Read | null {
  return unless([...gone, ...unseen], read);
}

/** What `read` returns; null where it fails with one of `errnos`. */
function unless<Read>(errnos: readonly string[], read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    if (isOneOf(errnos, error)) return null;
    throw error;
  }
}

function isOneOf(errnos: readonly string[], error: unknown): boolean {
  return errnos.includes(errnoOf(error) ?? "");
}
