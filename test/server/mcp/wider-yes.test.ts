/** A yes for the project or for always: what it leaves, for which calls, and until when. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeAccepted } from "../../../src/broker/files/sealed.js";
import {
  livenessOf,
  openRememberedRules,
  ownIdentity,
  type RememberedRules,
  rootSecretOf,
  type SoughtProcess,
  systemClock,
} from "../../../src/broker/index.js";
import type { Titled } from "../../../src/server/mcp/elicitation.js";
import { FakeClock } from "../../support/fake-clock.js";
import {
  connectInMemory,
  type MemoryServer,
  printing,
  readAtOnce,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { writePolicy } from "../../support/policy-files.js";
import { showsForms, type ToolResult } from "../../support/raw-client.js";

const exact = "Bash(printf %s once)";

async function run(server: MemoryServer, args: Record<string, unknown>): Promise<ToolResult> {
  return server.client.resultOf(server.client.call("run_command", args));
}

/** A person says yes to what `args` ask, for as far as `words` say. */
async function allowed(server: MemoryServer, args: Record<string, unknown>, words: object) {
  const token = `p${Math.random()}`;
  const call = server.client.call("run_command", args, { progressToken: token });
  await waitingProgress(server.client, token);
  const request = server.face.only();
  server.face.approve(request, words);
  return { request, result: await server.client.resultOf(call) };
}

/** Whether it is asked about, and what the request says of that; what it asks is denied. */
async function askedAgain(server: MemoryServer, args: Record<string, unknown>): Promise<readonly string[]> {
  const token = `p${Math.random()}`;
  const call = server.client.call("run_command", args, { progressToken: token });
  await waitingProgress(server.client, token);
  const request = server.face.only();
  server.face.deny(request);
  await server.client.resultOf(call);
  return request.reasons;
}

function textOf({ content = [] }: ToolResult): string {
  return content.map(({ text }) => text).join("\n");
}

function rememberedIn({ home }: MemoryServer): readonly Record<string, unknown>[] {
  return JSON.parse(readFileSync(join(home, "remembered.json"), "utf8")).permissions.remembered;
}

/** As another process opens them. */
function storeOf({ home }: MemoryServer): RememberedRules {
  const place = { path: home, ensureHome: () => home, clock: systemClock };
  const own = ownIdentity();
  const liveness = (one: SoughtProcess) => livenessOf(one, own);
  return openRememberedRules({ ...place, keys: rootSecretOf(place), own, liveness });
}

const emptied = '{"permissions":{"remembered":[]}}\n';

function writeRemembered({ home }: MemoryServer, text: string): void {
  writeFileSync(join(home, "remembered.json"), text, { mode: 0o600 });
}

async function reseal({ home }: MemoryServer, rules: readonly unknown[]): Promise<void> {
  const text = `${JSON.stringify({ permissions: { remembered: rules } }, null, 2)}\n`;
  const place = { path: home, ensureHome: () => home, clock: systemClock };
  await writeAccepted(place, "remembered.json", text, rootSecretOf(place));
  writeFileSync(join(home, "remembered.json"), text, { mode: 0o600 });
}

/** Another server on the same home, as after a restart. */
async function besides(server: MemoryServer, environment = {}): Promise<MemoryServer> {
  const next = await connectInMemory({}, { environment: { WISP_HOME: server.home, ...environment } });
  return { ...next, face: server.face };
}

/** The same call of `server` and of every other. */
function inWork({ work }: MemoryServer, args: Record<string, unknown>): Record<string, unknown> {
  return { ...args, directory: work };
}

