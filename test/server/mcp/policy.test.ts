/** What `run_command` does under the rules of a person: refuse, run, or ask. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  connectInMemory,
  type MemoryServer,
  printing,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { acceptPolicy, writePolicy, writeProjectPolicy } from "../../support/policy-files.js";
import type { ToolResult } from "../../support/raw-client.js";

const rule = "Bash(printf %s *)";

async function run(server: MemoryServer, args: Record<string, unknown>): Promise<ToolResult> {
  return server.client.resultOf(server.client.call("run_command", args));
}

/** Asks, says what was filed, and lets a person say yes to it once. */
async function asked(server: MemoryServer, args: Record<string, unknown>) {
  const token = `p${Math.random()}`;
  const call = server.client.call("run_command", args, { progressToken: token });
  await waitingProgress(server.client, token);
  const request = server.face.only();
  server.face.approve(request);
  const result = await server.client.resultOf(call);
  expect(result.structuredContent).toMatchObject({ outcome: "approved" });
  return request;
}

function textOf({ content = [] }: ToolResult): string {
  return content.map(({ text }) => text).join("\n");
}

function filed({ home }: MemoryServer): readonly string[] {
  const pending = join(home, "pending");
  return existsSync(pending) ? readdirSync(pending) : [];
}

describe("a rule that denies", () => {
  test.each<readonly [string, Record<string, unknown>]>([
    ["words", printing],
    ["a line", { line: "printf %s once" }],
    ["a part of a line", { line: "true && printf %s once" }],
    ["a line that is not understood whole", { line: "printf %s $(echo once)" }],
  ])("refuses %s, asks nobody, and is no person's no", async (_what, args) => {
    const server = await connectInMemory();
    writePolicy(server.home, { deny: [{ rule, reason: "print it yourself" }] });
    for (let call = 0; call < 2; call += 1) {
      const result = await run(server, args);
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toMatchObject({
        outcome: "refused",
        code: "policy_refused",
        retryable: false,
        request: null,
        rule,
      });
      expect(textOf(result)).toMatch(
        /^Refused: print it yourself\. A rule of the person's refuses this \(deny Bash\(printf %s \*\) \(policy\.json:4\)\); no person was asked\./,
      );
    }
    expect(filed(server)).toEqual([]);
    expect(server.face.audit().map(({ kind }) => kind)).toEqual(["policy.judged", "policy.judged"]);
    expect(server.face.audit()[0]?.details).toMatchObject({ verdict: "deny" });
    // A person did not say no: once the rule is gone the same call is asked about.
    writePolicy(server.home, { deny: ["Bash(nothing)"] });
    await asked(server, args);
  });

  test("of a project's file is said to be the project's", async () => {
    const server = await connectInMemory();
    writeProjectPolicy(server.work, { deny: [rule], allow: ["Bash(echo *)"] });
    expect(textOf(await run(server, printing))).toContain("A rule of the project's refuses this");
    const request = await asked(server, { argv: ["echo", "once"] });
    expect(request.kind === "approval" && request.reasons.join()).toContain(
      "a project's file allows nothing",
    );
  });
});

describe("a rule that allows", () => {
  test("lets a call run at once, and says so", async () => {
    const server = await connectInMemory();
    await acceptPolicy(server.home, { allow: [rule] });
    const result = await run(server, printing);
    expect(result.structuredContent).toMatchObject({
      outcome: "approved",
      stdout: "once",
      scope: null,
      via: "policy",
      assurance: null,
      request: null,
      rule,
    });
    expect(textOf(result)).toMatch(
      /^Allowed by rule Bash\(printf %s \*\) \(policy\.json:4\); nobody was asked\. Exit code 0/,
    );
    expect(filed(server)).toEqual([]);
  });

  test("is on record before the command begins, each run under an id of its own", async () => {
    const server = await connectInMemory();
    // What a call itself names of the home is dangerous; a program of the person's own may read there.
    const reader = join(server.work, "reader");
    writeFileSync(reader, `#!/bin/sh\ncat '${join(server.home, "audit/log.jsonl")}'\n`, { mode: 0o755 });
    await acceptPolicy(server.home, { allow: [`Bash(${reader})`] });
    const seen = await run(server, { argv: [reader] });
    const before = String(seen.structuredContent?.stdout).trim().split("\n");
    expect(before.map((line) => JSON.parse(line).kind)).toEqual([
      "policy.judged",
      "approval.decided",
      "effect.started",
    ]);
    await run(server, { argv: [reader] });
    const runs = server.face.audit().flatMap(({ details }) => details.run ?? []);
    expect(runs).toHaveLength(6);
    expect(new Set(runs).size).toBe(2);
    expect([new Set(runs.slice(0, 3)).size, new Set(runs.slice(3)).size]).toEqual([1, 1]);
  });

  test.each<readonly [string, Record<string, unknown>]>([
    ["a line that is not understood whole", { line: "printf %s $(echo once)" }],
    ["another command", { argv: ["printf", "%d", "1"] }],
    ["a line of which it allows a part", { line: "printf %s once; printf %d 1" }],
  ])("lets %s be asked about", async (_what, args) => {
    const server = await connectInMemory();
    await acceptPolicy(server.home, { allow: [rule] });
    await asked(server, args);
    expect((await run(server, printing)).structuredContent).toMatchObject({ via: "policy" });
  });

  test("lets what is dangerous be asked about, for once and the session alone", async () => {
    const server = await connectInMemory();
    await acceptPolicy(server.home, { allow: ["Bash"] });
    const request = await asked(server, { argv: ["rm", "-rf", join(server.work, "nothing")] });
    expect(request).toMatchObject({ level: "dangerous", scopes: ["once", "session"] });
    expect("remember" in request).toBe(false);
  });

  test("counts for nothing while nobody accepted it, and that is said with the home to accept it in", async () => {
    const server = await connectInMemory();
    writePolicy(server.home, { allow: [rule] });
    const request = await asked(server, printing);
    expect(request.kind === "approval" && request.reasons).toContain(
      `policy.json: 1 looser rule waits for: WISP_HOME=${server.home} wisp accept`,
    );
  });

  test("counts for nothing while the configuration cannot be used", async () => {
    const server = await connectInMemory({}, { config: { approval: { colour: "red" } } });
    await acceptPolicy(server.home, { allow: [rule] });
    expect((await asked(server, printing)).kind === "approval").toBe(true);
  });
});

