/** What Linux tells under /proc. */
import { readFileSync, statSync } from "node:fs";
import { errnoOf } from "../request/errors.js";
import { parseStat } from "./proc-stat.js";
import type { ProcessSource } from "./source.js";

/** Where Linux says when processes and the machine started, and which pid namespace this is. */
export const proc: ProcessSource = {
  startedAt: startedAtFromProc,
  boot: () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
  namespace: () => String(statSync("/proc/self/ns/pid", { bigint: true }).ino),
};

function startedAtFromProc(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ESRCH") return null;
    throw error;
  }
  const facts = parseStat(stat);
  // A zombie is gone but for its number.
  return facts === null || facts.isZombie ? null : facts.startedAt;
}