describe("a yes for the project", () => {
  test("runs its call, leaves the exact rule, and lets the next call run without asking", async () => {
    const server = await connectInMemory();
    const { request, result } = await allowed(server, printing, { scope: "project" });
    expect(result.structuredContent).toMatchObject({
      scope: "project",
      via: "cli",
      rule: exact,
      stdout: "once",
    });
    expect(textOf(result)).toMatch(
      /^Approved \(project, via cli, terminal\)\. Until \d{4}-\d\d-\d\d rule Bash\(printf %s once\) lets the same run in this directory without asking, as long as/,
    );
    expect(server.face.receiptOf(request.id)).toMatchObject({
      outcome: "answered",
      scope: "project",
      ran: null,
    });
    const again = await run(server, printing);
    expect(again.structuredContent).toMatchObject({
      outcome: "approved",
      scope: "project",
      via: "cli",
      assurance: "terminal",
      request: request.id,
      rule: exact,
    });
    expect(textOf(again)).toMatch(
      /^Allowed by rule Bash\(printf %s once\) \(remembered\.json\): a person approved it for the project on \d{4}-\d\d-\d\d; nobody was asked now\./,
    );
    const kinds = server.face.audit().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "rule.remembered")).toHaveLength(1);
    expect(kinds.indexOf("rule.remembered")).toBeGreaterThan(kinds.indexOf("approval.decided"));
    expect(kinds.indexOf("rule.remembered")).toBeLessThan(kinds.indexOf("effect.started"));
  });

  test("counts after a restart, and in its directory alone", async () => {
    const server = await connectInMemory();
    const call = inWork(server, printing);
    await allowed(server, call, { scope: "project" });
    const next = await besides(server);
    expect((await run(next, call)).structuredContent).toMatchObject({ scope: "project" });
    const other = join(server.work, "other");
    mkdirSync(other);
    const reasons = await askedAgain(next, { ...printing, directory: other });
    expect(reasons.join()).toContain("a remembered rule does not fit: another directory");
    expect((await run(next, call)).structuredContent).toMatchObject({ scope: "project" });
  });

  test("is not offered for a program that whoever works there can change", async () => {
    const server = await connectInMemory();
    const deploy = join(server.work, "deploy");
    writeFileSync(deploy, "#!/bin/sh\necho hello\n", { mode: 0o755 });
    chmodSync(deploy, 0o755);
    const call = inWork(server, { argv: ["./deploy"] });
    const { request } = await allowed(server, call, { scope: "session" });
    expect(request.scopes).toEqual(["once", "session"]);
    expect((await run(server, call)).structuredContent).toMatchObject({
      scope: "session",
      stdout: "hello\n",
    });
    writeFileSync(deploy, "#!/bin/sh\necho evil\n");
    await askedAgain(server, call);
    await allowed(server, inWork(server, printing), { scope: "project" });
    expect(rememberedIn(server)).toMatchObject([
      { programIdentity: expect.stringMatching(/^device \d+ inode /) },
    ]);
    expect((await run(server, inWork(server, printing))).structuredContent).toMatchObject({
      scope: "project",
    });
  });

  test("does not count for a program file in another state, and that is said", async () => {
    const server = await connectInMemory();
    const call = inWork(server, printing);
    const kept = await allowed(server, call, { scope: "project" });
    expect(kept.result.structuredContent).toMatchObject({ scope: "project" });
    const [rule] = rememberedIn(server);
    // As if the program were another one now: nobody writes below `keys/` but for this test.
    await reseal(server, [
      { ...rule, programIdentity: String(rule?.programIdentity).replace(/ctime .*/, "ctime 1") },
    ]);
    const reasons = await askedAgain(server, call);
    expect(reasons.join()).toContain("the program file was changed since");
    const next = await besides(server);
    await reseal(server, [{ ...rule }]);
    expect((await run(next, call)).structuredContent).toMatchObject({ scope: "project" });
  });

  test("asks again once its rule is revoked, and once another rule asks", async () => {
    const server = await connectInMemory();
    const call = inWork(server, printing);
    await allowed(server, call, { scope: "project" });
    writePolicy(server.home, { ask: ["Bash(printf *)"] });
    expect((await askedAgain(server, call)).join()).toContain("another rule asks now");
    // That no is remembered for a minute: it comes before the rule.
    const next = await besides(server);
    writePolicy(server.home, { ask: ["Bash(nothing)"] });
    expect((await run(server, call)).structuredContent).toMatchObject({ outcome: "denied" });
    expect((await run(next, call)).structuredContent).toMatchObject({ scope: "project" });
    writeRemembered(server, emptied);
    await askedAgain(next, call);
  });

  test("that another process revokes while the server lives is asked about by every server, and left anew", async () => {
    const server = await connectInMemory();
    const call = inWork(server, printing);
    const next = await besides(server);
    await allowed(server, call, { scope: "project" });
    const [kept] = rememberedIn(server);
    expect((await run(next, call)).structuredContent).toMatchObject({ scope: "project" });
    expect(await storeOf(server).revoke(String(kept?.id))).toBe(true);
    for (const one of [server, next]) await askedAgain(one, call);
    const { result } = await allowed(await besides(server), call, { scope: "project" });
    expect(result.structuredContent).toMatchObject({ scope: "project", stdout: "once" });
  });

  test("that is over asks again and says so, and counts until then", async () => {
    const server = await connectInMemory({}, { clock: new FakeClock() });
    const call = inWork(server, printing);
    await allowed(server, call, { scope: "project" });
    /** Another server, so many milliseconds later. */
    const startedAfter = async (ms: number): Promise<MemoryServer> => {
      const clock = new FakeClock();
      clock.advance(ms);
      const next = await connectInMemory({}, { clock, environment: { WISP_HOME: server.home } });
      return { ...next, face: server.face };
    };
    const month = 30 * 24 * 3_600_000;
    expect((await run(await startedAfter(month - 1_000), call)).structuredContent).toMatchObject({
      scope: "project",
    });
    expect((await askedAgain(await startedAfter(month), call)).join()).toContain("it has expired");
  });

  test("lets all identical calls that wait run, and leaves one rule", async () => {
    const server = await connectInMemory();
    const calls = ["a", "b", "c"].map((progressToken) =>
      server.client.call("run_command", printing, { progressToken }),
    );
    for (const token of ["a", "b", "c"]) await waitingProgress(server.client, token);
    server.face.approve(server.face.only(), { scope: "project" });
    for (const call of calls) {
      expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ stdout: "once" });
    }
    expect(server.face.audit().filter(({ kind }) => kind === "rule.remembered")).toHaveLength(1);
  });

  test("that cannot be remembered counts once, and says so to the caller and in the receipt", async () => {
    const server = await connectInMemory();
    await allowed(server, { argv: ["true"] }, {});
    const call = server.client.call("run_command", printing, withProgress);
    await waitingProgress(server.client);
    // A file that cannot be used offers nothing wider: it breaks while the request waits.
    writeRemembered(server, "{");
    const request = server.face.only();
    server.face.approve(request, { scope: "always", note: "go" });
    const result = await server.client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ outcome: "approved", scope: "once", stdout: "once" });
    expect(result.structuredContent?.notRemembered).toContain("policy_invalid");
    expect(textOf(result)).toContain("It counted once, nothing is remembered: policy_invalid");
    expect(server.face.receiptOf(request.id)).toMatchObject({ outcome: "answered", scope: "once" });
    expect(server.face.receiptOf(request.id)?.note).toMatch(/^go \(nothing is remembered: /);
    expect(server.face.audit().filter(({ kind }) => kind === "rule.remembered")).toEqual([]);
    writeRemembered(server, emptied);
    await askedAgain(server, printing);
  });
});

