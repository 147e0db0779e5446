/**
 * Which process is which. A pid alone is re-used; pid, start time and boot together are not. On Linux read from
 * /proc, elsewhere from `ps` and `sysctl`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { errnoOf } from "../request/errors.js";
import type { Liveness, ProcessIdentity, SoughtProcess } from "../request/process.js";

/** This process. Reads /proc or runs `ps` once; the result never changes, so callers keep it. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAt: startedAtOf(process.pid) ?? "",
    boot: isLinux ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() : bootSeconds(),
    namespace: isLinux ? String(statSync("/proc/self/ns/pid", { bigint: true }).ino) : "",
  };
}

/** When process `pid` started, as opaque text; null when there is none, or only its zombie. */
export function startedAtOf(pid: number): string | null {
  return isLinux ? startedAtFromProc(pid) : startedAtFromPs(pid);
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

function startedAtFromPs(pid: number): string | null {
  return parsePsLine(run("ps", ["-o", "stat=,lstart=", "-p", String(pid)]));
}

/** The start time in one line of `ps -o stat=,lstart=`; null for a zombie, and for no line. */
export function parsePsLine(line: string | null): string | null {
  const [, state = "", started = ""] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(line ?? "") ?? [];
  return state === "" || state.startsWith("Z") ? null : started;
}

function bootSeconds(): string {
  return parseBootTime(run("sysctl", ["-n", "kern.boottime"]));
}

/** The seconds in what `sysctl -n kern.boottime` prints; "" where it prints something else. */
export function parseBootTime(text: string | null): string {
  return /sec = (\d+)/.exec(text ?? "")?.[1] ?? "";
}

/** Output of a system tool in a fixed language and zone, so that the text is comparable; null when it fails. */
function run(file: string, args: readonly string[]): string | null {
  try {
    return execFileSync(file, args, {
      encoding: "utf8",
      env: { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // `ps -p` exits 1 for a pid that does not exist: the caller reads null as gone.
    return null;
  }
}
