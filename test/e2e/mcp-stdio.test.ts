/** `wisp mcp` as built and as a client starts it: a process, its pipes, and what it leaves behind. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { startedAtOf } from "../../src/broker/identity/process.js";
import { type Face, openFace } from "../support/face.js";
import { appears, makePlaces, type Places, waitingProgress } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { type RawClient, type ServerProcess, showsForms, startServer } from "../support/raw-client.js";

const program = fileURLToPath(new URL("../../dist/wisp.cjs", import.meta.url));
const stray = fileURLToPath(new URL("workers/stray.cjs", import.meta.url));

/** A shell that sets the mask and becomes `node` with these words. */
const underMask = (umask: string, words: readonly string[]): readonly string[] => [
  "/bin/sh",
  "-c",
  `umask ${umask}; exec "$0" "$@"`,
  process.execPath,
  ...words,
];

/**
 * What is promised of the end of a server, whatever waits or runs: two seconds, beside what a machine that is busy
 * now takes for twenty bare processes.
 */
function longestEndMs(): number {
  const from = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return 2_000 + 20 * (performance.now() - from);
}

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

function start(
  argv: readonly string[] = [process.execPath, program, "mcp"],
  environment = {},
): ServerProcess {
  const server = startServer(argv, {
    directory: places.work,
    environment: { HOME: places.root, WISP_HOME: places.home, ...environment },
  });
  started.push(server);
  return server;
}

const token = { progressToken: "p" };
const printing = { argv: ["printf", "%s", "once"] };

/** Has one request wait, with a dialog up, and returns its id. */
async function ask(client: RawClient, args: Readonly<Record<string, unknown>> = printing): Promise<string> {
  await client.initialize({ capabilities: showsForms });
  client.call("run_command", args, token);
  await client.firstOf("elicitation/create");
  return face.only().id;
}

/** Milliseconds from `act` to the end of the process. */
async function timeToEnd(server: ServerProcess, act: () => void): Promise<number> {
  const from = performance.now();
  act();
  await server.ended;
  return performance.now() - from;
}

