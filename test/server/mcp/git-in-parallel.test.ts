/** Two commands in one git work tree that are asked about together, of which the first stages something. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/broker/request/request.js";
import { connectInMemory, type MemoryServer, textOf, waitingProgress } from "../../support/mcp-server.js";
import { PatientClock } from "../../support/patient-clock.js";
import type { ToolResult } from "../../support/raw-client.js";
import { tempDirectory } from "../../support/temp-home.js";

const hasGit = spawnSync("git", ["--version"]).status === 0;

const staging = ["git", "add", "new"];
const committing = ["git", "commit", "--quiet", "--message", "second"];

interface Parallel extends MemoryServer {
  readonly clock: PatientClock;
  readonly calls: (argv: readonly string[]) => number;
  /** Calls in the work tree, and resolves with the call when it waits. */
  readonly asks: (argv: readonly string[]) => Promise<number>;
  /** The one request about this. */
  readonly about: (argv: readonly string[]) => ApprovalRequest;
  readonly approve: (argv: readonly string[], call: number) => Promise<ToolResult>;
  readonly commits: () => number;
}

/** A work tree with one commit, something to add, and something staged that the person was shown. */
async function workTree(): Promise<Parallel> {
  const root = tempDirectory();
  const environment = { HOME: root, GIT_CONFIG_NOSYSTEM: "1", PATH: process.env.PATH };
  const git = (...words: readonly string[]): string =>
    execFileSync("git", words, { cwd: root, env: environment, encoding: "utf8" });
  git("init", "--quiet");
  git("config", "user.name", "p");
  git("config", "user.email", "p@example.invalid");
  git("commit", "--quiet", "--allow-empty", "--message", "first");
  writeFileSync(join(root, "shown"), "shown\n");
  git("add", "shown");
  writeFileSync(join(root, "new"), "new\n");
  const clock = new PatientClock();
  const server = await connectInMemory({}, { clock, environment: { HOME: root } });
  const calls = (argv: readonly string[], progressToken?: string): number =>
    server.client.call("run_command", { argv, directory: root }, progressToken ? { progressToken } : {});
  let made = 0;
  const about = (argv: readonly string[]): ApprovalRequest => {
    const line = argv.join(" ");
    const found = server.face.waiting().find(({ subject }) => "line" in subject && subject.line === line);
    return found ?? expect.fail(`Nothing waits for ${line}.`);
  };
  return {
    ...server,
    clock,
    about,
    calls,
    async asks(argv) {
      made += 1;
      const call = calls(argv, `t${made}`);
      await waitingProgress(server.client, `t${made}`);
      return call;
    },
    async approve(argv, call) {
      server.face.approve(about(argv));
      return await server.client.resultOf(call);
    },
    commits: () => Number(git("rev-list", "--count", "HEAD")),
  };
}

const ran = { outcome: "approved", exitCode: 0 };
const drifted = { outcome: "drifted", code: "replay_drift", retryable: true };

describe.skipIf(!hasGit)("a command in a git work tree that is asked about beside one that stages", () => {
  test("does not run on the yes to what was staged before, and a fresh ask does", async () => {
    const { asks, approve, about, commits } = await workTree();
    const [add, commit] = [await asks(staging), await asks(committing)];
    const first = about(committing);
    expect((await approve(staging, add)).structuredContent).toMatchObject(ran);
    const result = await approve(committing, commit);
    expect(result.structuredContent).toMatchObject({ ...drifted, request: first.id });
    expect(textOf(result)).toMatch(/^Drifted: What is checked out or staged/);
    expect(commits()).toBe(1);
    const again = await asks(committing);
    expect(about(committing).subject).not.toEqual(first.subject);
    expect((await approve(committing, again)).structuredContent).toMatchObject(ran);
    expect(commits()).toBe(2);
  });

  test("runs on its yes when that comes first, and then the other is the one that does not", async () => {
    const { asks, approve, commits } = await workTree();
    const [add, commit] = [await asks(staging), await asks(committing)];
    expect((await approve(committing, commit)).structuredContent).toMatchObject(ran);
    expect((await approve(staging, add)).structuredContent).toMatchObject(drifted);
    expect(commits()).toBe(2);
  });

  test("gives way to the same call that comes after the staging, and that is asked about anew", async () => {
    const { asks, approve, about, client, commits } = await workTree();
    const [add, commit] = [await asks(staging), await asks(committing)];
    const first = about(committing);
    expect((await approve(staging, add)).structuredContent).toMatchObject(ran);
    const again = await asks(committing);
    expect((await client.resultOf(commit)).structuredContent).toMatchObject({
      outcome: "withdrawn",
      request: first.id,
    });
    expect(about(committing).id).not.toBe(first.id);
    expect((await approve(committing, again)).structuredContent).toMatchObject(ran);
    expect(commits()).toBe(2);
  });

  test("does not run on a yes that was kept for it: that is spent, and the call after it asks", async () => {
    const { asks, calls, approve, about, client, clock, face, commits } = await workTree();
    const commit = await asks(committing);
    clock.advance(45_000);
    expect((await client.resultOf(commit)).structuredContent).toMatchObject({ outcome: "pending" });
    expect(await face.approveAndWait(about(committing))).toMatchObject({ kind: "won" });
    const add = await asks(staging);
    expect((await approve(staging, add)).structuredContent).toMatchObject(ran);
    expect((await client.resultOf(calls(committing))).structuredContent).toMatchObject(drifted);
    const again = await asks(committing);
    expect(commits()).toBe(1);
    expect((await approve(committing, again)).structuredContent).toMatchObject(ran);
    expect(commits()).toBe(2);
  });
});
