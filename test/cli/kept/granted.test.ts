import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GrantStore, SessionRule } from "../../../src/broker/grants/grant-store.js";
import { ownIdentity } from "../../../src/broker/identity/process.js";
import { keptVerbs } from "../../../src/cli/kept-verbs.js";
import type { Verb } from "../../../src/cli/verb.js";
import { approvalRequest, commandSubject } from "../../support/builders.js";
import type { FakeTerminalOptions } from "../../support/fake-terminal.js";
import { boundTo } from "../../support/grants.js";
import { type KeptHome, keptHome } from "../../support/kept-home.js";
import { type Running, startVerb } from "../../support/run-verb.js";
import { tempHome } from "../../support/temp-home.js";

const piped = { canAnswer: false, isTerminal: false };

function verb(name: string): Verb {
  const found = keptVerbs.get(name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

function start(
  kept: Pick<KeptHome, "home">,
  words: readonly string[],
  options: FakeTerminalOptions = {},
): Running {
  const [name = "", ...rest] = words;
  return startVerb(verb(name), rest, { home: kept.home, columns: 200, ...options });
}

/** A rule of a connection of this very process. */
function keepRule(
  grants: GrantStore,
  overrides: Partial<SessionRule> = {},
  forMs = 3_600_000,
  idleMs = forMs,
): string {
  const { pid, startedAt, boot } = ownIdentity();
  const rule = {
    rule: "npm test",
    client: "stdio:other",
    directory: "/home/p/web",
    request: "abcdefgh",
    server: { pid, startedAt, boot, instance: "abcdefghjkmnpqrs" },
    ...overrides,
  };
  return grants.keepRule(rule, forMs, idleMs);
}

describe("wisp approvals granted", () => {
  it("says that every call asks where nothing is granted, and makes no home", async () => {
    const home = tempHome();
    const ran = await start({ home }, ["granted"], piped).ended;
    expect(ran).toEqual({ exit: 0, out: "", err: "Nothing is granted.\n" });
    const json = await start({ home }, ["granted", "--json"], piped).ended;
    expect(json.out).toBe('{"schemaVersion":1,"grants":[]}\n');
    expect(existsSync(home.path)).toBe(false);
  });

  it("lists what would let a call through, for one and for a session, as JSON", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    const rule = keepRule(kept.grants);
    const { grants, schemaVersion } = JSON.parse((await start(kept, ["granted", "--json"], piped).ended).out);
    expect(schemaVersion).toBe(1);
    const times = { createdAt: expect.any(Number), expiresAt: expect.any(Number) };
    expect(grants).toEqual(
      expect.arrayContaining([
        {
          id,
          scope: "once",
          rule: "git push origin main",
          directory: "/home/p/api",
          client: "stdio:test-client",
          ...times,
        },
        {
          id: rule,
          scope: "session",
          rule: "npm test",
          directory: "/home/p/web",
          client: "stdio:other",
          ...times,
        },
      ]),
    );
    expect(grants).toHaveLength(2);
    for (const { createdAt, expiresAt, scope } of grants) {
      const forMs = scope === "once" ? 300_000 : 3_600_000;
      expect(Math.abs(expiresAt - createdAt - forMs)).toBeLessThan(60_000);
    }
  });

  it("says of a rule when it ends unused, and a time of use that is to come puts that off no further", async () => {
    const kept = keptHome();
    const hour = 3_600_000;
    const path = join(kept.home.path, "grants", `${keepRule(kept.grants, {}, 12 * hour, 2 * hour)}.json`);
    const left = async (): Promise<number> => {
      const { grants } = JSON.parse((await start(kept, ["granted", "--json"], piped).ended).out);
      return grants[0].expiresAt - Date.now();
    };
    for (const usedAgo of [0, hour, -20 * hour]) {
      const used = (Date.now() - usedAgo) / 1_000;
      utimesSync(path, used, used);
      // A time before the yes is none, either.
      expect(Math.abs((await left()) - 2 * hour)).toBeLessThan(60_000);
    }
  });

  it("has a line each between tabs, and a table on a terminal", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    const lines = await start(kept, ["granted"], piped).ended;
    expect(lines.out).toMatch(
      new RegExp(`^${id}\tonce\t\\d+\tstdio:test-client\t/home/p/api\tgit push origin main\n$`),
    );
    const { out, err } = await start(kept, ["granted"]).ended;
    expect(out).toMatch(
      new RegExp(`^id +scope +left +client +directory +allows\n${id} +once +\\d:\\d\\d +stdio`),
    );
    expect(err).toMatch(/wisp approvals revoke ID; all of them: (?:WISP_HOME=\S+ )?wisp approvals clear\n/);
    expect((await start(kept, ["granted", "--json"]).ended).err).toBe("");
    expect(
      (await start(kept, ["granted"], { columns: 60 }).ended).out.split("\n")[1]?.length,
    ).toBeLessThanOrEqual(60);
  });

  it("writes nothing of theirs that a terminal would interpret", async () => {
    const kept = keptHome();
    const line = "echo \u001b[2J\tx";
    const request = approvalRequest({ subject: commandSubject({ line, command: line, argv: null }) });
    await kept.keeps({ request, bound: boundTo({ client: "stdio:a\u202eb" }) });
    for (const options of [piped, {}]) {
      const { out } = await start(kept, ["granted"], options).ended;
      expect(out).not.toContain("\u001b");
      expect(out).not.toContain("\u202e");
      expect(out).toContain("echo \\u{1b}[2J\\u{9}x");
    }
    const { grants } = JSON.parse((await start(kept, ["granted", "--json"], piped).ended).out);
    expect(grants[0]).toMatchObject({ rule: line, client: "stdio:a\u202eb" });
  });

  it("leaves out what is spent, what has expired, and rules of a server that is gone, and clears them away", async () => {
    const kept = keptHome();
    const spent = await kept.keeps();
    await kept.grants.claim(spent);
    keepRule(kept.grants, {}, 0);
    keepRule(kept.grants, { server: approvalRequest().server });
    const list = () => start(kept, ["granted", "--json"], piped).ended;
    const left = async (): Promise<readonly string[]> => {
      expect(
        JSON.parse((await list()).out).grants.map(({ scope }: { scope: string }) => scope),
      ).not.toContain("once");
      return readdirSync(join(kept.home.path, "grants"));
    };
    await expect.poll(left).toEqual([]);
    expect((await list()).out).toBe('{"schemaVersion":1,"grants":[]}\n');
  });

  it("says of what would not be used why not, and does not list it", async () => {
    const kept = keptHome();
    const good = await kept.keeps();
    const bad = await kept.keeps();
    const path = join(kept.home.path, "grants", `${bad}.json`);
    writeFileSync(path, readFileSync(path, "utf8").replace('"client":"stdio:', '"client":"evil:'));
    writeFileSync(join(kept.home.path, "grants", "junk"), "", { mode: 0o600 });
    const { out, err } = await start(kept, ["granted"], piped).ended;
    expect(out.split("\n").map((line) => line.split("\t")[0])).toEqual([good, ""]);
    expect(err).toBe(
      `Would not be used: ${bad} (its seal is not ours)\nFiles in grants/ that are no grants: 1\n`,
    );
  });

  it("lists nothing where what was spent is gone, says so, and what lies there can be taken back", async () => {
    const kept = keptHome();
    const [id, other] = [await kept.keeps(), await kept.keeps({ bound: boundTo({ server: "b" }) })];
    const rule = keepRule(kept.grants);
    rmSync(join(kept.home.path, "keys", "spent"), { recursive: true });
    const { out, err } = await start(kept, ["granted"], piped).ended;
    expect(out).toBe("");
    expect(err).toContain("Nothing is granted.\n");
    for (const one of [id, other, rule]) expect(err).toContain(`${one} (what was spent is gone)`);
    const revoked = await start(kept, ["revoke", id]).ended;
    expect([revoked.exit, revoked.out]).toEqual([0, expect.stringContaining("revoked (once): git push")]);
    expect((await start(kept, ["revoke", id]).ended).exit).toBe(3);
    const cleared = start(kept, ["clear"]);
    cleared.terminal.type("y");
    expect((await cleared.ended).out).toBe("revoked 2 (1 for one call, 1 for a session)\n");
    expect((await start(kept, ["granted"], piped).ended).err).toBe("Nothing is granted.\n");
    const next = await kept.keeps();
    expect((await start(kept, ["granted"], piped).ended).out).toContain(next);
  });

  it("refuses a directory that others can open, and lists again once it is repaired", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    const path = join(kept.home.path, "grants");
    chmodSync(path, 0o755);
    const refused = await start(kept, ["granted"], piped).ended;
    expect([refused.exit, refused.out]).toEqual([8, ""]);
    expect(refused.err).toContain(`chmod 700 ${path}`);
    chmodSync(path, 0o700);
    expect((await start(kept, ["granted"], piped).ended).out).toContain(id);
  });
});

