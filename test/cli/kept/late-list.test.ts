import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pending } from "../../../src/cli/commands/pending.js";
import { show } from "../../../src/cli/commands/show.js";
import { wait } from "../../../src/cli/commands/wait.js";
import { approvalDraft } from "../../support/builders.js";
import { keptHome } from "../../support/kept-home.js";
import { startVerb } from "../../support/run-verb.js";
import { openAsker, tempHome } from "../../support/temp-home.js";

const piped = { canAnswer: false, isTerminal: false };

describe("wisp approvals pending --late", () => {
  it("says that nothing may be answered where there is no home, and makes none", async () => {
    const home = tempHome();
    const ran = await startVerb(pending, ["--late"], { home, ...piped }).ended;
    expect(ran).toEqual({ exit: 0, out: "", err: "Nothing that ended may still be answered.\n" });
    expect(existsSync(home.path)).toBe(false);
  });

  it("lists what ended unanswered, the oldest first, piped, as JSON and on a terminal", async () => {
    const kept = keptHome();
    const { home } = kept;
    const young = await kept.ends({ agoMs: 1_000, how: "withdrawn", draft: { thread: "one" } });
    const old = await kept.ends({ agoMs: 3_600_000 });
    const lines = await startVerb(pending, ["--late"], { home, ...piped }).ended;
    expect(lines.out.split("\n").map((line) => line.replace(/\t\d+\t/, "\tAGE\t"))).toEqual([
      `${old.id}\tmoderate\tAGE\ttest-client\t/home/p/api\tgit push origin main`,
      `${young.id}\tmoderate\tAGE\ttest-client/one\t/home/p/api\tgit push origin main`,
      "",
    ]);
    expect(lines.err).toBe("");
    const json = JSON.parse((await startVerb(pending, ["--late", "--json"], { home }).ended).out);
    expect(json.requests.map(({ id, ended }: { id: string; ended: string }) => [id, ended])).toEqual([
      [old.id, "timed_out"],
      [young.id, "withdrawn"],
    ]);
    const [first] = json.requests;
    expect(first).toMatchObject({ subject: old.subject, assurance: old.assurance, detached: false });
    // Until when it may be answered, and not when it would have ended.
    expect(first.expiresAt - Date.now()).toBeGreaterThan(82_000_000);
    expect(first.expiresAt - Date.now()).toBeLessThanOrEqual(82_800_000);
    const table = await startVerb(pending, ["--late"], { home, columns: 100 }).ended;
    expect(table.out.split("\n").map((line) => line.split(" ")[0])).toEqual(["id", old.id, young.id, ""]);
    expect(table.err).toContain(
      "wisp approvals approve ID, and the next identical call runs once; or deny ID",
    );
  });

  it("lists nothing that may not be answered, nor what waits", async () => {
    const kept = keptHome();
    openAsker(kept.home).channel.file(approvalDraft(), []);
    await kept.ends({ agoMs: 86_401_000 });
    await kept.ends({ lateSeconds: 0 });
    await kept.ends({ draft: { level: "dangerous" } });
    const good = await kept.ends();
    const { out } = await startVerb(pending, ["--late"], { home: kept.home, ...piped }).ended;
    expect(out.split("\n").map((line) => line.split("\t")[0])).toEqual([good.id, ""]);
  });

  it("counts what is none of ours, and lists the rest", async () => {
    const kept = keptHome();
    const good = await kept.ends();
    writeFileSync(join(kept.home.path, "late", "zzzzzzzz.json"), "{}", { mode: 0o600 });
    const { out, err } = await startVerb(pending, ["--late"], { home: kept.home, ...piped }).ended;
    expect(out.split("\t")[0]).toBe(good.id);
    expect(err).toBe("1 file in late/ is none that this home kept.\n");
  });

  it("clears away first what nobody can answer any more", async () => {
    const kept = keptHome();
    const over = await kept.ends({ agoMs: 86_401_000 });
    const [name = ""] = readdirSync(join(kept.home.path, "late"));
    expect(name).toContain(over.id);
    const path = join(kept.home.path, "late", name);
    await startVerb(pending, ["--late"], { home: kept.home, ...piped }).ended;
    expect(existsSync(path)).toBe(false);
  });

  it("refuses a directory that others can open, and lists again once it is repaired", async () => {
    const kept = keptHome();
    const { id } = await kept.ends();
    const path = join(kept.home.path, "late");
    chmodSync(path, 0o755);
    const refused = await startVerb(pending, ["--late"], { home: kept.home, ...piped }).ended;
    expect([refused.exit, refused.out]).toEqual([8, ""]);
    expect(refused.err).toContain(`chmod 700 ${path}`);
    chmodSync(path, 0o700);
    expect((await startVerb(pending, ["--late"], { home: kept.home, ...piped }).ended).out).toContain(id);
  });
});

