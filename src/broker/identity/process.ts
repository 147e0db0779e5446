/**
 * Which process is which. A pid alone is re-used; pid, start time and boot together are not. On Linux read from
 * /proc, elsewhere from `ps` and `sysctl`.
 */
import { readFileSync, statSync } from "node:fs";
import { errnoOf } from "../request/errors.js";
import type { Liveness, ProcessIdentity, SoughtProcess } from "../request/process.js";
import { bootByTool, startedAtByTool } from "./system-tools.js";

/** This process. Reads /proc or runs `ps` once; the result never changes, so callers keep it. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAt: startedAtOf(process.pid) ?? "",
    boot: isLinux ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() : bootByTool(),
    namespace: isLinux ? String(statSync("/proc/self/ns/pid", { bigint: true }).ino) : "",
  };
}

/** When process `pid` started, as opaque text; null when there is none, or only its zombie. */
export function startedAtOf(pid: number): string | null {
  return isLinux ? startedAtFromProc(pid) : startedAtByTool(pid);
}

/** The parent of this process, or null when it is gone or cannot be read. */
export function ownParent(): { readonly pid: number; readonly startedAt: string } | null {
  const startedAt = startedAtOf(process.ppid);
  return startedAt === null ? null : { pid: process.ppid, startedAt };
}

/**
 * Does `one` live, as seen from `own`? Only pids of the same boot and namespace can be looked up. Where the
 * namespace is not known, a process here with that number and start time is it; none here says nothing.
 */
export function livenessOf(one: SoughtProcess, own: ProcessIdentity): Liveness {
  if (one.boot !== own.boot) return "unknown";
  if (one.namespace !== null && one.namespace !== own.namespace) return "unknown";
  if (startedAtOf(one.pid) === one.startedAt) return "alive";
  return one.namespace === null ? "unknown" : "gone";
}

const isLinux = process.platform === "linux";

/** Field 22 of /proc/PID/stat. The name in field 2 may hold blanks and parentheses, so count from its end. */
function startedAtFromProc(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ESRCH") return null;
    throw error;
  }
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isGone = fields[0] === "Z" || fields[0] === "X";
  return isGone ? null : (fields[19] ?? null);
}