describe("wisp approvals revoke", () => {
  it("takes back what one call could use, by a prefix of its id, once, and writes it down", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    const { exit, out } = await start(kept, ["revoke", id.slice(0, 4)]).ended;
    expect([exit, out]).toEqual([
      0,
      "revoked (once): git push origin main — for stdio:test-client in /home/p/api; it lets no call through any more\n",
    ]);
    expect(kept.grants.find(boundTo())).toBeNull();
    const log = readFileSync(join(kept.home.path, "audit", "log.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(JSON.parse(log.at(-1) ?? "")).toMatchObject({
      kind: "grant.revoked",
      session: "cli",
      call: id,
      details: { grant: id },
    });
    expect((await start(kept, ["revoke", id]).ended).exit).toBe(3);
  });

  it("takes back a rule that another process uses", async () => {
    const kept = keptHome();
    const id = keepRule(kept.grants);
    expect(kept.grants.isRuleKept(id)).toBe(true);
    const { exit, out } = await start(kept, ["revoke", id]).ended;
    expect([exit, out]).toEqual([
      0,
      "revoked (session): npm test — for stdio:other in /home/p/web; it lets no call through any more\n",
    ]);
    expect(kept.grants.isRuleKept(id)).toBe(false);
  });

  it("takes back nothing where the id is short, fits several or none, or there is no terminal", async () => {
    const kept = keptHome();
    await kept.keeps({ request: approvalRequest({}, { id: "abcdefgh" }) });
    await kept.keeps({ request: approvalRequest({}, { id: "abcdxyzz" }), bound: boundTo({ server: "b" }) });
    const ran = async (typed: string, options: FakeTerminalOptions = {}) => {
      const { exit, err } = await start(kept, ["revoke", typed], options).ended;
      return [exit, err] as const;
    };
    expect(await ran("abc")).toEqual([2, expect.stringContaining("abc is no id")]);
    expect(await ran("abcd")).toEqual([2, expect.stringContaining("fits several ids: abcd")]);
    expect(await ran("zzzz")).toEqual([
      3,
      expect.stringContaining("Nothing that is called zzzz is granted."),
    ]);
    expect(await ran("abcde", piped)).toEqual([4, expect.stringContaining("wisp approvals revoke abcde")]);
    expect(kept.grants.list().unspent).toHaveLength(2);
    expect((await ran("abcde"))[0]).toBe(0);
  });

  it.each([["revoke", "abcdefgh"], ["clear"]])(
    "says of %s without a terminal what is its own reason",
    async (...words) => {
      const { exit, err } = await start({ home: tempHome() }, words, piped).ended;
      expect(exit).toBe(4);
      expect(err).toMatch(
        /^wisp: Nothing revoked: standard input is not a terminal\.\n {2}What a person granted, only a person takes back\.\n/,
      );
      expect(err).toContain(`wisp approvals ${words.join(" ")}\n`);
      expect((await start({ home: tempHome() }, ["clear"]).ended).exit).toBe(0);
    },
  );

  it("says where spending cannot be noted that nothing was taken back, and takes it back once it can", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    const spent = join(kept.home.path, "keys", "spent");
    chmodSync(spent, 0o755);
    expect((await start(kept, ["revoke", id]).ended).exit).toBe(8);
    chmodSync(spent, 0o700);
    expect(kept.grants.find(boundTo())?.id).toBe(id);
    expect((await start(kept, ["revoke", id]).ended).exit).toBe(0);
  });
});

