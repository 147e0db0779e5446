/** What a person does in a terminal with what has ended and with what yeses left behind, with the built command. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { approvalDraft, commandSubject } from "../support/builders.js";
import { runBare, wispOn } from "../support/built.js";
import { writeAcceptedConfig } from "../support/config-files.js";
import { boundTo } from "../support/grants.js";
import { keptHome } from "../support/kept-home.js";
import { type Pty, ptyMissing, startInPty } from "../support/pty.js";
import { openAsker } from "../support/temp-home.js";

const missing = ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`;

/** At a terminal that belongs to nobody's client. */
function typed(home: Home, ...words: readonly string[]): Pty {
  return startInPty(wispOn(home, "approvals", ...words), { isApart: true, columns: 300 });
}

/** As if this test were the server of a client that gives its agent a shell: all that it starts lies within. */
function claimToBeAnAgents(home: Home): void {
  openAsker(home).channel.file(approvalDraft(), []);
  const [name = ""] = readdirSync(home.servers);
  const path = join(home.servers, name);
  const record = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...record, client: { name: "claude-code", version: "1" } }));
}

describe.skipIf(ptyMissing !== null)(`what has ended, in a terminal${missing}`, () => {
  it("is approved the next morning, and the next identical call of whatever process may run once", async () => {
    const kept = keptHome();
    const request = await kept.ends({ agoMs: 8 * 3_600_000 });
    const pty = typed(kept.home, "approve", request.id);
    expect(await pty.ended).toBe(0);
    expect(pty.output()).toContain("ended         timed out: nobody answered in time, 8:00:00 ago\n");
    expect(pty.output()).toMatch(
      /^approved \(once, terminal, ancestors not all seen\): git push origin main — the next identical call of test-client in \/home\/p\/api runs once, until .*\n$/m,
    );
    const approval = kept.grants.find(boundTo());
    expect(approval?.request).toEqual(request);
    expect(await kept.grants.claim(request.id)).toBe(true);
    expect(await kept.grants.claim(request.id)).toBe(false);
    expect(keptHome(kept.home).grants.find(boundTo())).toBeNull();
  });

  it("takes a y where what runs is long", async () => {
    const kept = keptHome();
    const line = "echo\n".repeat(11);
    const subject = commandSubject({ line, command: line, argv: null });
    const request = await kept.ends({ draft: { subject } });
    const no = typed(kept.home, "approve", request.id);
    await no.seen("Type y and Enter");
    no.type("\n");
    expect(await no.ended).toBe(7);
    const yes = typed(kept.home, "approve", request.id);
    await yes.seen("Type y and Enter");
    yes.type("y\n");
    expect(await yes.ended).toBe(0);
    expect(kept.grants.find(boundTo())).not.toBeNull();
  });

  it("takes no yes from within a living server's client, and one from elsewhere", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    claimToBeAnAgents(kept.home);
    const within = startInPty(wispOn(kept.home, "approvals", "approve", request.id));
    expect(await within.ended).toBe(10);
    expect(within.output()).toContain("Not taken: this command was started from within test-client");
    expect(kept.grants.find(boundTo())).toBeNull();
    const log = readFileSync(join(kept.home.path, "audit", "log.jsonl"), "utf8");
    expect(log).toMatch(/"kind":"answer.refused","session":"cli".*"within":"claude-code"/);
    const apart = typed(kept.home, "approve", request.id);
    expect([await apart.ended, kept.grants.find(boundTo())?.id]).toEqual([0, request.id]);
  });

  it("takes no yes from a client's own processes where every client is refused, unless that is configured away", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    openAsker(kept.home).channel.file(approvalDraft(), []);
    const ran = async (ancestry: string): Promise<number> => {
      writeAcceptedConfig(kept.home.path, { approval: { ancestry } });
      return await startInPty(wispOn(kept.home, "approvals", "approve", request.id)).ended;
    };
    expect(await ran("always")).toBe(10);
    expect(kept.grants.find(boundTo())).toBeNull();
    expect(await ran("never")).toBe(0);
  });

  it("takes no yes from a terminal that is only borrowed", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const words = ["setsid", "-w", ...wispOn(kept.home, "approvals", "approve", request.id)];
    const borrowed = startInPty(words, { isApart: true, columns: 200 });
    expect(await borrowed.ended).toBe(10);
    expect(borrowed.output()).toContain("from here     no yes: standard input is not the terminal that");
    expect(kept.grants.find(boundTo())).toBeNull();
    expect(await typed(kept.home, "approve", request.id).ended).toBe(0);
  });

  it("is denied at once, and nobody can approve it any more", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    expect(await typed(kept.home, "deny", request.id).ended).toBe(0);
    const late = typed(kept.home, "approve", request.id);
    expect(await late.ended).toBe(3);
    expect(kept.grants.find(boundTo())).toBeNull();
  });
});

describe.skipIf(ptyMissing !== null)(`what yeses left behind, in a terminal${missing}`, () => {
  it("is listed, taken back one by one and all at once", async () => {
    const kept = keptHome();
    const ids = [await kept.keeps(), await kept.keeps({ bound: boundTo({ server: "b" }) })];
    const list = typed(kept.home, "granted");
    expect(await list.ended).toBe(0);
    for (const id of ids) expect(list.output()).toContain(`${id}  once`);
    const [first = ""] = ids;
    expect(await typed(kept.home, "revoke", first).ended).toBe(0);
    const clear = typed(kept.home, "clear");
    await clear.seen("Type y and Enter to revoke 1 (1 for one call)");
    clear.type("y\n");
    expect(await clear.ended).toBe(0);
    expect(await typed(kept.home, "granted").ended).toBe(0);
    expect((await runBare(wispOn(kept.home, "approvals", "granted", "--json"))).out).toBe(
      '{"schemaVersion":1,"grants":[]}\n',
    );
  });
});

describe("without a terminal", () => {
  it("what ended and what was left is listed, and nothing of it is decided", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const id = await kept.keeps({ bound: boundTo({ server: "b" }) });
    const run = (...words: readonly string[]) => runBare(wispOn(kept.home, "approvals", ...words));
    expect((await run("pending", "--late")).out).toContain(request.id);
    expect((await run("granted")).out).toContain(id);
    for (const words of [["approve", request.id], ["deny", request.id], ["revoke", id], ["clear"]]) {
      expect((await run(...words)).exit).toBe(4);
    }
    expect([kept.late.read(request.id)?.request.id, kept.grants.list().unspent.length]).toEqual([
      request.id,
      1,
    ]);
  });

  it("what is loaded for what waits knows nothing of seals, grants or configuration", () => {
    const text = (file: string): string =>
      readFileSync(fileURLToPath(new URL(`../../dist/${file}`, import.meta.url)), "utf8");
    const marks = ["hkdfSync", "wisp/grant/v1", "wisp/late/v1", "grant.revoked", "codex-mcp-client"];
    const foundIn = (file: string) => marks.filter((mark) => text(file).includes(mark));
    expect([foundIn("wisp-kept.cjs"), foundIn("wisp-verbs.cjs")]).toEqual([marks, []]);
  });
});
