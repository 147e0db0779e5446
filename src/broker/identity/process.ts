/**
 * Which process is which. A pid alone is re-used; pid, start time and boot together are not. On Linux read from
 * /proc, elsewhere from `ps` and `sysctl`.
 */
import type { Liveness, ProcessIdentity, SoughtProcess } from "../request/process.js";
import { proc } from "./proc.js";
import type { ProcessSource } from "./source.js";
import { systemTools } from "./system-tools.js";

const systemSource: ProcessSource = process.platform === "linux" ? proc : systemTools;

/** This process. Reads /proc or runs `ps` once; the result never changes, so callers keep it. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAt: startedAtOf(process.pid) ?? "",
    boot: systemSource.boot(),
    namespace: systemSource.namespace(),
  };
}

/** When process `pid` started, as opaque text; null when there is none, or only its zombie. */
export function startedAtOf(pid: number): string | null {
  return systemSource.startedAt(pid);
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