describe("both orders of the race, on the wire", () => {
  test("a face is first: the dialog is cancelled by its id, then the result goes out", async ({ person }) => {
    const { client } = start();
    await client.initialize({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    await person.approves(places.home, face.only());
    const result = await client.responseTo(call);
    expect(result.result?.structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
      stdout: "once",
    });
    const [cancelled, ...others] = client.allOf("notifications/cancelled");
    expect(others).toEqual([]);
    expect(cancelled?.params?.requestId).toBe(dialog.id);
    expect(client.received.indexOf(cancelled ?? dialog)).toBe(client.received.indexOf(result) - 1);
  });

  test("the dialog is first: nothing is cancelled, the receipt says so, and a face is told", async () => {
    const { client } = start();
    await client.initialize({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const request = face.only();
    client.answer(dialog, { action: "accept", content: { decision: "approve" } });
    const { structuredContent } = await client.resultOf(call);
    expect(structuredContent).toMatchObject({ outcome: "approved", via: "elicitation", stdout: "once" });
    expect(client.allOf("notifications/cancelled")).toEqual([]);
    expect(await face.approveAndWait(request)).toMatchObject({
      kind: "settled",
      isVerified: true,
      receipt: { outcome: "answered", via: "elicitation" },
    });
  });

  test("a dialog that never answers and ignores its cancellation delays nothing", async ({ person }) => {
    const { client } = start();
    await client.initialize({ capabilities: showsForms });
    const calls = ["a", "b"].map((name) => client.call("run_command", { argv: ["printf", name] }));
    await client.first((message) => message.method === "elicitation/create" && message.id === 1);
    for (const request of face.waiting()) await person.approves(places.home, request);
    const results = await Promise.all(calls.map((call) => client.resultOf(call)));
    expect(results.map((result) => result.structuredContent?.stdout)).toEqual(["a", "b"]);
  });
});

describe("a client that is known to answer by itself", () => {
  test.for(["decline", "cancel"])(
    "does so with %s and nobody said no: a person at a terminal is waited for",
    async (action, { person }) => {
      const { client } = start();
      await client.initialize({ capabilities: showsForms, name: "codex-mcp-client" });
      const call = client.call("run_command", printing, token);
      client.answer(await client.firstOf("elicitation/create"), { action });
      await client.roundTrip();
      expect(client.hasResponseTo(call)).toBe(false);
      await person.approves(places.home, face.only());
      expect((await client.resultOf(call)).structuredContent).toMatchObject({
        outcome: "approved",
        via: "cli",
      });
      client.call("run_command", { argv: ["printf", "again"] }, { progressToken: "again" });
      await waitingProgress(client, "again");
      expect(client.allOf("elicitation/create")).toHaveLength(1);
    },
  );
});

describe("a server that is only looked at", () => {
  test("leaves no file, and ends with its input", async () => {
    const server = start(undefined, { WISP_HOME: "" });
    const before = readdirSync(places.root);
    await server.client.initialize({ capabilities: showsForms });
    await server.client.responseTo(server.client.request("tools/list"));
    server.child.stdin?.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(readdirSync(places.root)).toEqual(before);
    expect(server.errors()).toBe("");
  });

  test("whose client says nothing at all ends with its input too", async () => {
    const server = start();
    server.child.stdin?.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(existsSync(places.home)).toBe(false);
  });

  test("with words that it does not know refuses to start", async () => {
    const server = start([process.execPath, program, "mcp", "--auto-approve"]);
    expect((await server.ended).code).toBe(2);
    expect(server.errors()).toContain("--auto-approve");
  });
});

describe("a server that asks", () => {
  test("is recorded with its client and the process that started it", async () => {
    const server = start();
    await server.client.initialize({ name: "agent" });
    server.client.call("run_command", printing, token);
    await waitingProgress(server.client);
    const [name = ""] = readdirSync(join(places.home, "servers"));
    expect(JSON.parse(readFileSync(join(places.home, "servers", name), "utf8"))).toMatchObject({
      pid: server.child.pid,
      parent: { pid: process.pid, startedAt: startedAtOf(process.pid) },
      client: { name: "agent", version: "1.0.0" },
    });
  });

  test("gives a person ten minutes, as the README says", async () => {
    const { client } = start();
    await client.initialize();
    client.call("run_command", printing, token);
    await waitingProgress(client);
    const { createdAt, expiresAt } = face.only();
    // The two are read from the clock one after the other.
    expect(((expiresAt ?? 0) - createdAt) / 60_000).toBeCloseTo(10, 0);
  });
});

describe("the end of a server while a request waits", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("by %s settles it as withdrawn", async (signal) => {
    const server = start();
    const id = await ask(server.client);
    expect(await timeToEnd(server, () => server.child.kill(signal))).toBeLessThan(longestEndMs());
    expect(face.waiting()).toEqual([]);
    expect(face.receiptOf(id)).toMatchObject({
      outcome: "withdrawn",
      note: `the server got ${signal}`,
      ran: false,
    });
    expect(readdirSync(join(places.home, "pending"))).toEqual([]);
    expect(readdirSync(join(places.home, "servers"))).toEqual([]);
  });

  test("by the end of its input settles it as withdrawn", async () => {
    const server = start();
    const id = await ask(server.client);
    expect(await timeToEnd(server, () => server.child.stdin?.end())).toBeLessThan(longestEndMs());
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(face.receiptOf(id)).toMatchObject({ outcome: "withdrawn", note: "the client left", ran: false });
  });

  test("by a client that stopped reading settles it as withdrawn", async () => {
    const server = start();
    const id = await ask(server.client);
    server.child.stdout?.destroy();
    const end = timeToEnd(server, () => server.client.request("ping"));
    expect(await end).toBeLessThan(longestEndMs());
    expect(face.receiptOf(id)).toMatchObject({ outcome: "withdrawn", ran: false });
  });

  test("by SIGKILL runs nothing, however it is answered, and the next server to ask clears it away", async ({
    person,
  }) => {
    const server = start();
    const id = await ask(server.client, { argv: ["touch", "ran"] });
    await timeToEnd(server, () => server.child.kill("SIGKILL"));
    face.approve(face.only());
    expect(face.receiptOf(id)).toBeNull();
    const { client } = start();
    await client.initialize();
    const call = client.call("run_command", printing, token);
    const { params } = await waitingProgress(client);
    for (const request of face.waiting()) {
      if (String(params?.message).includes(request.id)) await person.approves(places.home, request);
    }
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ stdout: "once" });
    expect(readdirSync(places.work)).toEqual([]);
    expect(face.receiptOf(id)).toMatchObject({ outcome: "failed", ran: false });
    expect(readdirSync(join(places.home, "pending"))).toEqual([]);
  });
});