describe("what waits", () => {
  it("is listed with a word about what ended, where a person reads and something did", async () => {
    const kept = keptHome();
    expect((await startVerb(pending, [], { home: kept.home }).ended).err).not.toContain("--late");
    await kept.ends();
    const { err } = await startVerb(pending, [], { home: kept.home }).ended;
    expect(err).toMatch(/what may still be answered: WISP_HOME=\S+ wisp approvals pending --late\n$/);
    expect((await startVerb(pending, [], { home: kept.home, ...piped }).ended).err).toBe("Nothing waits.\n");
  });
});

describe("show of what has ended", () => {
  it("shows all of it anywhere, how it ended, and what a yes does", async () => {
    const kept = keptHome();
    const request = await kept.ends({ agoMs: 60_000, how: "abandoned" });
    const { exit, out, err } = await startVerb(show, [request.id], { home: kept.home, ...piped }).ended;
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain(`request       ${request.id} (approval)\nruns          git push origin main\n`);
    expect(out).toContain("ended         abandoned: the caller cancelled, 1:00 ago\n");
    expect(out).toContain(
      "a yes now     the next identical call of test-client in /home/p/api runs once, until ",
    );
    expect(out).toContain("from here     no answer: standard input is no terminal\n");
  });

  it.each([
    [true, "terminal; no yes if this command finds itself within a client's own processes"],
    [false, "no yes: standard input is not the terminal that controls this command"],
    [null, "terminal; no yes if this command finds itself within a client's own processes"],
  ])("says what an answer from a terminal would be that controls it: %s", async (isControlling, text) => {
    const kept = keptHome();
    const { id } = await kept.ends();
    const { out } = await startVerb(show, [id], { home: kept.home, isControlling, columns: 200 }).ended;
    expect(out).toContain(`from here     ${text}\n`);
  });

  it("says as JSON how and until when, and why not where it takes no yes", async () => {
    const kept = keptHome();
    const good = await kept.ends();
    const bad = await kept.ends({ draft: { level: "dangerous" } });
    const shown = async (id: string) =>
      JSON.parse((await startVerb(show, [id, "--json"], { home: kept.home }).ended).out);
    expect(await shown(good.id)).toMatchObject({
      schemaVersion: 1,
      request: { id: good.id },
      answerable: true,
      detached: false,
      ended: { how: "timed_out", answerableUntil: expect.any(Number) },
    });
    const reason = "it is dangerous, and is approved only while its call waits";
    expect(await shown(bad.id)).toMatchObject({ answerable: false, reason });
    const { exit, err } = await startVerb(show, [bad.id], { home: kept.home }).ended;
    expect([exit, err]).toEqual([0, `It cannot be approved: ${reason}.\n`]);
  });

  it("is not waited for", async () => {
    const kept = keptHome();
    const { id } = await kept.ends();
    expect((await startVerb(wait, [id], { home: kept.home }).ended).exit).toBe(3);
  });
});
