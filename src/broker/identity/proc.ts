/** What Linux tells under /proc. */
import { readFileSync, statSync } from "node:fs";
import { errnoOf } from "../request/errors.js";
import type { ProcessSource } from "./source.js";

/** Where Linux says when processes and the machine started, and which pid namespace this is. */
export const proc: ProcessSource = {
  startedAt: startedAtFromProc,
  boot: () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
  namespace: () => String(statSync("/proc/self/ns/pid", { bigint: true }).ino),
};

/** Field 22 of /proc/PID/stat. The name in field 2 may hold blanks and parentheses, so count from its end. */
function startedAtFromProc(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ESRCH") return null;
    throw error;
  }
  return parseStat(stat);
}

/** The start time in a line of /proc/PID/stat; null for a zombie, which is gone but for its number. */
export function parseStat(stat: string): string | null {
  const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "Z" || state === "X" ? null : (rest[18] ?? null);
}
