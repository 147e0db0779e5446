/** Approved programs that behave badly, on the wire of a server that was itself started from a terminal. */
import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { mostKeptBytes } from "../../src/server/command/capture.js";
import { killGroups, signalGroup } from "../../src/server/command/group.js";
import { wispProgram } from "../support/built.js";
import { type Face, openFace } from "../support/face.js";
import { appears, makePlaces, type Places, waitingProgress } from "../support/mcp-server.js";
import { type Person, test } from "../support/person.js";
import { gone } from "../support/processes.js";
import { type Pty, startInPty } from "../support/pty.js";
import { RawClient, type ToolResult } from "../support/raw-client.js";

let places: Places;
let face: Face;
beforeEach(() => {
  places = makePlaces();
  face = openFace(places.home);
});

interface Server {
  readonly client: RawClient;
  /** The terminal that the server was started from, as a client's is. */
  readonly terminal: Pty;
  readonly pid: number;
}

/** A server whose input and output are pipes, as a client makes them, and which has the client's terminal. */
async function startOnTerminal(): Promise<Server> {
  const [input, output] = [join(places.root, "input"), join(places.root, "output")];
  execFileSync("mkfifo", [input, output]);
  const script = 'echo "pid $$"; exec "$@" <"$0/input" >"$0/output"';
  const terminal = startInPty(["sh", "-c", script, places.root, process.execPath, wispProgram, "mcp"], {
    environment: { PATH: process.env.PATH, HOME: places.root, WISP_HOME: places.home },
    directory: places.work,
  });
  const toServer = createWriteStream(input);
  const client = new RawClient((message) => void toServer.write(`${JSON.stringify(message)}\n`));
  createInterface({ input: createReadStream(output) }).on("line", (line) => client.receive(JSON.parse(line)));
  onTestFinished(async () => {
    toServer.end();
    await terminal.ended;
    places.remove();
  });
  await client.initialize();
  return { client, terminal, pid: Number(/^pid (\d+)$/m.exec(terminal.output())?.[1]) };
}

/** No two calls have their progress under one token. */
let calls = 0;

/** Has `line` approved, and returns the call. */
async function approved(
  { client }: Server,
  person: Person,
  line: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  calls += 1;
  const progressToken = calls;
  const call = client.call("run_command", { line, ...options }, { progressToken });
  await waitingProgress(client, progressToken);
  await person.approves(places.home, face.only());
  return call;
}

async function run(server: Server, person: Person, line: string, options = {}): Promise<ToolResult> {
  return await server.client.resultOf(await approved(server, person, line, options));
}

async function expectToServe(server: Server, person: Person): Promise<void> {
  expect((await run(server, person, "printf good")).structuredContent).toMatchObject({ stdout: "good" });
}

describe("a program that wants a terminal", () => {
  test.for([
    ["asks there for a password", "printf 'password: ' >/dev/tty; read -r word </dev/tty", /\/dev\/tty/],
    ["reads a line from its input", "read -r line || { echo 'end of input' >&2; exit 1; }", /end of input/],
    ["takes it over, as an editor does", "stty raw -echo", /stty/],
    ["looks which one it has", "tty >&2", /not a tty/],
  ] as const)(
    "and %s finds none, fails at once and says so, and the client's screen stays clean",
    async ([_what, line, complaint], { person }) => {
      const server = await startOnTerminal();
      // It is there for the server, or this would prove nothing.
      expect(execFileSync("ps", ["-o", "tty=", "-p", `${server.pid}`], { encoding: "utf8" })).toMatch(/\w/);
      const { structuredContent } = await run(server, person, line);
      expect(structuredContent).toMatchObject({ outcome: "approved", exitCode: 1, timedOut: false });
      expect(structuredContent?.stderr).toMatch(complaint);
      await expectToServe(server, person);
      expect(server.terminal.output()).toBe(`pid ${server.pid}\n`);
    },
  );
});

describe("a program that floods its output", () => {
  const bytes = 300_000_000;
  /** Above what the server takes when nothing is flooded, in KiB. */
  const mostGrowth = 200 * 1_024;
  const peakOf = (pid: number): number =>
    Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

  test.runIf(process.platform === "linux")(
    "gets a short result, fills no disk, and the server stays small and answers meanwhile",
    async ({ person }) => {
      const server = await startOnTerminal();
      await expectToServe(server, person);
      const before = peakOf(server.pid);
      const call = await approved(server, person, `yes | head -c ${bytes}`);
      await server.client.roundTrip();
      const result = await server.client.resultOf(call);
      expect(result.structuredContent).toMatchObject({ exitCode: 0, truncated: true });
      expect(JSON.stringify(result).length).toBeLessThan(1_000_000);
      expect(result.structuredContent?.stdout).toContain(`of ${bytes} bytes are missing here.`);
      const [name = ""] = readdirSync(join(places.home, "output"));
      expect(statSync(join(places.home, "output", name)).size).toBe(mostKeptBytes);
      expect(peakOf(server.pid) - before).toBeLessThan(mostGrowth);
      await expectToServe(server, person);
    },
  );
});

describe("a program that will not end", () => {
  const stubborn = "trap '' TERM INT HUP; echo $$ > pid.new; mv pid.new pid; while :; do sleep 600; done";

  async function pidOf(): Promise<number> {
    await appears(join(places.work, "pid"));
    const pid = Number(readFileSync(join(places.work, "pid"), "utf8"));
    onTestFinished(() => killGroups([pid]));
    return pid;
  }

  test("is killed when its time is over, however it ignores being asked", async ({ person }) => {
    const server = await startOnTerminal();
    const result = await run(server, person, stubborn, { timeoutSeconds: 1 });
    expect(result.structuredContent).toMatchObject({ timedOut: true, exitCode: null, signal: "SIGKILL" });
    await gone(await pidOf());
    await expectToServe(server, person);
  });

  test("is killed when its caller cancels, and the log says how it ended", async ({ person }) => {
    const server = await startOnTerminal();
    const call = await approved(server, person, stubborn);
    const pid = await pidOf();
    server.client.notify("notifications/cancelled", { requestId: call, reason: "no longer wanted" });
    const ended = () => face.audit().find(({ kind }) => kind === "effect.finished");
    await expect.poll(ended, { timeout: 30_000 }).toMatchObject({
      details: { ending: "cancelled", signal: "SIGKILL" },
    });
    await gone(pid);
    await expectToServe(server, person);
    expect(server.client.hasResponseTo(call)).toBe(false);
  });

  test("and forked away gives its result all the same, and is left where it let go of the output", async ({
    person,
  }) => {
    const server = await startOnTerminal();
    const away =
      "setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 600' >/dev/null 2>&1 & printf begun";
    const result = await run(server, person, away);
    expect(result.structuredContent).toMatchObject({ exitCode: 0, stdout: "begun", timedOut: false });
    expect(signalGroup(await pidOf(), 0)).toBe(true);
    await expectToServe(server, person);
  });

  test("and holds the output from another session delays its result by a moment only", async ({ person }) => {
    const server = await startOnTerminal();
    const holding = "setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 600' & printf begun";
    const result = await run(server, person, holding);
    expect(result.structuredContent).toMatchObject({ exitCode: 0, stdout: "begun", timedOut: false });
    await pidOf();
    await expectToServe(server, person);
  });
});