describe("a rule that asks", () => {
  test("is named with its place, and cuts how far a yes reaches", async () => {
    const server = await connectInMemory();
    writePolicy(server.home, { ask: [{ rule, level: "high", maxScope: "session" }] });
    expect(await asked(server, printing)).toMatchObject({
      level: "high",
      rule: "ask Bash(printf %s *) (policy.json:4)",
      scopes: ["once", "session"],
    });
    expect("remember" in (await asked(server, printing))).toBe(false);
  });

  test("stops a yes for the session once it offers none", async () => {
    const server = await connectInMemory();
    const call = server.client.call("run_command", printing, withProgress);
    await waitingProgress(server.client);
    server.face.approve(server.face.only(), { scope: "session" });
    await server.client.resultOf(call);
    expect((await run(server, printing)).structuredContent).toMatchObject({ scope: "session" });
    writePolicy(server.home, { ask: [{ rule, maxScope: "once" }] });
    expect(await asked(server, printing)).toMatchObject({ scopes: ["once"], subject: { pattern: null } });
  });

  test("a file that cannot be used lets everything be asked about, once, and says why", async () => {
    const server = await connectInMemory();
    await acceptPolicy(server.home, { allow: [rule], deny: ["Bash(false)"] });
    writePolicy(server.home, "{");
    const request = await asked(server, printing);
    expect(request).toMatchObject({ scopes: ["once"] });
    expect(request.kind === "approval" && request.reasons.join()).toContain("policy.json cannot be used");
    expect((await run(server, { argv: ["false"] })).structuredContent).toMatchObject({
      code: "policy_refused",
    });
  });
});

describe("a file of rules of which something waits, or that cannot be used,", () => {
  test("is said once to whoever looks at the server, and again when it changed", async () => {
    const server = await connectInMemory();
    writePolicy(server.home, { allow: [rule] });
    await asked(server, printing);
    await asked(server, { argv: ["printf", "%d", "1"] });
    const waits = `policy.json: 1 looser rule waits for: WISP_HOME=${server.home} wisp accept`;
    expect(server.said).toEqual([waits]);
    writePolicy(server.home, "{");
    await asked(server, { argv: ["printf", "%d", "2"] });
    expect(server.said.slice(1)).toEqual([
      expect.stringMatching(/^policy\.json cannot be used: policy\.json:1: /),
    ]);
    writePolicy(server.home, { allow: [rule] });
    await asked(server, { argv: ["printf", "%d", "3"] });
    expect(server.said.slice(2)).toEqual([waits]);
  });

  test("in a project is said once, whichever of its calls and those of others come", async () => {
    const server = await connectInMemory();
    const project = join(server.work, "project");
    mkdirSync(join(project, ".wisp"), { recursive: true });
    writeFileSync(join(project, ".wisp/policy.json"), "{");
    for (const [index, directory] of [project, server.work, project].entries()) {
      await asked(server, { argv: ["printf", "%d", `${index}`], directory });
    }
    expect(server.said).toEqual([expect.stringContaining(`${project}/.wisp/policy.json`)]);
    rmSync(join(project, ".wisp/policy.json"));
    await asked(server, { argv: ["printf", "%d", "8"], directory: project });
    writeFileSync(join(project, ".wisp/policy.json"), "{");
    await asked(server, { argv: ["printf", "%d", "9"], directory: project });
    expect(server.said).toHaveLength(2);
  });
});
