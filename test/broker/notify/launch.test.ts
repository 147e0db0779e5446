import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createLaunch, type Program } from "../../../src/broker/notify/launch.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { startListener, writeProgram } from "../../support/commands.js";
import { FakeClock } from "../../support/fake-clock.js";
import { never } from "../../support/notifier-contract.js";
import { tempDirectory } from "../../support/temp-home.js";

let directory: string;
beforeEach(() => {
  directory = tempDirectory();
});

/** A bash script of the given text. */
function script(text: string, overrides: Partial<Program> = {}): Program {
  const path = writeProgram(directory, "program", `#!/bin/bash\n${text}\n`);
  return { path, args: [], environment: { PATH: "/usr/local/bin:/usr/bin:/bin" }, input: null, ...overrides };
}

const run = (program: Program, signal = never, clock = systemClock) => createLaunch(clock)(program, signal);

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A program that outlives every test. */
const forever = "sleep 300";

describe("the end of a program", () => {
  it("holds its code and what it printed", async () => {
    expect(await run(script("echo out; echo err >&2; exit 3"))).toEqual({
      ending: "exited",
      code: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it("holds the signal that ended it", async () => {
    expect(await run(script("kill -SEGV $$"))).toEqual({ ending: "died", signal: "SIGSEGV" });
  });

  it("holds the beginning of what it printed, and lets it print on", async () => {
    const ending = await run(script("head -c 5000000 /dev/zero | tr '\\0' x; head -c 5000000 /dev/zero >&2"));
    expect(ending).toMatchObject({ ending: "exited", code: 0, stdout: "x".repeat(4_096) });
    expect(ending).toHaveProperty("stderr.length", 4_096);
  });

  it("is waited for no longer where something it started holds its output", async () => {
    const clock = new FakeClock();
    const { connects, connection } = await startListener();
    const text = `(${connects}; echo >&3; read -r -u 3) & echo posted`;
    const running = run(script(text), never, clock);
    const socket = await connection();
    await socket.line;
    // The second timer begins with the program's own end; what it printed is read in one of the next turns.
    while (clock.timers < 2) await turn();
    for (let turns = 0; turns < 100; turns += 1) await turn();
    clock.advance(250);
    expect(await running).toMatchObject({ ending: "exited", code: 0, stdout: "posted\n" });
    expect(clock.timers).toBe(0);
    // What a program leaves behind when all went well may be its helper.
    expect(socket.hasEnded).toBe(false);
    socket.write("go\n");
    await socket.ended;
  });
});

describe("a program", () => {
  it("gets its words as they are, and no shell reads them", async () => {
    const args = ["$HOME", "; echo x", "*", "`id`", "a  b", "", "-x", "--"];
    expect(await run(script(`printf '[%s]' "$@"`, { args }))).toMatchObject({
      stdout: args.map((word) => `[${word}]`).join(""),
    });
  });

  it("reads its input, and need not", async () => {
    const input = `${"x".repeat(1_000_000)}\n`;
    expect(await run(script("wc -c", { input }))).toMatchObject({ code: 0, stdout: "1000001\n" });
    expect(await run(script("exec 0<&-; exit 0", { input }))).toMatchObject({ code: 0 });
    expect(await run(script("cat"))).toMatchObject({ code: 0, stdout: "" });
  });

  it("sees the environment it is given, runs in the root, and has no terminal", async () => {
    const environment = { PATH: "/usr/bin:/bin", LANG: "C" };
    const ending = await run(
      script("env; pwd; (exec 3<>/dev/tty) 2>/dev/null || echo none", { environment }),
    );
    const lines = (ending.ending === "exited" ? ending.stdout : "").trim().split("\n");
    const own = /^(PWD|SHLVL|_|OLDPWD)=/;
    expect(lines.filter((line) => !own.test(line)).sort()).toEqual([
      "/",
      "LANG=C",
      "PATH=/usr/bin:/bin",
      "none",
    ]);
  });

  it.each([
    ["is missing", () => join(directory, "missing"), "ENOENT"],
    ["names an interpreter that is missing", () => writeProgram(directory, "x", "#!/nowhere/sh\n"), "ENOENT"],
    ["may not be executed", notExecutable, "EACCES"],
    ["is a directory", () => directory, "EACCES"],
    ["has a name that cannot be one", () => "/bin/a\0b", "ERR_INVALID_ARG_VALUE"],
  ])("that %s is not started, and the system's word for it is told", async (_what, path, errno) => {
    const ending = await run(script("exit 0", { path: path() }));
    expect(ending).toEqual({ ending: "not_started", errno });
    expect(await run(script("exit 0"))).toMatchObject({ code: 0 });
  });

  it("is not started for whoever has given up", async () => {
    expect(await run(script("touch made"), AbortSignal.abort())).toEqual({ ending: "cancelled" });
  });
});

function notExecutable(): string {
  const path = join(directory, "text");
  writeFileSync(path, "#!/bin/sh\n", { mode: 0o644 });
  return path;
}

/** The processes and pipes for which this process would stay. */
function holding(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap" || name === "PipeWrap");
}

describe("a program that does not end", () => {
  /** It and a child of it, both deaf to being asked; the connection ends when both are gone. */
  async function hanging(clock: FakeClock, signal = never) {
    const { connects, connection } = await startListener();
    const text = `trap '' TERM HUP; ${connects}; (${forever}) & ${forever}`;
    const running = run(script(text, { input: "x" }), signal, clock);
    return { running, socket: await connection() };
  }

  it("is ended after 5 s and no sooner, with all that it started", async () => {
    const clock = new FakeClock();
    const { running, socket } = await hanging(clock);
    clock.advance(4_999);
    expect(clock.timers).toBe(1);
    clock.advance(1);
    expect(await running).toEqual({ ending: "hung" });
    await socket.ended;
    expect(clock.timers).toBe(0);
  });

  it("is ended at once when it is given up", async () => {
    const caller = new AbortController();
    const clock = new FakeClock();
    const { running, socket } = await hanging(clock, caller.signal);
    caller.abort();
    expect(await running).toEqual({ ending: "cancelled" });
    await socket.ended;
    expect(clock.timers).toBe(0);
  });

  it("does not keep this process alive", async () => {
    const before = holding();
    const caller = new AbortController();
    const running = run(script(forever, { input: "x" }), caller.signal);
    expect(holding()).toEqual(before);
    caller.abort();
    await running;
  });

  it("but prints without end is ended all the same", async () => {
    const clock = new FakeClock();
    const { connects, connection } = await startListener();
    const running = run(script(`${connects}; echo >&3; yes`), never, clock);
    const socket = await connection();
    await socket.line;
    clock.advance(5_000);
    expect(await running).toEqual({ ending: "hung" });
    await socket.ended;
  });

  it("is ended also where only a child of one that failed is left", async () => {
    const { connects, connection } = await startListener();
    const text = `${connects}; ${forever} >/dev/null 2>&1 & echo no >&2; echo >&3; read -r -u 3; exit 1`;
    const running = run(script(text));
    const socket = await connection();
    await socket.line;
    socket.write("go\n");
    expect(await running).toMatchObject({ ending: "exited", code: 1 });
    await socket.ended;
  });
});
