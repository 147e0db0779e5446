import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { livenessOf, ownIdentity, ownParent, startedAtOf } from "../../../src/broker/identity/process.js";

test("this process lives, and its identity does not change", () => {
  const own = ownIdentity();
  expect(own).toEqual(ownIdentity());
  expect(own.pid).toBe(process.pid);
  expect(own.startedAt).not.toBe("");
  expect(own.boot).not.toBe("");
  expect(livenessOf(own, own)).toBe("alive");
});

test("a recycled pid is another process: the start time differs", () => {
  const own = ownIdentity();
  expect(livenessOf({ ...own, startedAt: "1" }, own)).toBe("gone");
});

test("a process of another boot or pid namespace cannot be looked up here", () => {
  const own = ownIdentity();
  expect(livenessOf({ ...own, boot: "another" }, own)).toBe("unknown");
  expect(livenessOf({ ...own, namespace: "another" }, own)).toBe("unknown");
});

test("a process that ended is gone, also while it is a zombie that nobody has reaped", async () => {
  // The shell starts a child that ends, tells its pid and never waits for it.
  const shell = spawn("sh", ["-c", "true & echo $!; exec sleep 600"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [chunk] = (await once(shell.stdout, "data")) as [Buffer];
    const pid = Number(chunk.toString().trim());
    await untilGone(pid);
    expect(startedAtOf(pid)).toBeNull();
    expect(startedAtOf(shell.pid ?? 0)).not.toBeNull();
  } finally {
    shell.kill("SIGKILL");
  }
});

test("pid 1 belongs to somebody else and lives all the same", () => {
  expect(startedAtOf(1)).not.toBeNull();
});

test("a pid that cannot exist is gone", () => {
  expect(startedAtOf(2 ** 22 + 1)).toBeNull();
});

test.runIf(process.platform === "linux")("the number of a thread is no process's", () => {
  const [thread] = readdirSync(`/proc/${process.pid}/task`)
    .map(Number)
    .filter((one) => one !== process.pid);
  const own = ownIdentity();
  expect(existsSync(`/proc/${thread}/stat`)).toBe(true);
  expect(startedAtOf(thread ?? 0)).toBeNull();
  expect(livenessOf({ ...own, pid: thread ?? 0 }, own)).toBe("gone");
  expect(livenessOf(own, own)).toBe("alive");
});

test("the parent is a living process with a start time", () => {
  expect(ownParent()).toEqual({ pid: process.ppid, startedAt: startedAtOf(process.ppid) });
});

test("without a namespace a process here with that start time is it, and none here says nothing", () => {
  const own = ownIdentity();
  expect(livenessOf({ ...own, namespace: null }, own)).toBe("alive");
  expect(livenessOf({ ...own, namespace: null, startedAt: "1" }, own)).toBe("unknown");
});

/** The child needs a moment to end; each look is a turn of the event loop, not a measured time. */
async function untilGone(pid: number): Promise<void> {
  while (startedAtOf(pid) !== null) await new Promise((resolve) => setImmediate(resolve));
}
