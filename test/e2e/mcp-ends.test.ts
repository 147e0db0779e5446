/** What a server that ends, in whatever way, leaves of the commands that ran: nothing that runs on. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished } from "vitest";
import { killGroups, signalGroup } from "../../src/server/command/group.js";
import { type Face, openFace } from "../support/face.js";
import { appears, makePlaces, type Places, waitingProgress, withProgress } from "../support/mcp-server.js";
import { type Person, test } from "../support/person.js";
import { gone } from "../support/processes.js";
import { type ServerProcess, startServer } from "../support/raw-client.js";

const program = fileURLToPath(new URL("../../dist/wisp.cjs", import.meta.url));
const brokenTimer = fileURLToPath(new URL("workers/broken-timer.cjs", import.meta.url));

let places: Places;
let face: Face;
const started: ServerProcess[] = [];

beforeEach(() => {
  places = makePlaces();
  face = openFace(places.home);
});

afterEach(async () => {
  for (const server of started.splice(0)) {
    server.child.kill("SIGKILL");
    await server.ended;
    expect(server.strayLines).toEqual([]);
  }
  places.remove();
});

async function start(options: readonly string[] = [], environment = {}): Promise<ServerProcess> {
  const server = startServer([process.execPath, ...options, program, "mcp"], {
    directory: places.work,
    environment: { HOME: places.root, WISP_HOME: places.home, ...environment },
  });
  started.push(server);
  await server.client.initialize();
  return server;
}

/** Approves `line` and returns the process id that it writes into the file `pid`. */
async function run({ client }: ServerProcess, line: string, person: Person): Promise<number> {
  client.call("run_command", { line }, withProgress);
  await waitingProgress(client);
  await person.approves(places.home, face.only());
  await appears(join(places.work, "pid"));
  const pid = Number(readFileSync(join(places.work, "pid"), "utf8"));
  onTestFinished(() => killGroups([pid]));
  return pid;
}

/** That a good command runs, from beginning to end, on a server that was just started. */
async function expectToServe(person: Person): Promise<void> {
  const { client } = await start();
  const call = client.call("run_command", { argv: ["printf", "good"] }, withProgress);
  await waitingProgress(client);
  for (const request of face.waiting()) await person.approves(places.home, request);
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ stdout: "good" });
}

/** Ends at no signal that can be ignored. */
const stubborn = "trap '' TERM INT HUP; echo $$ > pid.new; mv pid.new pid; while :; do sleep 600; done";

describe("a server with a fault of its own", () => {
  test.for(["throw", "rejection"])(
    "ends what it ran, says so in visible characters, and the next one serves: %s",
    async (fault, { person }) => {
      const server = await start(["-r", brokenTimer], { WISP_TEST_FAULT: fault });
      const pid = await run(server, stubborn, person);
      server.child.kill("SIGUSR2");
      expect(await server.ended).toEqual({ code: 1, signal: null });
      await gone(pid);
      expect(server.errors()).toBe(
        "wisp mcp: a fault of its own ended it, and what it ran: broken\\u{1b}[2J\n",
      );
      await expectToServe(person);
    },
  );
});

describe("a server that gets a second signal while it ends", () => {
  test.for([
    ["SIGTERM", "SIGTERM"],
    ["SIGINT", "SIGHUP"],
  ] as const)(
    "%s, %s: ends what will not end, writes it down, and the next one serves",
    async ([one, two], { person }) => {
      const server = await start();
      const pid = await run(server, stubborn, person);
      server.client.call("run_command", { argv: ["true"] }, { progressToken: "other" });
      await waitingProgress(server.client, "other");
      const { id } = face.only();
      server.child.kill(one);
      // It has heard the first signal once it has settled what waits; the command has a second from then on.
      await appears(join(places.home, "settled", `${id}.json`));
      server.child.kill(two);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      await gone(pid);
      expect(face.audit().findLast(({ kind }) => kind === "effect.finished")).toMatchObject({
        details: { ending: "cancelled", signal: "SIGKILL" },
      });
      await expectToServe(person);
    },
  );
});

/** How clients end a server. */
const ends: readonly (readonly [string, (server: ServerProcess) => void])[] = [
  ["the end of its input", ({ child }) => void child.stdin?.end()],
  ["SIGTERM", ({ child }) => void child.kill("SIGTERM")],
];

describe.runIf(process.platform === "linux")("a server whose command left something out of reach", () => {
  test.for(ends)(
    "that holds its output writes down how it ended, and takes its record away: %s",
    async ([_how, act], { person }) => {
      const server = await start();
      const left = "setsid bash -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 600' & wait";
      const pid = await run(server, left, person);
      act(server);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(face.audit().at(-1)).toMatchObject({
        kind: "effect.finished",
        details: { ending: "cancelled" },
      });
      expect(readdirSync(join(places.home, "servers"))).toEqual([]);
      // It was out of reach, or this would prove nothing.
      expect(signalGroup(pid, 0)).toBe(true);
      await expectToServe(person);
    },
  );
});