describe("a yes for always", () => {
  test("remembers the rule that was picked among those offered, in every directory", async () => {
    const server = await connectInMemory();
    const call = server.client.call("run_command", { argv: ["git", "status"] }, withProgress);
    await waitingProgress(server.client);
    const asks = server.face.only();
    const wider = asks.remember?.offers[1]?.rule ?? "";
    expect(wider).toBe("Bash(git status *)");
    server.face.approve(asks, { scope: "always", rule: wider });
    await server.client.resultOf(call);
    const other = join(server.work, "other");
    mkdirSync(other);
    const result = await run(server, { argv: ["git", "status", "-s"], directory: other });
    expect(result.structuredContent).toMatchObject({ scope: "always", rule: wider });
    expect(textOf(result)).toContain("a person approved it for always on");
    await askedAgain(server, { argv: ["git", "diff"] });
  });
});

describe("the client's dialog", () => {
  test.each(["project", "always"] as const)("offers %s with the rule, and leaves it", async (scope) => {
    const server = await connectInMemory({ capabilities: showsForms }, { config: readAtOnce });
    const call = server.client.call("run_command", printing);
    const dialog = await server.client.firstOf("elicitation/create");
    expect(String(dialog.params?.message)).toContain(`The rule for longer: ${exact}`);
    const schema = dialog.params?.requestedSchema as { properties: { decision: { oneOf: Titled[] } } };
    expect(schema.properties.decision.oneOf.map((option) => option.const)).toEqual([
      "deny",
      "approve",
      "approve_session",
      "approve_project",
      "approve_always",
    ]);
    server.client.answer(dialog, { action: "accept", content: { decision: `approve_${scope}` } });
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ scope, rule: exact });
    expect((await run(server, printing)).structuredContent).toMatchObject({ scope, via: "elicitation" });
  });
});

test("what lies in the home is one rule for one yes, and nothing for a yes for once", async () => {
  const server = await connectInMemory();
  await allowed(server, printing, {});
  expect(readdirSync(server.home)).not.toContain("remembered.json");
  const { request } = await allowed(server, printing, { scope: "always" });
  expect(rememberedIn(server)).toMatchObject([{ rule: exact, scope: "always", request: request.id }]);
});
