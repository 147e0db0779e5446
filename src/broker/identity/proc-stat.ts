/** A line of /proc/PID/stat as data: proc(5) numbers its fields from 1. */
import type { ProcessFacts } from "./source.js";
import { terminalName } from "./terminal-device.js";

/**
 * The process in a line of /proc/PID/stat; null for a line that is not whole, "thread" for one of a thread that is not
 * its process's first: /proc shows that under a number of its own, too, and it is nobody's parent. The name in field 2
 * may hold blanks, newlines and parentheses, so what follows is counted from the last of them.
 */
export function parseStat(stat: string): ProcessFacts | "thread" | null {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ");
  const [state, parent, , session, terminal] = fields;
  const startedAt = fields[19];
  const exitSignal = fields[35];
  const pid = Number.parseInt(stat, 10);
  if (open === -1 || close < open || startedAt === undefined || exitSignal === undefined) return null;
  // Of the end of a process its parent is told; of a thread's end nobody is, and that is how the kernel tells them apart.
  if (Number(exitSignal) < 0) return "thread";
  return {
    pid,
    parent: Number(parent),
    startedAt,
    name: stat.slice(open + 1, close),
    isSessionLeader: Number(session) === pid,
    session: Number(session),
    isZombie: state === "Z" || state === "X",
    terminal: terminalName(Number(terminal)),
  };
}
