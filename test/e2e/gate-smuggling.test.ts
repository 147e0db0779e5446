/** `wisp gate` as built, in front of a server that keeps every byte it is sent. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { wispProgram } from "../support/built.js";
import { makePlaces } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { acceptPolicy } from "../support/policy-files.js";
import { type ServerProcess, startServer } from "../support/raw-client.js";
import { callsFoundIn, smuggledFrames } from "../support/smuggled-frames.js";

const worker = fileURLToPath(new URL("workers/recording-upstream.mjs", import.meta.url));

interface Gate extends ServerProcess {
  /** All that the server was sent. */
  readonly received: () => string;
}

/** A gate that lets `read` through, denies `wipe`, and asks about nothing. */
async function startGate(...mode: readonly string[]): Promise<Gate> {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  await acceptPolicy(places.home, { allow: ["mcp__rec__read"], deny: ["mcp__rec__wipe"] });
  const file = join(places.root, "received");
  const server = startServer(
    [process.execPath, wispProgram, "gate", "--name", "rec", "--", process.execPath, worker, file, ...mode],
    { directory: places.work, environment: { HOME: places.root, WISP_HOME: places.home } },
  );
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return { ...server, received: () => (existsSync(file) ? readFileSync(file, "utf8") : "") };
}

/** A call of `read` is answered by the server. */
async function readWorks({ client }: ServerProcess): Promise<void> {
  expect(await client.resultOf(client.call("read", {}))).toMatchObject({ content: [{ text: "read ran" }] });
}

test("what is smuggled reaches no server, and after each of it a good call works", async () => {
  const gate = await startGate();
  await gate.client.initialize();
  await readWorks(gate);
  for (const [how, written] of smuggledFrames) {
    gate.child.stdin?.write(Buffer.concat([Buffer.from(written), Buffer.from("\n")]));
    await readWorks(gate);
    const calls = callsFoundIn(gate.received()).map((call) => JSON.stringify(call));
    expect(
      calls.filter((call) => call.includes("wipe")),
      how,
    ).toEqual([]);
  }
  const refusals = gate.client.received.filter(({ error }) => error !== undefined);
  expect(refusals).toHaveLength(smuggledFrames.length);
  expect(gate.strayLines).toEqual([]);
});

test("a denied call is refused, and reaches no server", async () => {
  const gate = await startGate();
  await gate.client.initialize();
  expect(await gate.client.resultOf(gate.client.call("wipe", {}))).toMatchObject({ isError: true });
  await readWorks(gate);
  expect(gate.received()).not.toContain("wipe");
});

test("a server that prints what is no message, and floods its standard error, is heard all the same", async () => {
  const gate = await startGate("noisy");
  await gate.client.initialize();
  await readWorks(gate);
  expect(gate.strayLines).toEqual([]);
  expect(gate.client.received.every((message) => message.jsonrpc === "2.0")).toBe(true);
  expect(gate.errors()).toContain("recording server, listening");
  expect(gate.errors().length).toBeGreaterThan(300_000);
});

test.each(["closes", "never reads"])(
  "a client that %s standard error loses what is said there, and nothing else",
  async (how) => {
    const gate = await startGate("noisy");
    if (how === "closes") gate.child.stderr?.destroy();
    else gate.child.stderr?.pause();
    await gate.client.initialize();
    await readWorks(gate);
    gate.child.stdin?.end();
    expect(await gate.ended).toMatchObject({ code: 0 });
  },
);

test("half a message before the client leaves reaches no server, and both end", async () => {
  const gate = await startGate();
  await gate.client.initialize();
  await readWorks(gate);
  gate.child.stdin?.end('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"wipe"');
  expect(await gate.ended).toMatchObject({ code: 0 });
  expect(gate.received()).not.toContain("wipe");
});
