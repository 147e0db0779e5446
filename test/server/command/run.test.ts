import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { smallEnvironment } from "../../../src/server/command/environment.js";
import { killGroups, signalGroup } from "../../../src/server/command/group.js";
import { outputStore } from "../../../src/server/command/output-store.js";
import type { ResolvedCommand } from "../../../src/server/command/resolve.js";
import { outputLimits, type RunParts, runCommand } from "../../../src/server/command/run.js";
import {
  longMs,
  MemoryStore,
  ofArgv,
  ofLine,
  runParts,
  runToEnd,
  startListener,
  writeProgram,
} from "../../support/commands.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

let directory: string;
beforeEach(() => {
  directory = tempDirectory();
});

/** Where a link leads; nowhere once it is gone. */
function leadsTo(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

/** A command that outlives every test. */
const forever = "sleep 300";

/** Whatever became of it. */
const run = (command: ResolvedCommand, overrides: Partial<RunParts> = {}) =>
  runCommand(command, longMs, runParts(overrides));
const runArgv = (...argv: string[]) => runToEnd(ofArgv(directory, argv));
const runLine = (line: string, overrides: Partial<RunParts> = {}, timeoutMs = longMs) =>
  runToEnd(ofLine(directory, line), overrides, timeoutMs);

describe("the result of a command", () => {
  it("holds exit code and both texts", async () => {
    expect(await runLine("echo out; echo err >&2; exit 3")).toEqual({
      ending: "exited",
      exitCode: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
      truncated: false,
      durationMs: expect.any(Number),
      outputFiles: { stdout: null, stderr: null },
    });
  });

  it("holds the time from start to end on the monotonic clock", async () => {
    const clock = new FakeClock();
    const { connects, connection } = await startListener();
    const running = runLine(`${connects}; read -r -u 3`, { clock });
    const socket = await connection();
    clock.advance(1_234);
    socket.write("go\n");
    expect((await running).durationMs).toBe(1_234);
  });

  it("holds the signal that ended it", async () => {
    expect(await runArgv("sh", "-c", "kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  it("shows bytes that are no text as replacement characters", async () => {
    expect((await runArgv("printf", "\\377\\376ok")).stdout).toBe("\ufffd\ufffdok");
  });
});

describe("what runs", () => {
  it("is an argv without a shell", async () => {
    const words = ["$HOME", "; echo x", "*", "`id`", "a  b", ""];
    expect((await runArgv("printf", "[%s]\n", ...words)).stdout).toBe(
      words.map((word) => `[${word}]\n`).join(""),
    );
  });

  it("is called by the name it was shown under", async () => {
    expect((await runArgv("sh", "-c", "echo $0")).stdout).toBe("sh\n");
  });

  it("is a line for bash, with what only bash has", async () => {
    expect((await runLine("x=(a b c); echo $x | tr a A; [[ abc == a* ]] && echo yes")).stdout).toBe(
      "A\nyes\n",
    );
  });

  it("runs in the directory that was shown", async () => {
    expect((await runArgv("pwd", "-P")).stdout.trim()).toMatch(new RegExp(`${directory}$`));
  });

  it("sees listed names of the environment only, and no start-up file", async () => {
    const evil = join(directory, "evil");
    writeFileSync(evil, "echo evil\n");
    for (const name of [".bashrc", ".profile", ".bash_profile", ".bash_login"])
      writeFileSync(join(directory, name), "echo evil\n");
    const listed = smallEnvironment({ ...process.env, HOME: directory, BASH_ENV: evil, ENV: evil });
    // Some bashes take this for a remote login and then read .bashrc, unless they are told not to.
    const environment = { ...listed, SSH_CLIENT: "192.0.2.1 1 22" };
    const result = await runLine("echo good; env", { environment });
    expect(result.stdout).toMatch(/^good\n/);
    expect(result.stdout).not.toContain("evil");
    const names = result.stdout
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split("=", 1)[0]);
    const own = ["PWD", "SHLVL", "_", "OLDPWD"];
    expect(names.filter((name) => !own.includes(name ?? "")).sort()).toEqual(Object.keys(environment).sort());
  });

  it("makes files with the mask it is given, and the server keeps its own", async () => {
    const before = process.umask(0o077);
    try {
      expect((await runLine("umask", { umask: 0o022 })).stdout).toBe("0022\n");
      expect(process.umask()).toBe(0o077);
      expect((await runLine("umask")).stdout).toBe("0077\n");
    } finally {
      process.umask(before);
    }
  });

  it.runIf(process.platform === "linux")("may open its output by name", async () => {
    const result = await runLine("echo out >/dev/stdout; echo err >/dev/stderr; echo both | tee /dev/stderr");
    expect(result).toMatchObject({ exitCode: 0, stdout: "out\nboth\n", stderr: "err\nboth\n" });
  });

  it("has nothing to read", async () => {
    expect(await runArgv("cat")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(await runLine("read -r line")).toMatchObject({ exitCode: 1 });
  });

  it("leads a session of its own, so that it has no terminal", async () => {
    const result = await runLine("echo $$; ps -o pgid= -p $$; ps -o sess= -p $$; exec 4<>/dev/tty");
    const [pid, group, session] = result.stdout.split("\n").map((line) => line.trim());
    expect(group).toBe(pid);
    if (process.platform === "linux") expect(session).toBe(pid);
    expect(result.exitCode).not.toBe(0);
  });
});

describe("what does not run", () => {
  it("starts nothing for a caller who has left", async () => {
    const command = ofArgv(directory, ["touch", "made"]);
    expect(await run(command, { signal: AbortSignal.abort() })).toEqual({ ending: "abandoned" });
    const leaving = new AbortController();
    const running = run(command, { signal: leaving.signal });
    leaving.abort();
    expect(await running).toEqual({ ending: "abandoned" });
    expect(existsSync(join(directory, "made"))).toBe(false);
    expect(await run(command)).toMatchObject({ ending: "exited", exitCode: 0 });
  });

  it("says why a program could not be started", async () => {
    writeProgram(directory, "broken", "#!/nowhere/interpreter\n");
    const groups = new Set<number>();
    const result = await run(ofArgv(directory, ["./broken"]), { groups });
    expect(result).toEqual({ ending: "not_started", errno: "ENOENT" });
    expect(groups.size).toBe(0);
    expect(await runArgv("true")).toMatchObject({ exitCode: 0 });
  });

  it("says so too when the system refuses the words themselves", async () => {
    const tooMany = Array<string>(200).fill("x".repeat(64 * 1024));
    const result = await run(ofArgv(directory, ["true", ...tooMany]));
    expect(result).toEqual({ ending: "not_started", errno: "E2BIG" });
    expect(await runArgv("true")).toMatchObject({ exitCode: 0 });
  });

  it("is a program that went away between the last look and the start, and that is what is said", async () => {
    writeProgram(directory, "tool", "#!/bin/sh\n");
    const command = ofArgv(directory, ["./tool"]);
    const parts = runParts();
    const racing: RunParts = {
      ...parts,
      // Read when everything was looked at, right before the start.
      get umask() {
        rmSync(join(directory, "tool"));
        return null;
      },
    };
    await expect(runCommand(command, longMs, racing)).rejects.toMatchObject({ code: "replay_drift" });
    writeProgram(directory, "tool", "#!/bin/sh\n");
    expect(await runArgv("./tool")).toMatchObject({ exitCode: 0 });
  });

  it.runIf(process.platform === "linux")(
    "is anything in a directory that takes the place of the one that was shown, even between the last look and the start",
    async () => {
      const [shown, moved] = [join(directory, "shown"), join(directory, "moved")];
      mkdirSync(shown);
      const command = ofLine(shown, "pwd -P; touch made");
      const racing: RunParts = {
        ...runParts(),
        // Read when everything was looked at, right before the start.
        get umask() {
          renameSync(shown, moved);
          mkdirSync(shown);
          return null;
        },
      };
      expect(await runCommand(command, longMs, racing)).toMatchObject({ stdout: `${moved}\n` });
      expect([existsSync(join(shown, "made")), existsSync(join(moved, "made"))]).toEqual([false, true]);
      expect((await runToEnd(ofLine(shown, "pwd"))).stdout).toBe(`${shown}\n`);
    },
  );

  it.runIf(process.platform === "linux")("holds its directory no longer than it takes to start", async () => {
    let held: readonly string[] = [directory];
    const onStarted = (): void => {
      held = readdirSync("/proc/self/fd").map((name) => leadsTo(`/proc/self/fd/${name}`));
    };
    await runLine("true", { onStarted });
    expect(held).not.toContain(directory);
    await expect(run({ ...ofArgv(directory, ["true"]), programChangedAt: "0" })).rejects.toThrow();
    const after = readdirSync("/proc/self/fd").map((name) => leadsTo(`/proc/self/fd/${name}`));
    expect(after).not.toContain(directory);
  });

  it("is a program that was exchanged after it was approved", async () => {
    writeProgram(directory, "tool", "#!/bin/sh\necho approved\n");
    const command = ofArgv(directory, ["./tool"]);
    expect((await runToEnd(command)).stdout).toBe("approved\n");
    renameSync(writeProgram(directory, "other", "#!/bin/sh\ntouch made\n"), join(directory, "tool"));
    await expect(run(command)).rejects.toMatchObject({ code: "replay_drift" });
    expect(existsSync(join(directory, "made"))).toBe(false);
    expect(await runArgv("./tool")).toMatchObject({ exitCode: 0 });
  });

  it("is anything in a directory that was exchanged after it was approved", async () => {
    const shown = join(directory, "shown");
    mkdirSync(shown);
    const command = ofArgv(shown, ["touch", "made"]);
    renameSync(shown, join(directory, "moved"));
    mkdirSync(shown);
    await expect(run(command)).rejects.toMatchObject({ code: "replay_drift" });
    expect(existsSync(join(shown, "made"))).toBe(false);
    expect(await run(ofArgv(shown, ["touch", "made"]))).toMatchObject({ exitCode: 0 });
  });
});

describe("a command that does not end", () => {
  it("is ended when its time is over", async () => {
    const result = await runLine(`echo begun; ${forever}`, {}, 300);
    expect(result).toMatchObject({ ending: "timed_out", exitCode: null, signal: "SIGTERM" });
  });

  it("is ended with everything it started when the caller cancels", async () => {
    const { connects, connection } = await startListener();
    const caller = new AbortController();
    const groups = new Set<number>();
    const running = runLine(`${connects}; (${forever} & ${forever}) & ${forever}`, {
      signal: caller.signal,
      groups,
    });
    const socket = await connection();
    expect(groups.size).toBe(1);
    caller.abort();
    expect(await running).toMatchObject({ ending: "cancelled", signal: "SIGTERM" });
    await socket.ended;
    expect(groups.size).toBe(0);
  });

  it("is killed a second after it was asked to end", async () => {
    const clock = new FakeClock();
    const caller = new AbortController();
    const { connects, connection } = await startListener();
    const line = `trap '' TERM; ${connects}; while :; do ${forever}; done`;
    const running = runLine(line, { clock, signal: caller.signal });
    const socket = await connection();
    caller.abort();
    clock.advance(1_000);
    expect(await running).toMatchObject({ ending: "cancelled", exitCode: null, signal: "SIGKILL" });
    await socket.ended;
  });

  it("is killed even where only a child of it ignores being asked", async () => {
    const clock = new FakeClock();
    const caller = new AbortController();
    const child = await startListener();
    const leader = await startListener();
    // The child lets go of the output, so that only its group still names it.
    const ignoring = `(trap '' TERM; ${child.connects}; echo >&3; while :; do ${forever}; done) >/dev/null 2>&1 &`;
    const line = `${ignoring} ${leader.connects}; wait`;
    const running = runLine(line, { clock, signal: caller.signal });
    const [ofChild, ofLeader] = await Promise.all([child.connection(), leader.connection()]);
    await ofChild.line;
    caller.abort();
    await ofLeader.ended;
    // The server hears of the leader's end in one of the next turns.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
    expect(await running).toMatchObject({ ending: "cancelled", signal: "SIGTERM" });
    await ofChild.ended;
  });

  it("may use its second to end by itself, and its last words are heard", async () => {
    const caller = new AbortController();
    const { connects, connection } = await startListener();
    const line = `trap 'echo bye; exit 5' TERM; ${connects}; echo >&3; while :; do read -r -t 1 -u 3; done`;
    const running = runLine(line, { signal: caller.signal, clock: new FakeClock() });
    await (await connection()).line;
    caller.abort();
    expect(await running).toMatchObject({ ending: "cancelled", exitCode: 5, signal: null, stdout: "bye\n" });
  });

  it("is ended at once by a server that exits", async () => {
    const groups = new Set<number>();
    const { connects, connection } = await startListener();
    const running = runLine(`trap '' TERM; ${connects}; ${forever}`, { groups });
    const socket = await connection();
    killGroups(groups);
    expect(await running).toMatchObject({ ending: "exited", signal: "SIGKILL" });
    await socket.ended;
  });
});

describe("what a command leaves behind", () => {
  it("does not hold its result, and is ended", async () => {
    const { connects, connection } = await startListener();
    const running = runLine(`${connects}; ${forever} & echo done`);
    const socket = await connection();
    expect(await running).toMatchObject({ ending: "exited", exitCode: 0, stdout: "done\n" });
    await socket.ended;
  });

  it.runIf(process.platform === "linux")("does not hold its result out of reach either", async () => {
    const { connects, connection } = await startListener();
    const line = `${connects}; setsid bash -c 'echo >&3; exec ${forever}' & read -r -u 3; echo $!`;
    const running = runLine(line);
    const socket = await connection();
    await socket.line;
    socket.write("go\n");
    const result = await running;
    expect(result).toMatchObject({ ending: "exited", exitCode: 0 });
    expect(socket.hasEnded).toBe(false);
    process.kill(Number(result.stdout), "SIGKILL");
    await socket.ended;
  });

  it("goes on where it lets go of the output", async () => {
    const { connects, connection } = await startListener();
    const line = `${connects}; (echo >&3; ${forever}) >/dev/null 2>&1 & echo $$`;
    const running = runLine(line);
    const socket = await connection();
    await socket.line;
    const result = await running;
    expect(result).toMatchObject({ ending: "exited", exitCode: 0 });
    expect(socket.hasEnded).toBe(false);
    expect(signalGroup(Number(result.stdout), "SIGKILL")).toBe(true);
    await socket.ended;
  });
});

describe("a flood of output", () => {
  const isSmall = (result: unknown) => Buffer.byteLength(JSON.stringify(result)) < 500_000;

  it("is shown with its beginning and end, and kept whole in private files", async () => {
    const home = tempDirectory();
    const result = await runLine("seq 1 100000; seq 1 100000 >&2", { store: outputStore(home, "k7q2mx9d") });
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(result).toMatchObject({ exitCode: 0, truncated: true });
    for (const stream of ["stdout", "stderr"] as const) {
      const path = join(home, "output", `k7q2mx9d.${stream}`);
      expect(result[stream].startsWith("1\n2\n")).toBe(true);
      expect(result[stream].endsWith("\n100000\n")).toBe(true);
      expect(result[stream]).toContain(`of ${whole.length} bytes are missing here. The whole is in ${path}.`);
      expect(Buffer.byteLength(JSON.stringify(result[stream]))).toBeLessThanOrEqual(outputLimits[stream] + 2);
      expect(result.outputFiles[stream]).toEqual({ path, bytes: whole.length, problem: null });
      expect(readFileSync(path, "utf8")).toBe(whole);
    }
    expect(isSmall(result)).toBe(true);
  });

  it("takes little memory however long it lasts", async () => {
    const before = process.memoryUsage().rss;
    const store = { create: () => ({ path: "/x", append: () => {}, close: () => {} }) };
    const result = await runLine("yes | head -c 200000000", { store });
    const grown = process.memoryUsage().rss - before;
    expect(result).toMatchObject({ exitCode: 0, truncated: true });
    expect(result.stdout).toContain("of 200000000 bytes are missing here");
    expect(isSmall(result)).toBe(true);
    expect(grown).toBeLessThan(200 * 1024 * 1024);
  });

  it("in one line, or of bytes that JSON writes long, stays within its limit", async () => {
    for (const line of ["head -c 3000000 /dev/zero | tr '\\0' a", "head -c 60000 /dev/zero"]) {
      const store = new MemoryStore();
      const result = await runLine(line, { store });
      expect(result.truncated, line).toBe(true);
      expect(isSmall(result), line).toBe(true);
      expect(store.whole("stdout").length, line).toBe(result.outputFiles.stdout?.bytes);
    }
  });

  it("onto a disk that is full does not stop the command", async () => {
    const store = new MemoryStore();
    store.failure = { step: "append", errno: "ENOSPC" };
    const result = await runLine("seq 1 100000; echo end >&2", { store });
    expect(result).toMatchObject({ exitCode: 0, truncated: true, stderr: "end\n" });
    expect(result.outputFiles.stdout?.problem).toContain("ENOSPC");
    expect(result.stdout.endsWith("\n100000\n")).toBe(true);
  });
});
