/** What `wisp facts list` and `forget` do with what is kept. */
import { describe, expect, it } from "vitest";
import { listAll } from "../../../src/cli/kinds/fact-list.js";
import { showDecided } from "../../../src/cli/kinds/fact-show.js";
import { forgetOne } from "../../../src/cli/kinds/forget.js";
import { reportError } from "../../../src/cli/report.js";
import { decidedBy, droppedFact, keptFact } from "../../support/facts.js";
import { FakeClock } from "../../support/fake-clock.js";
import { type FakeTerminalOptions, fakeTerminal } from "../../support/fake-terminal.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";
import { FactShelf, memoryFacts } from "../../support/memory-facts.js";
import { factRequest } from "../../support/request-kinds.js";
import { startOn } from "../../support/run-verb.js";

function shelved() {
  const clock = new FakeClock();
  const shelf = new FactShelf();
  const facts = memoryFacts(shelf, clock);
  const audit = new MemoryAuditLog();
  const at = clock.now() - 90_000;
  const here = keptFact({ id: "aaaa2222", keptBy: decidedBy({ at }) });
  const everywhere = keptFact({
    id: "aaaa3333",
    scope: "global",
    subject: "me\u202e",
    keptBy: decidedBy({ via: "tui", at: at + 1_000 }),
  });
  const gone = droppedFact({ id: "bbbb2222", isForGood: true, droppedBy: decidedBy({ at }) });
  for (const one of [here, everywhere]) shelf.kept.set(one.id, one);
  shelf.dropped.set(gone.id, gone);
  const open = { ...factRequest(), id: "ffff2222" };
  const list = (isDropped: boolean, isJson: boolean, options: FakeTerminalOptions = {}) =>
    startOn(fakeTerminal({ clock, ...options }), (terminal) => listAll(isDropped, isJson, facts, terminal))
      .ended;
  const forget = (typed: string) =>
    startOn(fakeTerminal({ clock }), (terminal) =>
      forgetOne(typed, { facts, audit, waiting: [open] }, terminal).catch((error) =>
        reportError(error, terminal),
      ),
    ).ended;
  const show = (typed: string, isJson = false) =>
    startOn(fakeTerminal({ clock, columns: 120 }), (terminal) =>
      showDecided(typed, isJson, facts, [open], terminal),
    ).ended;
  return { open, shelf, audit, here, everywhere, gone, list, forget, show };
}

describe("wisp facts list", () => {
  it("as JSON has what is kept, oldest first", async () => {
    const { list, here, everywhere } = shelved();
    const { exit, out } = await list(false, true);
    expect(exit).toBe(0);
    const keys = [here, everywhere].map(({ id, subject, name, value, scope, keptBy }) => ({
      id,
      subject,
      name,
      value,
      source: "package.json",
      directory: "/home/p/api",
      client: { name: "test-client", version: "1.0.0" },
      scope,
      keptAt: keptBy.at,
    }));
    expect(JSON.parse(out)).toEqual({ schemaVersion: 1, facts: keys });
  });

  it("as JSON has what was dropped", async () => {
    const { list, gone } = shelved();
    const { id, subject, name, value, source, directory, droppedBy } = gone;
    const { client } = gone.proposedBy;
    expect(JSON.parse((await list(true, true)).out)).toEqual({
      schemaVersion: 1,
      facts: [
        { id, subject, name, value, source, directory, client, forGood: true, droppedAt: droppedBy.at },
      ],
    });
  });

  it("in a pipe has a line of six cells for each", async () => {
    const { list } = shelved();
    expect((await list(false, false, { isTerminal: false })).out).toBe(
      "aaaa2222\tproject\t90\ttest-client\t/home/p/api\tapi · test command: npm test\n" +
        "aaaa3333\tglobal\t89\ttest-client\t\tme\\u{202e} · test command: npm test\n",
    );
    expect((await list(true, false, { isTerminal: false })).out).toMatch(/^bbbb2222\tfor good\t90\t/);
  });

  it.each([
    ["setup", "this thread"],
    [null, "this session"],
  ])("tells of a drop in thread %s how far it counts: %s", async (thread, scope) => {
    const { list, shelf, gone, show } = shelved();
    const proposedBy = { ...gone.proposedBy, thread };
    shelf.dropped.set(gone.id, { ...gone, isForGood: false, proposedBy });
    expect((await list(true, false, { isTerminal: false })).out).toContain(`bbbb2222\t${scope}\t`);
    expect((await show("bbbb")).out).toContain(`dropped (${scope})`);
  });

  it("on a terminal is a table that fits, and says how one is seen whole and forgotten", async () => {
    const { list } = shelved();
    const { out, err } = await list(false, false, { columns: 80 });
    expect(out).toMatch(/^id +scope +age +who +directory +what\naaaa2222 +project +1:30 +/);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(err).toBe(
      "All of one: wisp facts show ID\nKeep one no longer: wisp facts forget ID\nWhat was dropped: wisp facts list --dropped\n",
    );
    expect((await list(true, false, { columns: 80 })).err).toBe(
      "All of one: wisp facts show ID\nLet one be asked for again: wisp facts forget ID\n",
    );
  });

  it("says that nothing is kept, and what lies there that is none of ours", async () => {
    const { list, shelf } = shelved();
    shelf.kept.clear();
    shelf.unreadable = 2;
    expect(await list(false, false)).toEqual({
      exit: 0,
      out: "",
      err: "No fact is kept.\n2 files in facts/ are none that this home kept.\n",
    });
  });
});

