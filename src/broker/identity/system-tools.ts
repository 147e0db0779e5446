/** What is asked of system tools where there is no /proc: of processes, and when the machine started. */
import { execFileSync } from "node:child_process";
import { parsePsTable, psColumns } from "./ps-table.js";
import type { ProcessFacts, ProcessLook, ProcessSource } from "./source.js";

/** `ps` for processes, `sysctl` for the boot. Each question runs a program once, and so does each look. */
export const systemTools: ProcessSource = {
  startedAt: startedAtByTool,
  boot: bootByTool,
  namespace: () => "",
  look: () => lookByTool(() => run("ps", ["-A", "-o", psColumns])),
};

function startedAtByTool(pid: number): string | null {
  return parsePsLine(run("ps", ["-o", "stat=,lstart=", "-p", String(pid)]));
}

/** The start time in one line of `ps -o stat=,lstart=`; null for a zombie, and for no line. */
export function parsePsLine(line: string | null): string | null {
  const [, state = "", started = ""] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(line ?? "") ?? [];
  return state === "" || state.startsWith("Z") ? null : started;
}

function bootByTool(): string {
  return parseBootTime(run("sysctl", ["-n", "kern.boottime"]));
}

/** The seconds in what `sysctl -n kern.boottime` prints; "" where it prints something else. */
export function parseBootTime(text: string | null): string {
  return /sec = (\d+)/.exec(text ?? "")?.[1] ?? "";
}

/**
 * A look at the table that `print` gives, asked for once and when it is needed: all answers are of one moment. A table
 * does not tell what a process reads from, nor which files it holds open. Throws when there is no table.
 */
export function lookByTool(print: () => string | null): ProcessLook {
  let table: ReadonlyMap<number, ProcessFacts> | null = null;
  const processes = (): ReadonlyMap<number, ProcessFacts> => {
    if (table !== null) return table;
    const text = print();
    if (text === null) throw new Error("ps does not tell which processes there are.");
    table = new Map(parsePsTable(text).map((one) => [one.pid, one]));
    return table;
  };
  return {
    read: (pid) => processes().get(pid) ?? null,
    input: ({ terminal }) => ({ kind: terminal === null ? "other" : "untold" }),
    isWithinOther: () => false,
    all: () => [...processes().values()],
    masters: () => null,
  };
}

/** Output of a system tool in a fixed language and zone, so that the text is comparable; null when it fails. */
function run(file: string, args: readonly string[]): string | null {
  try {
    return execFileSync(file, args, {
      encoding: "utf8",
      env: { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: mostOutput,
    });
  } catch {
    // `ps -p` exits 1 for a pid that does not exist: the caller reads null as gone.
    return null;
  }
}

/** Bytes: room for a line about each process of a machine that runs very many. */
const mostOutput = 16 * 1024 * 1024;
