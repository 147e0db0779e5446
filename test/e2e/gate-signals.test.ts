/** `wisp gate` as built, however its process ends before its server does: it leaves nothing running, and nothing that waits. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { wispProgram } from "../support/built.js";
import { type Face, openFace } from "../support/face.js";
import { makePlaces } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { gone } from "../support/processes.js";
import { type ServerProcess, startServer } from "../support/raw-client.js";

const recording = fileURLToPath(new URL("workers/recording-upstream.mjs", import.meta.url));

interface Holding extends ServerProcess {
  readonly face: Face;
  /** What the server was sent, and where it and what it started say their ids. */
  readonly received: string;
  /** The server's, and that of what it started. */
  readonly pids: readonly number[];
}

/** A gate before a server that does not end by itself, with a call that waits for a person; at SIGUSR2 `fault` happens in it. */
async function holding(fault: string): Promise<Holding> {
  const { root, home, work, remove } = makePlaces();
  onTestFinished(remove);
  const received = join(root, "received");
  const injected = `data:text/javascript,process.on("SIGUSR2",()=>{${fault}})`;
  const words = ["gate", "--name", "x", "--", process.execPath, recording, received, "stubborn"];
  const gate = startServer([process.execPath, "--import", injected, wispProgram, ...words], {
    environment: { HOME: root, WISP_HOME: home },
    directory: work,
  });
  onTestFinished(async () => {
    gate.child.kill("SIGKILL");
    await gate.ended;
  });
  await gate.client.initialize();
  gate.client.call("wipe", {});
  const face = openFace(home);
  await expect.poll(() => face.waiting().length, { interval: 10, timeout: 60_000 }).toBe(1);
  const [first = ""] = readFileSync(received, "utf8").split("\n");
  const pids = first.split(" ").map(Number);
  onTestFinished(() => pids.forEach(killed));
  return { ...gate, face, received, pids };
}

/** Where a test fails it may be there still. */
function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, as it is to be.
  }
}

test("a gate that gets a signal ends its server and all that this started, and withdraws what waits", async () => {
  await Promise.all(
    (["SIGTERM", "SIGINT", "SIGHUP"] as const).map(async (signal) => {
      const { face, child, ended, pids } = await holding("");
      const { id } = face.only();
      child.kill(signal);
      // KILL, as its server was asked to end with.
      expect(await ended, signal).toEqual({ code: 137, signal: null });
      await Promise.all(pids.map(gone));
      expect(face.receiptOf(id)?.outcome, signal).toBe("withdrawn");
    }),
  );
});

test("a gate that a fault of its own ends, or that exits, leaves nothing running", async () => {
  await Promise.all(
    [
      {
        fault: 'throw new Error("x")',
        code: 1,
        says: "a fault of its own ended it, and the server behind it: x",
      },
      { fault: 'Promise.reject(new Error("y"))', code: 1, says: "and the server behind it: y" },
      { fault: "process.exit(7)", code: 7, says: "" },
    ].map(async ({ fault, code, says }) => {
      const { child, ended, pids, errors } = await holding(fault);
      child.kill("SIGUSR2");
      expect(await ended, fault).toEqual({ code, signal: null });
      expect(errors()).toContain(says);
      await Promise.all(pids.map(gone));
    }),
  );
});

test.runIf(process.platform === "linux")(
  "a gate makes nothing for others, and its server what it always made",
  async () => {
    const before = process.umask(0o022);
    const { child, received } = await holding("").finally(() => process.umask(before));
    expect(readFileSync(`/proc/${child.pid}/status`, "utf8")).toMatch(/^Umask:\t0077$/m);
    expect(statSync(received).mode & 0o777).toBe(0o644);
  },
);
