/** What is asked of system tools where there is no /proc: when a process and the machine started. */
import { execFileSync } from "node:child_process";
import type { ProcessSource } from "./source.js";

/** `ps` for processes, `sysctl` for the boot. Each question runs a program once. */
export const systemTools: ProcessSource = {
  startedAt: startedAtByTool,
  boot: bootByTool,
  namespace: () => "",
};

function startedAtByTool(pid: number): string | null {
  return parsePsLine(runTool("ps", ["-o", "stat=,lstart=", "-p", String(pid)]));
}

/** The start time in one line of `ps -o stat=,lstart=`; null for a zombie, and for no line. */
export function parsePsLine(line: string | null): string | null {
  const [, state = "", started = ""] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(line ?? "") ?? [];
  return state === "" || state.startsWith("Z") ? null : started;
}

function bootByTool(): string {
  return parseBootTime(runTool("sysctl", ["-n", "kern.boottime"]));
}

/** The seconds in what `sysctl -n kern.boottime` prints; "" where it prints something else. */
export function parseBootTime(text: string | null): string {
  return /sec = (\d+)/.exec(text ?? "")?.[1] ?? "";
}

/** Output of a system tool in a fixed language and zone, so that the text is comparable; null when it fails. */
export function runTool(file: string, args: readonly string[]): string | null {
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
