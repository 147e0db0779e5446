/** The table of processes that `ps` prints, as data. */
import type { ProcessFacts } from "./source.js";

/**
 * What `ps -A -o` is asked for. Never the whole command line, which may hold secrets. The name comes last: on some
 * systems it is a path, and it may hold blanks.
 */
export const psColumns = "pid=,ppid=,tty=,stat=,lstart=,comm=";

/** One process a line; lines that are none are left out. `startedAt` reads as `ps -o lstart=` prints it. */
export function parsePsTable(text: string): readonly ProcessFacts[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, terminal = "", state = "", startedAt = "", name = ""] = row.exec(line) ?? [];
    if (pid === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      startedAt,
      name: nameOf(name.trimEnd()),
      isSessionLeader: state.includes("s"),
      isZombie: state.startsWith("Z"),
      terminal: /^[?-]+$/.test(terminal) ? null : `/dev/${terminal}`,
    };
  });
}

/** Of a path its end: what stands before it can name somebody's home. */
function nameOf(name: string): string {
  return name.startsWith("/") ? name.slice(name.lastIndexOf("/") + 1) : name;
}

/** The start is five words: `Mon Jan  5 08:00:01 2026`. */
const row = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;