describe("wisp facts show", () => {
  it("tells all of one that is kept: what it says, who proposed it, and who kept it", async () => {
    const { show, shelf, here } = shelved();
    const value = `${"npm-run-test:all;".repeat(12)}\u202e`;
    shelf.kept.set(here.id, { ...here, value });
    const { exit, out } = await show("aaaa2");
    expect(exit).toBe(0);
    const rows = new Map(out.split("\n").map((row) => [row.slice(0, 14).trim(), row.slice(14)] as const));
    expect(rows.get("fact")).toBe("aaaa2222");
    expect(rows.get("is")).toBe("kept (project)");
    expect(out.replaceAll(/\n {14}/g, "")).toContain(`${"npm-run-test:all;".repeat(12)}\\u{202e}\n`);
    expect(rows.get("source")).toBe("package.json");
    expect(rows.get("in")).toBe("/home/p/api");
    expect(rows.get("proposed by")).toBe("test-client 1.0.0");
    expect(rows.get("thread")).toBe("setup");
    expect(rows.get("session")).toBe(here.proposedBy.session);
    expect(rows.get("kept")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d in wisp facts$/);
  });

  it("tells of one that was dropped, and of one that is forgotten what it was", async () => {
    const { show, forget } = shelved();
    expect((await show("bbbb")).out).toMatch(/^fact +bbbb2222\nis +dropped \(for good\)\n/);
    await forget("aaaa3333");
    expect((await show("aaaa3333")).out).toMatch(/^fact +aaaa3333\nis +forgotten; it was kept \(global\)\n/);
  });

  it.each([
    ["aaaa", 2, "fits several ids: aaaa2222, aaaa3333"],
    ["../x", 2, "is no id"],
    [
      "zz",
      2,
      "What was kept has the ids that list shows; what was dropped, those of list --dropped.\n  wisp facts list\n",
    ],
    ["cccc", 3, "No fact that is called cccc is kept, dropped or forgotten."],
    [
      "ffff",
      3,
      "ffff2222 waits still: it is not kept, dropped or forgotten.\n  wisp approvals show ffff2222\n",
    ],
  ])("of %s tells why there is none", async (typed, code, why) => {
    const { show } = shelved();
    const { exit, out, err } = await show(typed);
    expect([exit, out]).toEqual([code, ""]);
    expect(err).toContain(why);
    expect((await show("aaaa2222")).exit).toBe(0);
  });

  it("as JSON says what list says, what was decided, and whether it is forgotten", async () => {
    const { show, forget, list } = shelved();
    const factOf = async (id: string) => JSON.parse((await show(id, true)).out);
    const [listed] = JSON.parse((await list(true, true)).out).facts;
    expect(await factOf("bbbb")).toEqual({
      schemaVersion: 1,
      fact: { ...listed, decision: "dropped", isForgotten: false },
    });
    await forget("aaaa3333");
    const now = { decision: "kept", scope: "global", isForgotten: true };
    expect((await factOf("aaaa3333")).fact).toMatchObject(now);
  });
});

describe("wisp facts forget", () => {
  it("moves the one that was meant, and writes it down", async () => {
    const { forget, shelf, audit, list } = shelved();
    expect((await forget("aaaa3")).out).toBe("forgotten (kept: global): me\\u{202e} · test command\n");
    expect([...shelf.forgotten.keys()]).toEqual(["aaaa3333"]);
    expect(audit.events).toEqual([
      expect.objectContaining({ kind: "fact.forgotten", call: "aaaa3333", details: { was: "kept: global" } }),
    ]);
    expect(JSON.parse((await list(false, true)).out).facts).toHaveLength(1);
  });

  it("forgets a drop as well, so that it may be asked for again", async () => {
    const { forget, shelf } = shelved();
    expect((await forget("bbbb2222")).out).toContain("forgotten (dropped: for good): ");
    expect(shelf.dropped.size).toBe(0);
  });

  it.each([
    ["aaaa", 2, "fits several ids: aaaa2222, aaaa3333"],
    ["../x", 2, "is no id"],
    [
      "zz",
      2,
      "What was kept has the ids that list shows; what was dropped, those of list --dropped.\n  wisp facts list\n",
    ],
    ["cccc", 3, "No fact that is called cccc is kept or dropped."],
    ["ffff", 3, "ffff2222 waits still: it is not kept or dropped.\n  wisp facts drop ffff2222\n"],
  ])("of %s moves nothing", async (typed, code, why) => {
    const { forget, shelf } = shelved();
    const { exit, err } = await forget(typed);
    expect(exit).toBe(code);
    expect(err).toContain(why);
    expect(shelf.kept.size).toBe(2);
    expect((await forget("aaaa2222")).exit).toBe(0);
  });

  it("moves nothing before that is written down, on disk, and nothing where it cannot be", async () => {
    const { forget, audit, shelf } = shelved();
    audit.failing = "durable";
    expect(await forget("aaaa2222")).toMatchObject({ exit: 8, out: "" });
    expect([shelf.forgotten.size, shelf.kept.size]).toEqual([0, 2]);
    audit.failing = "none";
    audit.holding = "durable";
    const forgetting = forget("aaaa2222");
    await Promise.resolve();
    expect(shelf.forgotten.size).toBe(0);
    audit.release();
    expect((await forgetting).exit).toBe(0);
    expect([...shelf.forgotten.keys()]).toEqual(["aaaa2222"]);
  });
});