/** How clients end a server. */
const ends: readonly (readonly [string, (server: ServerProcess) => void])[] = [
  ["the end of its input", ({ child }) => void child.stdin?.end()],
  ["SIGTERM", ({ child }) => void child.kill("SIGTERM")],
];

describe("the end of a server while a command runs", () => {
  test.for(ends)("by %s ends a command that will not end", async ([_how, act], { person }) => {
    const server = start();
    const line = "trap '' TERM; echo $$ > pid.new; mv pid.new pid; while :; do sleep 600; done";
    await ask(server.client, { line });
    await person.approves(places.home, face.only());
    await appears(join(places.work, "pid"));
    const pid = Number(readFileSync(join(places.work, "pid"), "utf8"));
    expect(await timeToEnd(server, () => act(server))).toBeLessThan(longestEndMs());
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});

describe("standard output", () => {
  test("carries the protocol alone, whatever a careless library prints", async () => {
    const server = start([process.execPath, "-r", stray, program, "mcp"]);
    await server.client.initialize();
    server.child.kill("SIGUSR2");
    await server.client.roundTrip();
    server.child.stdin?.end();
    await server.ended;
    expect(server.strayLines).toEqual([]);
    expect(server.errors()).toBe("stray\nstray too\n");
  });

  test("of a server that is talked nonsense stays JSON, and a good call still works", async ({ person }) => {
    const server = start();
    const { client, child } = server;
    await client.initialize();
    for (const line of ["", "nonsense", "{", "[]", '{"jsonrpc":"1.0"}', "\u0000", '"text"', "null"]) {
      child.stdin?.write(`${line}\n`);
    }
    const call = client.call("run_command", printing, token);
    await waitingProgress(client);
    await person.approves(places.home, face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ stdout: "once" });
  });
});

describe.each([
  ["000", 0o666],
  ["777", 0o000],
])("under the mask %s", (umask, madeMode) => {
  test("files of the home are private and usable, and a command keeps the mask of the client", async ({
    person,
  }) => {
    const server = start(underMask(umask, [program, "mcp"]));
    await server.client.initialize();
    const call = server.client.call("run_command", { line: "umask; touch made" }, token);
    await waitingProgress(server.client);
    const made = readdirSync(places.home, { recursive: true, encoding: "utf8" }).map((name) =>
      join(places.home, name),
    );
    const modes = [places.home, ...made].map((path) => statSync(path).mode & 0o777);
    await person.approves(places.home, face.only());
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ stdout: `0${umask}\n` });
    expect(made.length).toBeGreaterThan(4);
    expect(modes.filter((mode) => mode !== 0o700 && mode !== 0o600)).toEqual([]);
    expect(statSync(join(places.work, "made")).mode & 0o777).toBe(madeMode);
  });

  test.runIf(process.platform === "linux")("the server itself makes nothing for others", async () => {
    const server = start(underMask(umask, [program, "mcp"]));
    await server.client.initialize();
    expect(readFileSync(`/proc/${server.child.pid}/status`, "utf8")).toMatch(/^Umask:\t0077$/m);
  });
});

describe("files", () => {
  test("lie in the default home unless WISP_HOME names another", async () => {
    const server = start(undefined, { WISP_HOME: "" });
    await server.client.initialize();
    server.client.call("run_command", printing, token);
    await waitingProgress(server.client);
    expect(openFace(join(places.root, ".wisp")).waiting()).toHaveLength(1);
  });
});
