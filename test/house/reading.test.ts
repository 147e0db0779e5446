/** docs/reading.md says what programs read: each of its tables is held to what the built programs print. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { auditEvents } from "../../src/broker/audit/events.js";
import { lastingEvents } from "../../src/broker/audit/lasting-events.js";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { ownIdentity } from "../../src/broker/identity/process.js";
import { answerFileName } from "../../src/broker/request/answer.js";
import { type ApprovalRequest, requestFileName } from "../../src/broker/request/request.js";
import { fileByDeadServer } from "../support/answering.js";
import { answerTo } from "../support/builders.js";
import { runBare, wispOn, wispProgram } from "../support/built.js";
import { unfitIn } from "../support/event-shapes.js";
import { type Face, openFace } from "../support/face.js";
import { factHome, factsIn } from "../support/fact-trip.js";
import { droppedFact, keptFact } from "../support/facts.js";
import { filed, filedOnly } from "../support/filed.js";
import { keptHome } from "../support/kept-home.js";
import { type Person, test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { type RawClient, showsForms, startServer } from "../support/raw-client.js";
import { firstCells, namesIn, page, rowOf, tableIn } from "../support/reading-page.js";
import { openFace as openChannel, tempDirectory } from "../support/temp-home.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const channelPage = readFileSync(join(root, "docs/channel.md"), "utf8");

type Line = Readonly<Record<string, unknown>>;

describe("what the command prints for programs", () => {
  it("of requests that wait is what the page says", async () => {
    const { home } = filedOnly();
    const printed = await printedBy(home, "approvals", "pending", "--json");
    expect(keysOf(printed)).toEqual(["requests", "schemaVersion"]);
    const [request = {}] = printed.requests as Line[];
    expect(keysOf(request)).toEqual(firstCells("Requests that wait"));
  });

  it("of requests that wait, between tabs, is what the page says", async () => {
    const { home, request } = filedOnly({ thread: "git\tx" });
    const { out } = await runBare(wispOn(home, "approvals", "pending"));
    const [line, ...others] = out.split("\n");
    expect(others).toEqual([""]);
    const cells = line?.split("\t");
    expect(cells?.[3]).toBe("test-client/git\\u{9}x");
    const printed = await printedBy(home, "approvals", "pending", "--json");
    const [{ directory, summary } = {}] = printed.requests as Line[];
    expect(cells).toEqual([
      request.id,
      request.level,
      expect.stringMatching(/^\d+$/),
      cells?.[3],
      directory,
      summary,
    ]);
  });

  it("of one request is what the page says, whether it can be answered or not", async () => {
    const { home, request } = filedOnly();
    const good = await printedBy(home, "approvals", "show", request.id, "--json");
    const path = join(home.pending, requestFileName(request));
    writeFileSync(path, JSON.stringify({ ...request, level: "low" }));
    const changed = await printedBy(home, "approvals", "show", request.id, "--json");
    expect([good.answerable, changed.answerable]).toEqual([true, false]);
    const keys = firstCells("One request").filter((key) => key !== "ended");
    expect(keysOf(changed)).toEqual(keys);
    expect(keysOf(good)).toEqual(keys.filter((key) => key !== "reason"));
    const hidden = Object.keys(request).filter((key) => !Object.hasOwn(good.request as Line, key));
    expect(hidden.filter((key) => !rowOf("One request", "request").includes(`\`${key}\``))).toEqual([]);
    expect(hidden).toHaveLength(3);
  });

  it("of requests that ended and may still be answered is what the page says", async () => {
    const kept = keptHome();
    const { id } = await kept.ends();
    const printed = await printedBy(kept.home, "approvals", "pending", "--late", "--json");
    const [request = {}] = printed.requests as Line[];
    const late = tableIn("Requests that wait", 1).flatMap(([cell]) => namesIn(cell));
    expect(late).toEqual(["expiresAt", "ended"]);
    expect(keysOf(request)).toEqual([...new Set([...firstCells("Requests that wait"), ...late])].sort());
    const shown = await printedBy(kept.home, "approvals", "show", id, "--json");
    expect(keysOf(shown)).toEqual(firstCells("One request").filter((key) => key !== "reason"));
    const inner = namesIn(rowOf("One request", "ended")).filter(
      (key) => !["ended", "expiresAt"].includes(key),
    );
    expect(keysOf(shown.ended as Line)).toEqual(inner);
  });

  it("of facts that are kept or dropped is what the page says, and between tabs", async () => {
    const home = factHome();
    const facts = factsIn(home);
    await facts.keep(keptFact({ value: "a\tb" }));
    await facts.drop(droppedFact());
    for (const [index, flags] of [[], ["--dropped"]].entries()) {
      const printed = await printedBy(home, "facts", "list", ...flags, "--json");
      expect(keysOf(printed)).toEqual(["facts", "schemaVersion"]);
      const [fact = {}] = printed.facts as Line[];
      const named = tableIn("Facts", index).flatMap(([cell]) => namesIn(cell));
      const all =
        index === 0 ? named : ["id", "subject", "name", "value", "source", "directory", "client", ...named];
      expect(keysOf(fact)).toEqual([...all].sort());
      const { out } = await runBare(wispOn(home, "facts", "list", ...flags));
      expect(out.split("\n")[0]?.split("\t")).toHaveLength(6);
    }
  });

  it("of what was granted is what the page says, and between tabs", async () => {
    const kept = keptHome();
    await kept.keeps();
    const printed = await printedBy(kept.home, "approvals", "granted", "--json");
    expect(keysOf(printed)).toEqual(["grants", "schemaVersion"]);
    const [grant = {}] = printed.grants as Line[];
    expect(keysOf(grant)).toEqual(firstCells("What was granted"));
    const { out } = await runBare(wispOn(kept.home, "approvals", "granted"));
    const { id, scope, client, directory, rule } = grant;
    expect(out.trimEnd().split("\t")).toEqual([
      id,
      scope,
      expect.stringMatching(/^\d+$/),
      client,
      directory,
      rule,
    ]);
  });

  it("of an ended request is the receipt", async () => {
    const { home, request } = filed();
    openChannel(home).answer(answerTo(request));
    const receipt = await printedBy(home, "approvals", "wait", request.id, "--json");
    expect(keysOf(receipt)).toEqual(firstCells("Receipts", channelPage));
    expect(receipt).toMatchObject({ id: request.id, decision: "approve" });
  });

  it("of the configuration is what the page says", async () => {
    const { home } = filedOnly();
    const content = JSON.stringify({ approval: { timeoutSeconds: 900, ttlSeconds: 60 } });
    writeFileSync(join(home.path, "config.json"), content, { mode: 0o600 });
    const printed = await printedBy(home, "config", "list", "--json");
    const [, section = ""] = page.split("\n## Configuration\n");
    const named = section.split("\n| key ")[0] ?? "";
    expect(named).toContain("`keys`");
    expect(keysOf(printed).filter((key) => !named.includes(`\`${key}\``))).toEqual([]);
    const keys = printed.keys as Line[];
    expect(keysOfAll(keys)).toEqual(firstCells("Configuration"));
    const sources = new Set(keys.map(({ source }) => `\`${source}\``));
    expect(sources).toEqual(new Set(["`default`", "`config.json`", "`accepted`"]));
    expect([...sources].filter((source) => !rowOf("Configuration", "source").includes(source))).toEqual([]);
    const one = await printedBy(home, "config", "get", "approval.timeoutSeconds", "--json");
    expect(keysOf(one)).toEqual([...firstCells("Configuration"), "schemaVersion"].sort());
    expect(keysOf(await printedBy(home, "config", "path", "--json"))).toEqual(["path", "schemaVersion"]);
  });

  it("of what a rule makes of a call is what the page of rules says", async () => {
    const { home } = filedOnly();
    const printed = await printedBy(home, "policy", "check", "--json", "--", "ls && git status");
    const policyPage = readFileSync(join(root, "docs/policy.md"), "utf8");
    const [, paragraph = ""] = policyPage.split("\n## JSON\n");
    for (const key of [...keysOf(printed), ...keysOf((printed.parts as Line[])[0] ?? {})]) {
      expect(paragraph, key).toContain(`\`${key}\``);
    }
    expect(keysOf(printed.rule as Line).filter((key) => !paragraph.includes(`\`${key}\``))).toEqual([]);
  });

  it("of doctor's checks is what the page says", async () => {
    const { home } = filedOnly();
    writeFileSync(join(home.pending, "k7q2mx9d.request.json"), "[]", { mode: 0o600 });
    const printed = await printedBy(home, "doctor", "--json");
    expect(keysOf(printed)).toEqual(["checks", "ok", "schemaVersion"]);
    const checks = printed.checks as Line[];
    expect(keysOfAll(checks)).toEqual(firstCells("Doctor"));
    const statuses = new Set(checks.map(({ status }) => `\`${status}\``));
    expect([...statuses].filter((status) => !rowOf("Doctor", "status").includes(status))).toEqual([]);
    expect(statuses.has("`warn`")).toBe(true);
    const [, section = ""] = page.split("\n## Doctor\n");
    const named = new Set(namesIn(section.split("\n## ")[0]));
    expect(checks.map(({ name }) => String(name)).filter((name) => !named.has(name))).toEqual([]);
  });
});

describe("the audit log", () => {
  const isLong = { timeout: 60_000 };
  test(
    "has lines of every kind about calls and facts, and each fits the shape of its kind",
    isLong,
    async ({ person }) => {
      const directory = tempDirectory();
      const home = homeAt(join(directory, "home"), false);
      const face = openFace(home.path);
      await approveAmongJunk(start(home, directory), home, face, person);
      await approveInVain(start(home, directory), directory, face, person);
      await approveOnceForAll(start(home, directory), home, face, person);
      await askTwiceAfterNo(start(home, directory), face);
      await approveTooLate(home, directory, person);
      await tell(start(home, directory));
      await askPerson(start(home, directory), home, face);
      await keepAndForget(start(home, directory), home);
      await askInVain(start(home, directory), home);
      await passAGate(home, directory);
      fileByDeadServer(home);
      await runBare(wispOn(home, "approvals", "pending"));
      const lines = face.audit() as unknown as readonly Line[];
      expect(lines.map(unfitIn).filter((problem) => problem !== null)).toEqual([]);
      // What lasts has a run of its own: lasting-lines.test.ts.
      const lasting = new Set(Object.keys(lastingEvents));
      const others = Object.keys(auditEvents).filter((kind) => !lasting.has(kind));
      const written = lines.map(({ kind }) => String(kind)).filter((kind) => !lasting.has(kind));
      expect(new Set(written)).toEqual(new Set(others));
      const printed = await printedBy(home, "audit", "show", "--json");
      const decisions = printed.decisions as Line[];
      expect(keysOfAll(decisions)).toEqual(firstCells("The audit log"));
      const { out } = await runBare(wispOn(home, "audit", "show"));
      const cells = out
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split("\t").length);
      expect(cells).toEqual(decisions.map(() => 14));
    },
  );
});

/** A small server that lists and answers one tool that only reads. */
const reader = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "small", version: "1" } } });
  if (method === "tools/list") say({ id, result: { tools: [{ name: "list_directory", inputSchema: { type: "object" } }] } });
  if (method === "tools/call") say({ id, result: { content: [] } });
});`;

/** Through a gate: a call that its preset lets pass, and a batch, which goes nowhere. */
async function passAGate(home: Home, directory: string): Promise<void> {
  const server = [process.execPath, "-e", reader, directory];
  const gate = startServer(
    [process.execPath, wispProgram, "gate", "--preset", "filesystem", "--", ...server],
    {
      environment: { HOME: directory, WISP_HOME: home.path },
      directory,
    },
  );
  await gate.client.initialize();
  gate.child.stdin?.write("[]\n");
  const { result } = await gate.client.responseTo(
    gate.client.request("tools/call", { name: "list_directory", arguments: { path: directory } }),
  );
  expect(result).toEqual({ content: [] });
  gate.child.stdin?.end();
  await gate.ended;
}

/** A dialog's answer, a file and a process without a terminal that decide nothing, then a yes; the command runs. */
async function approveAmongJunk(client: RawClient, home: Home, face: Face, person: Person): Promise<void> {
  await client.initialize({ capabilities: showsForms });
  const call = client.call("run_command", { argv: ["true"] });
  client.answer(await client.firstOf("elicitation/create"), { action: "accept", content: {} });
  const request = face.only();
  writeFileSync(join(home.pending, answerFileName(request.id)), "junk", { mode: 0o600 });
  const refused = () => face.audit().filter(({ kind }) => kind === "answer.refused");
  await expect.poll(() => refused().length, { timeout: 10_000 }).toBe(1);
  const { pid, startedAt } = ownIdentity();
  face.approve(request, { by: { pid, startedAt, tty: null, version: "1" } });
  await expect.poll(() => refused().length, { timeout: 10_000 }).toBe(2);
  await person.approves(home.path, request);
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved", exitCode: 0 });
}

/** Two programs that are approved and do not start: one needs what is not there, one was changed meanwhile. */
async function approveInVain(
  client: RawClient,
  directory: string,
  face: Face,
  person: Person,
): Promise<void> {
  await client.initialize();
  for (const name of ["lacking", "changed"]) {
    const path = join(directory, name);
    writeFileSync(path, "#!/there/is/no/such/program\n", { mode: 0o700 });
    const call = client.call("run_command", { argv: [path] });
    await expect.poll(() => face.waiting().length, { timeout: 10_000 }).toBe(1);
    if (name === "changed") writeFileSync(path, "#!/bin/sh\n: longer than it was before\n");
    await person.approves(join(directory, "home"), face.only());
    expect((await client.resultOf(call)).isError).toBe(true);
  }
}

/** Two identical calls, of which one joins the other, and a yes for the session, by which a third asks nobody. */
async function approveOnceForAll(client: RawClient, home: Home, face: Face, person: Person): Promise<void> {
  await client.initialize();
  const calls = [1, 2].map(() => client.call("run_command", { argv: ["true"] }));
  const joined = () => face.audit().filter(({ details }) => Object.hasOwn(details, "joins"));
  await expect.poll(() => joined().length, { timeout: 10_000 }).toBe(1);
  await person.approves(home.path, face.only(), "--scope", "session");
  await Promise.all(calls.map((call) => client.resultOf(call)));
  await client.resultOf(client.call("run_command", { argv: ["true"] }));
}

/** A yes that comes when the request has ended; the next call uses it and cannot start, so it is given back, and taken back. */
async function approveTooLate(home: Home, directory: string, person: Person): Promise<void> {
  const config = join(home.path, "config.json");
  writeFileSync(config, '{"approval": {"timeoutSeconds": 1, "bannerDelaySeconds": 0}}', { mode: 0o600 });
  const client = start(home, directory);
  await client.initialize();
  const run = () => client.resultOf(client.call("run_command", { argv: [join(directory, "lacking")] }));
  const { structuredContent } = await run();
  const { requests } = await printedBy(home, "approvals", "pending", "--late", "--json");
  const late = (requests as ApprovalRequest[]).find(({ id }) => id === structuredContent?.request);
  if (late === undefined) throw new Error("It may not be answered.");
  await person.approves(home.path, late);
  expect((await run()).isError).toBe(true);
  const { grants } = await printedBy(home, "approvals", "granted", "--json");
  const [{ id } = {}] = grants as Line[];
  const words = wispOn(home, "approvals", "revoke", String(id));
  expect(await startInPty(words, { isApart: true }).ended).toBe(0);
  rmSync(config);
}

/** An agent's own words to the person. */
async function tell(client: RawClient): Promise<void> {
  await client.initialize();
  await client.resultOf(client.call("notify", { title: "done", body: "all of it", thread: "t" }));
}

/** A fact that a person keeps, and forgets again. */
async function keepAndForget(client: RawClient, home: Home): Promise<void> {
  await client.initialize();
  const fact = { subject: "s", name: "n", value: "v", source: "a file", thread: "f" };
  await client.resultOf(client.call("keep_fact", fact));
  const [request] = openChannel(home).pending().requests;
  if (request?.kind !== "fact") throw new Error("It does not wait.");
  for (const verb of ["keep", "forget"]) {
    const typed = startInPty(wispOn(home, "facts", verb, request.id), { isApart: true });
    expect(await typed.ended, typed.output()).toBe(0);
  }
}

/** A question of two calls, which a person declines in a terminal. */
async function askPerson(client: RawClient, home: Home, face: Face): Promise<void> {
  await client.initialize();
  const calls = [1, 2].map(() => client.call("ask_person", { question: "Which one?", thread: "q" }));
  const joined = () => face.audit().filter(({ kind }) => kind === "question.requested");
  await expect.poll(() => joined().length, { timeout: 10_000 }).toBe(2);
  const [request] = openChannel(home).pending().requests;
  if (request?.kind !== "question") throw new Error("It does not wait.");
  const words = wispOn(home, "questions", "decline", request.id, "--note", "ask somebody else");
  expect(await startInPty(words, { isApart: true }).ended).toBe(0);
  await Promise.all(calls.map((call) => client.resultOf(call)));
}

/** A call that is denied, and the same again, which nobody is asked about. */
async function askTwiceAfterNo(client: RawClient, face: Face): Promise<void> {
  await client.initialize();
  const call = client.call("run_command", { argv: ["true"] });
  await expect.poll(() => face.waiting().length, { timeout: 10_000 }).toBe(1);
  face.deny(face.only());
  await client.resultOf(call);
  expect((await client.resultOf(client.call("run_command", { argv: ["true"] }))).isError).toBe(true);
}

/** Nothing can be filed and there is no dialog. */
async function askInVain(client: RawClient, home: Home): Promise<void> {
  await client.initialize();
  chmodSync(home.pending, 0o755);
  expect((await client.resultOf(client.call("run_command", { argv: ["true"] }))).isError).toBe(true);
  chmodSync(home.pending, 0o700);
}

/** The built server on `home`, ended with the running test. */
function start(home: Home, directory: string): RawClient {
  const environment = { HOME: directory, WISP_HOME: home.path };
  const server = startServer([process.execPath, wispProgram, "mcp"], { directory, environment });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return server.client;
}

/** The one line of JSON that the built command prints. */
async function printedBy(home: Home, ...words: readonly string[]): Promise<Line> {
  const { out } = await runBare(wispOn(home, ...words));
  expect(out).toMatch(/^[\x20-\x7e]+\n$/);
  return JSON.parse(out) as Line;
}

function keysOf(value: object): readonly string[] {
  return Object.keys(value).sort();
}

function keysOfAll(values: readonly object[]): readonly string[] {
  return [...new Set(values.flatMap((value) => Object.keys(value)))].sort();
}
