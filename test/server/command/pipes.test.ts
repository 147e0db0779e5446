import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/broker/system/clock.js";
import { openPipes, type Pipes } from "../../../src/server/command/pipes.js";
import { ofLine, runToEnd, startListener, testEnvironment, writeProgram } from "../../support/commands.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

const isLinux = process.platform === "linux";
const { signal } = new AbortController();

function closed(pipes: Pipes | null): boolean {
  pipes?.releaseEnds();
  pipes?.stdout.destroy();
  pipes?.stderr.destroy();
  return pipes !== null;
}

/** A program that reports to the listener and never ends. */
async function hangingProgram() {
  const { connects, connection } = await startListener();
  const path = writeProgram(tempDirectory(), "mkfifo", `#!/bin/bash\n${connects}\nexec sleep 300\n`);
  return { path, connection };
}

/** Makes `directory` the one this process works in, for the running test. */
function workIn(directory: string): void {
  const before = process.cwd();
  process.chdir(directory);
  onTestFinished(() => process.chdir(before));
}

describe.runIf(isLinux)("the program that makes the pipes", () => {
  it("is never one of the working directory, whatever PATH says", async () => {
    const directory = tempDirectory();
    writeProgram(directory, "mkfifo", `#!/bin/sh\ntouch '${directory}/planted'\nexec /usr/bin/mkfifo "$@"\n`);
    workIn(directory);
    for (const path of [`.:${testEnvironment.PATH}`, `${directory}:${testEnvironment.PATH}`]) {
      const environment = { ...testEnvironment, PATH: path };
      expect(await runToEnd(ofLine(directory, "echo good"), { environment })).toMatchObject({
        stdout: "good\n",
      });
    }
    expect(existsSync(join(directory, "planted"))).toBe(false);
  });

  it("is killed when its time is over, and the command then has other pipes", async () => {
    const clock = new FakeClock();
    const { path, connection } = await hangingProgram();
    const opening = openPipes(signal, clock, [path]);
    const program = await connection();
    clock.advance(2_000);
    expect(await opening).toBeNull();
    await program.ended;
    expect(clock.timers).toBe(0);
    expect(closed(await openPipes(signal, clock))).toBe(true);
    expect(clock.timers).toBe(0);
  });

  it("is killed when the caller leaves", async () => {
    const caller = new AbortController();
    const { path, connection } = await hangingProgram();
    const opening = openPipes(caller.signal, new FakeClock(), [path]);
    const program = await connection();
    caller.abort();
    expect(await opening).toBeNull();
    await program.ended;
    expect(closed(await openPipes(signal, systemClock))).toBe(true);
  });

  it("is the first that exists, and where none does there are no pipes", async () => {
    const missing = join(tempDirectory(), "mkfifo");
    expect(await openPipes(signal, systemClock, [missing])).toBeNull();
    expect(closed(await openPipes(signal, systemClock, [missing, "/usr/bin/mkfifo", "/bin/mkfifo"]))).toBe(
      true,
    );
  });
});
