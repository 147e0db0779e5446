/** The lines of the audit log about what outlives a process, as the built programs write them: rules, files, and the log itself. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { lastingEvents } from "../../src/broker/audit/lasting-events.js";
import { logPathsNewestFirst } from "../../src/broker/audit/places.js";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { fileByDeadServer } from "../support/answering.js";
import { auditLogAt } from "../support/audit-logs.js";
import { runBare, wispOn, wispProgram } from "../support/built.js";
import { writeConfig } from "../support/config-files.js";
import { unfitIn } from "../support/event-shapes.js";
import { openFace } from "../support/face.js";
import { type Person, test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { type RawClient, startServer } from "../support/raw-client.js";
import { tempDirectory } from "../support/temp-home.js";

type Line = Readonly<Record<string, unknown>>;

/** The least that may be configured. */
const rotateBytes = 1_048_576;

test("has lines of every kind about what lasts, and each fits the shape of its kind", async ({ person }) => {
  const directory = tempDirectory();
  const home = homeAt(join(directory, "home"), false);
  await rememberAndRevoke(home, directory, person);
  await acceptAndSet(home);
  await putGate(home, directory);
  // Whoever writes next cuts off what a crash left.
  appendFileSync(join(home.path, "audit", "log.jsonl"), '{"v":1,"seq":');
  fileByDeadServer(home);
  await runBare(wispOn(home, "approvals", "pending"));
  await putAside(home, directory);
  const lines = linesOf(home);
  expect(lines.map(unfitIn).filter((problem) => problem !== null)).toEqual([]);
  const kinds = new Set(lines.map(({ kind }) => String(kind)));
  expect(Object.keys(lastingEvents).filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(await runBare(wispOn(home, "audit", "verify"))).toMatchObject({ exit: 0, err: "" });
});

/** A yes for always leaves a rule, which the person takes back. */
async function rememberAndRevoke(home: Home, directory: string, person: Person): Promise<void> {
  const client = await start(home, directory);
  const call = client.call("run_command", { argv: ["true"] });
  const face = openFace(home.path);
  await expect.poll(() => face.waiting().length, { timeout: 20_000 }).toBe(1);
  await person.approves(home.path, face.only(), "--scope", "always");
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ scope: "always" });
  const { out } = await runBare(wispOn(home, "approvals", "granted", "--json"));
  const { grants } = JSON.parse(out) as { grants: readonly { readonly id: string }[] };
  await person.types(home.path, "approvals", "revoke", grants[0]?.id ?? "");
}

/** A gate is put before a server that no preset is for, whose only tool is let pass. */
async function putGate(home: Home, directory: string): Promise<void> {
  const script = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const tools = [{ name: "look", annotations: { readOnlyHint: true } }];
    const result = method === "tools/list" ? { tools } : { protocolVersion: "2025-11-25" };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });`;
  const small = { command: process.execPath, args: ["-e", script] };
  writeFileSync(join(directory, ".mcp.json"), JSON.stringify({ mcpServers: { small } }));
  const words = ["env", `HOME=${directory}`, ...wispOn(home, "gate", "install", "small")];
  const typing = startInPty(words, { isApart: true, directory });
  const answers = [
    ["Type y to start it", "y"],
    ["Enter goes on: ", ""],
    ['Type "accept"', "accept"],
  ] as const;
  for (const [question, answer] of answers) {
    await typing.seen(question);
    typing.type(`${answer}\n`);
  }
  expect(await typing.ended, typing.output()).toBe(0);
}

/** A looser file is accepted, and a key is set to a value that makes the log be put aside soon. */
async function acceptAndSet(home: Home): Promise<void> {
  writeConfig(home.path, { approval: { timeoutSeconds: 900 } });
  const accepting = startInPty(wispOn(home, "accept"), { isApart: true });
  await accepting.seen('Type "accept"');
  accepting.type("accept\n");
  expect(await accepting.ended, accepting.output()).toBe(0);
  const words = wispOn(home, "config", "set", "audit.rotateBytes", String(rotateBytes));
  const setting = startInPty(words, { isApart: true });
  // A shorter record is a looser one.
  await setting.seen("Type y:");
  setting.type("y\n");
  expect(await setting.ended, setting.output()).toBe(0);
}

/** The log grows beyond what one file may hold, and a server writes on. */
async function putAside(home: Home, directory: string): Promise<void> {
  const log = auditLogAt(home.path);
  const keys = ["k".repeat(30_000)];
  const details = { how: "read", keys, waiting: [], fault: null } as const;
  const long = Array.from({ length: 40 }, () => ({ kind: "config.changed", call: null, details }) as const);
  await log.append(long, "plain");
  await log.close();
  const client = await start(home, directory);
  await client.resultOf(client.call("notify", { title: "done", body: "all of it" }));
}

/** The built server on `home`, ended with the running test. */
async function start(home: Home, directory: string): Promise<RawClient> {
  const environment = { HOME: directory, WISP_HOME: home.path };
  const server = startServer([process.execPath, wispProgram, "mcp"], { directory, environment });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  await server.client.initialize();
  return server.client;
}

/** Of all files of the log. */
function linesOf(home: Home): readonly Line[] {
  return logPathsNewestFirst(home.path).flatMap((path) =>
    readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line),
  );
}
