/** A person and the built server: what a yes does that comes when no call waits any more. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { runBare, wispOn } from "../support/built.js";
import { openFace } from "../support/face.js";
import { test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { listed, scene, serve } from "../support/scene.js";

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

  test("and whose yes came before its server was killed, runs once by the call to the next server", async ({
    person,
  }) => {
    const there = scene({ holdSeconds: 1 });
    const first = await serve(there);
    expect(await first.run("mkdir", "made")).toMatchObject({ outcome: "pending" });
    await person.approves(there.home.path, openFace(there.home.path).only());
    await first.kill();
    expect(existsSync(join(there.directory, "made"))).toBe(false);
    const second = await serve(there);
    expect(await second.run("mkdir", "made")).toMatchObject({ outcome: "approved", exitCode: 0 });
    await second.kill();
    const third = await serve(there);
    expect(await third.run("mkdir", "made")).toMatchObject({ outcome: "pending" });
    expect(await listed(there, "granted")).toEqual([]);
  });

  // Without the flag it would be held for 45 s.
  test("is held for as long as the command line of its server says", { timeout: 30_000 }, async () => {
    const { run } = await serve(scene({}), "--hold", "1");
    expect(await run("mkdir", "made")).toMatchObject({ outcome: "pending" });
  });
});

describe("what is configured", () => {
  test("ends an unused yes after approval.ttlSeconds", async ({ person }) => {
    const there = scene({ holdSeconds: 1, ttlSeconds: 1 });
    const { run } = await serve(there);
    expect(await run("mkdir", "made")).toMatchObject({ outcome: "pending" });
    await person.approves(there.home.path, openFace(there.home.path).only());
    const [kept] = await listed(there, "granted");
    // The second may have passed already.
    if (kept !== undefined) expect(kept).toMatchObject({ scope: "once" });
    await isOver(1_000);
    expect(await listed(there, "granted")).toEqual([]);
    expect(await run("mkdir", "made")).toMatchObject({ outcome: "pending" });
    expect(existsSync(join(there.directory, "made"))).toBe(false);
  });

  test("keeps nothing for a late answer with approval.lateSeconds 0", async () => {
    const there = scene({ ...hasty, lateSeconds: 0 });
    const { run } = await serve(there);
    expect(await run("mkdir", "made")).toMatchObject({ outcome: "timed_out" });
    expect(await listed(there, "pending", "--late")).toEqual([]);
  });
});

/** Real time passes, because what is configured is counted in the real clocks of several processes. */
function isOver(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
