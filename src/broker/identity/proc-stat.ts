/** A line of /proc/PID/stat as data: proc(5) numbers its fields from 1. */
import type { ProcessFacts } from "./source.js";
import { terminalName } from "./terminal-device.js";

/**
 * The process in a line of /proc/PID/stat; null for a line that is not whole. The name in field 2 may hold blanks,
 * newlines and parentheses, so what follows is counted from the last of them.
 */
export function parseStat(stat: string): ProcessFacts | null {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ");
  const [state, parent, , session, terminal] = fields;
  const startedAt = fields[19];
  const pid = Number.parseInt(stat, 10);
  if (open === -1 || close < open || startedAt === undefined) return null;
  return {
    pid,
    parent: Number(parent),
    startedAt,
    name: stat.slice(open + 1, close),
    isSessionLeader: Number(session) === pid,
    isZombie: state === "Z" || state === "X",
    terminal: terminalName(Number(terminal)),
  };
}
