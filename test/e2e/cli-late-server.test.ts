/** A person and the built server: what a yes does that comes when no call waits any more. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { runBare, wispOn, wispProgram } from "../support/built.js";
import { openFace } from "../support/face.js";
import { test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { startServer } from "../support/raw-client.js";
import { tempDirectory } from "../support/temp-home.js";

interface Scene {
  readonly directory: string;
  readonly home: Home;
}

/** A home in which requests are asked as `approval` says. */
function scene(approval: object): Scene {
  const directory = tempDirectory();
  const home = homeAt(join(directory, "home"), false);
  mkdirSync(home.path, { mode: 0o700 });
  writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ approval }), { mode: 0o600 });
  return { directory, home };
}

/** A server of its own, greeted; what it is asked to run it runs in the scene's directory. */
async function serve({ directory, home }: Scene) {
  const environment = { HOME: directory, WISP_HOME: home.path };
  const server = startServer([process.execPath, wispProgram, "mcp"], { directory, environment });
  const kill = async (): Promise<void> => {
    server.child.kill("SIGKILL");
    await server.ended;
  };
  onTestFinished(kill);
  await server.client.initialize();
  const run = async (...argv: readonly string[]) => {
    const { structuredContent } = await server.client.resultOf(server.client.call("run_command", { argv }));
    return structuredContent ?? {};
  };
  return { run, kill };
}

async function listed({ home }: Scene, ...words: readonly string[]): Promise<readonly ApprovalRequest[]> {
  const { out } = await runBare(wispOn(home, "approvals", ...words, "--json"));
  const { requests, grants } = JSON.parse(out);
  return requests ?? grants;
}

/** Nobody answers in time. */
const hasty = { timeoutSeconds: 1, bannerDelaySeconds: 0 };

describe("a request that nobody answered", () => {
  test("is approved after its server was killed, and the next identical call runs, once", async ({
    person,
  }) => {
    const there = scene(hasty);
    const first = await serve(there);
    expect(await first.run("mkdir", "made")).toMatchObject({ outcome: "timed_out" });
    await first.kill();
    const [late] = await listed(there, "pending", "--late");
    if (late === undefined) throw new Error("Nothing may be answered.");
    await person.approves(there.home.path, late);
    expect(existsSync(join(there.directory, "made"))).toBe(false);
    expect(await listed(there, "granted")).toMatchObject([
      { id: late.id, scope: "once", rule: "mkdir made" },
    ]);
    const second = await serve(there);
    expect(await second.run("mkdir", "other")).toMatchObject({ outcome: "timed_out" });
    expect(await second.run("mkdir", "made")).toMatchObject({ outcome: "approved", exitCode: 0 });
    expect(await second.run("mkdir", "made")).toMatchObject({ outcome: "timed_out" });
    expect(await listed(there, "granted")).toEqual([]);
  });

  test("runs nothing where what was approved has changed since", async ({ person }) => {
    const there = scene(hasty);
    const program = join(there.directory, "program");
    writeFileSync(program, "#!/bin/sh\nmkdir made\n", { mode: 0o700 });
    const { run } = await serve(there);
    await run(program);
    const [late] = await listed(there, "pending", "--late");
    if (late === undefined) throw new Error("Nothing may be answered.");
    await person.approves(there.home.path, late);
    writeFileSync(program, "#!/bin/sh\nmkdir other\n: and more\n");
    expect(await run(program)).toMatchObject({ outcome: "drifted", code: "replay_drift" });
    expect(["made", "other"].filter((name) => existsSync(join(there.directory, name)))).toEqual([]);
    expect(await listed(there, "granted")).toEqual([]);
  });

  test("and was denied, or whose yes was taken back, is asked again", async ({ person }) => {
    const there = scene(hasty);
    const { run } = await serve(there);
    for (const end of ["deny", "revoke"]) {
      expect(await run("mkdir", end)).toMatchObject({ outcome: "timed_out" });
      const [late] = await listed(there, "pending", "--late");
      if (late === undefined) throw new Error("Nothing may be answered.");
      if (end === "deny") await person.denies(there.home.path, late, "no");
      else {
        await person.approves(there.home.path, late);
        const words = wispOn(there.home, "approvals", "revoke", late.id);
        expect(await startInPty(words, { isApart: true }).ended).toBe(0);
      }
      expect(await run("mkdir", end)).toMatchObject({ outcome: "timed_out" });
      const [again] = await listed(there, "pending", "--late");
      if (again === undefined) throw new Error("It was not asked again.");
      await person.denies(there.home.path, again, "no");
    }
    expect(readFileSync(join(there.home.path, "audit", "log.jsonl"), "utf8")).not.toContain("effect.started");
  });
});

describe("a request whose agent stopped waiting", () => {
  test("says so, and a yes to it is used by the repeated call, once", async ({ person }) => {
    const there = scene({ holdSeconds: 1 });
    const { run } = await serve(there);
    const { outcome, request } = await run("mkdir", "made");
    expect(outcome).toBe("pending");
    const id = String(request);
    const { out } = await runBare(wispOn(there.home, "approvals", "show", id));
    expect(out).toContain(
      "attention     the agent stopped waiting; a yes now is kept for its next identical call",
    );
    expect(await listed(there, "pending")).toMatchObject([{ id, detached: true }]);
    await person.approves(there.home.path, openFace(there.home.path).only());
    expect(existsSync(join(there.directory, "made"))).toBe(false);
    expect(await listed(there, "granted")).toMatchObject([{ id, scope: "once" }]);
    expect(await run("mkdir", "made")).toMatchObject({ outcome: "approved", exitCode: 0 });
    expect(await run("mkdir", "made")).toMatchObject({ outcome: "pending" });
  });
});
