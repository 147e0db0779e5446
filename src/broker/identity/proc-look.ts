/** A look at processes under /proc. Each question reads anew; what vanishes between two of them is not there. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { errnoOf } from "../request/errors.js";
import { parseStat } from "./proc-stat.js";
import type { Master, ProcessFacts, ProcessLook, StandardInput } from "./source.js";
import {
  controllingTerminal,
  isPseudoTerminal,
  pseudoTerminalName,
  terminalName,
} from "./terminal-device.js";

/** How much one look reads at most: whoever hides among more is not passed, but nothing is enough. */
export interface LookLimits {
  readonly processes: number;
  /** Open files in all. */
  readonly files: number;
  /** Those of them that have a path: only such can be a master, and they take four times as long. */
  readonly paths: number;
}

/**
 * Linux gives out numbers up to 32,768 unless it is told otherwise. A tree of clients has some thousand open files, most
 * of them sockets and pipes; these bounds are read within half a second.
 */
const standardLimits: LookLimits = { processes: 32_768, files: 32_768, paths: 8_192 };

/** Opens a look; nothing is read before it is asked for. */
export function lookAtProc(limits: LookLimits = standardLimits): ProcessLook {
  let files = 0;
  let paths = 0;
  const all = (): readonly ProcessFacts[] => {
    const pids = numbersIn("/proc");
    if (pids.length > limits.processes) throw new Error(`More than ${limits.processes} processes run here.`);
    return pids.map(readStat).filter((one) => one !== null);
  };
  return {
    read: (pid) => readStat(pid) ?? (isSomebodyElses(pid) ? "hidden" : null),
    input: inputOf,
    isWithinOther: (pid, startedAt) =>
      all().some((one) => one.startedAt === startedAt && innermostNumber(one.pid) === pid),
    all,
    masters(pid) {
      const open = unless(unseen, () => unless(gone, () => numbersIn(`/proc/${pid}/fd`)) ?? []);
      if (open === null) return null;
      files += open.length;
      if (files > limits.files) return "spent";
      const named = open.flatMap((number) => pathOf(pid, number) ?? []);
      paths += named.length;
      if (paths > limits.paths) return "spent";
      return named.flatMap((file) => masterAt(pid, file) ?? []);
    },
  };
}

function readStat(pid: number): ProcessFacts | null {
  const stat = unless([...gone, ...unseen], () => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === null) return null;
  const facts = parseStat(stat);
  if (facts === null) throw new Error(`/proc/${pid}/stat is not whole.`);
  return facts === "thread" ? null : facts;
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
  const numbers = /^NSpid:\s*(.*)$/m.exec(String(status))?.[1];
  return numbers === undefined ? null : Number(numbers.split(/\s+/).at(-1));
}

function inputOf(one: ProcessFacts): StandardInput {
  const file = `/proc/${one.pid}/fd/0`;
  try {
    const stats = unless(gone, () => statSync(file));
    if (stats === null || one.terminal === null || !stats.isCharacterDevice()) return { kind: "other" };
    const name = terminalName(stats.rdev);
    if (name === controllingTerminal) return { kind: "controlling", place: null };
    if (name !== one.terminal || isAnotherHere(name, stats.dev)) return { kind: "other" };
    return { kind: "controlling", place: stats.dev };
  } catch (error) {
    if (isOneOf(unseen, error)) return { kind: "unseen" };
    throw error;
  }
}

/**
 * Is there another pseudo-terminal of this name where this process looks for them? The system tells of the controlling
 * terminal its number alone, and whoever makes a file system of terminals can have every number.
 */
function isAnotherHere(name: string, place: number): boolean {
  if (!isPseudoTerminal(name)) return false;
  const here = readIfThere(() => statSync(name));
  return here !== null && terminalName(here.rdev) === name && here.dev !== place;
}

interface NamedFile {
  readonly number: number;
  readonly path: string;
}

/** The open file of process `pid` under `number`; null where it is gone, or one without a path. */
function pathOf(pid: number, number: number): NamedFile | null {
  const path = readIfThere(() => readlinkSync(`/proc/${pid}/fd/${number}`));
  return path === null || /^(socket|pipe|anon_inode):/.test(path) ? null : { number, path };
}

/** The master that `file` of process `pid` is; null for every other file. A path can be made to say anything. */
function masterAt(pid: number, { number, path }: NamedFile): Master | null {
  const information = readIfThere(() => readFileSync(`/proc/${pid}/fdinfo/${number}`, "utf8"));
  const index = /^tty-index:\s*(\d+)$/m.exec(String(information))?.[1];
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
  return errnos.some((errno) => errno === errnoOf(error));
}
