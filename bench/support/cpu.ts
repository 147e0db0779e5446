/** CPU time of a running process, all its threads, from the scheduler's own count (Linux). */
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds since the process started. */
export function cpuMsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const ns = readdirSync(tasks).reduce((sum, task) => {
    const [onCpu = "0"] = readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ");
    return sum + Number(onCpu);
  }, 0);
  return ns / 1e6;
}
