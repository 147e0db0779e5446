/** What processes were started with, as the system tells it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemStarts } from "../../../src/broker/identity/started-with.js";

/** A process that is gone: its number is that of nobody for as long as the test runs. */
const nobody = 2 ** 22 + 1;

async function started(environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume(); console.log(1)", "a word"], {
    env: environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child.pid ?? nobody;
}

describe.runIf(systemStarts.isTold)("a process", () => {
  it("shows its words, one by one, and what its environment said of a name", async () => {
    const pid = await started({ WISP_HOME: "/a=b", EMPTY: "" });
    expect(systemStarts.words(pid).at(-1)).toBe("a word");
    expect(systemStarts.variable(pid, "WISP_HOME")).toBe("/a=b");
    expect([systemStarts.variable(pid, "EMPTY"), systemStarts.variable(pid, "WISP")]).toEqual(["", ""]);
  });

  it("that is gone shows nothing, which is not that it said nothing", () => {
    expect(systemStarts.words(nobody)).toEqual([]);
    expect(systemStarts.variable(nobody, "WISP_HOME")).toBeNull();
  });
});