describe("wisp approvals clear", () => {
  it("says how many there are and takes all of them back after a y", async () => {
    const kept = keptHome();
    await kept.keeps();
    await kept.keeps({ bound: boundTo({ server: "b" }) });
    const rule = keepRule(kept.grants);
    const { terminal, ended } = start(kept, ["clear"]);
    terminal.type("y");
    const { exit, out } = await ended;
    expect(terminal.questions).toEqual([
      "Type y and Enter to revoke 3 (2 for one call, 1 for a session); anything else leaves them: ",
    ]);
    expect([exit, out]).toEqual([0, "revoked 3 (2 for one call, 1 for a session)\n"]);
    expect([kept.grants.find(boundTo()), kept.grants.isRuleKept(rule)]).toEqual([null, false]);
    const log = readFileSync(join(kept.home.path, "audit", "log.jsonl"), "utf8");
    expect(log.match(/"kind":"grant.revoked"/g)).toHaveLength(3);
  });

  it.each(["", "n", "yes", null])("takes back nothing after %j", async (typed) => {
    const kept = keptHome();
    const id = await kept.keeps();
    const { terminal, ended } = start(kept, ["clear"]);
    terminal.type(typed);
    const { exit, out, err } = await ended;
    expect([exit, out]).toEqual([7, ""]);
    expect(err).toContain("Nothing was revoked.");
    expect(kept.grants.find(boundTo())?.id).toBe(id);
    const again = start(kept, ["clear"]);
    again.terminal.type(" Y ");
    expect((await again.ended).exit).toBe(0);
  });

  it("takes back nothing after Ctrl-C, nor without a terminal", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    const { terminal, ended } = start(kept, ["clear"]);
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect((await start(kept, ["clear"], piped).ended).exit).toBe(4);
    expect(kept.grants.find(boundTo())?.id).toBe(id);
  });

  it("asks nothing where there is nothing", async () => {
    const { terminal, ended } = start({ home: tempHome() }, ["clear"]);
    expect((await ended).exit).toBe(0);
    expect(terminal.questions).toEqual([]);
  });

  it("says what was used while the question stood there", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    await kept.keeps({ bound: boundTo({ server: "b" }) });
    const { terminal, ended } = start(kept, ["clear"]);
    await expect.poll(() => terminal.questions.length).toBe(1);
    await kept.grants.claim(id);
    terminal.type("y");
    const { exit, out, err } = await ended;
    expect([exit, out]).toEqual([0, "revoked 1 (1 for one call)\n"]);
    expect(err).toContain("Used, or taken back elsewhere, in this moment: 1\n");
  });
});

describe("a home that cannot be used", () => {
  it.each([["granted"], ["revoke", "abcdefgh"], ["clear"]])("is refused by %s", async (...words) => {
    const home = tempHome();
    mkdirSync(home.path, { mode: 0o755 });
    chmodSync(home.path, 0o755);
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    expect((await start({ home }, words).ended).exit).toBe(8);
    chmodSync(home.path, 0o700);
    expect((await start({ home }, ["granted"]).ended).exit).toBe(0);
  });
});
