/** What `node` itself holds in memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { benchProgram } from "./places.js";
import { residentKiBOf } from "./stdio-client.js";

/** Starts it in `directory`, looks, and ends it. */
export async function bareNode(directory: string): Promise<{ readonly residentKiB: number }> {
  const child = spawn(process.execPath, [benchProgram("workers/bare-node")], {
    cwd: directory,
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const residentKiB = residentKiBOf(child.pid ?? 0);
  child.stdin.end();
  await once(child, "close");
  return { residentKiB };
}
