/** Rules that yeses for longer than their connection left: listed, and taken back. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RememberedRule } from "../../../src/broker/policy/remembered.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { keptVerbs } from "../../../src/cli/kept-verbs.js";
import type { FakeTerminalOptions } from "../../support/fake-terminal.js";
import { type KeptHome, keptHome } from "../../support/kept-home.js";
import { dayMs, ruleDraft } from "../../support/remembered.js";
import { RememberedHome } from "../../support/remembered-home.js";
import { type Running, startVerb } from "../../support/run-verb.js";

const piped = { canAnswer: false, isTerminal: false };

function start(
  { home }: Pick<KeptHome, "home">,
  words: readonly string[],
  options: FakeTerminalOptions = {},
): Running {
  const [name = "", ...rest] = words;
  const verb = keptVerbs.get(name);
  if (verb === undefined) throw new Error(`There is no ${name}.`);
  return startVerb(verb, rest, { home, columns: 200, ...options });
}

function remembering(kept: KeptHome = keptHome()) {
  const rules = new RememberedHome(kept.home.path);
  const remember = (overrides: Partial<Omit<RememberedRule, "id">> = {}): Promise<RememberedRule> =>
    rules.open(systemClock).remember(ruleDraft(systemClock.now(), overrides));
  return { kept, rules, remember };
}

function lastOfLog({ home }: KeptHome): unknown {
  const log = readFileSync(join(home.path, "audit", "log.jsonl"), "utf8")
    .trim()
    .split("\n");
  return JSON.parse(log.at(-1) ?? "");
}

describe("wisp approvals granted", () => {
  it("lists remembered rules among the others, the oldest first", async () => {
    const { kept, remember } = remembering();
    const now = systemClock.now();
    const first = await remember({ createdAt: now - dayMs, expiresAt: now + dayMs });
    const once = await kept.keeps();
    const last = await remember({ scope: "always", directory: null, rule: "Bash(npm test)", createdAt: now });
    const { out } = await start(kept, ["granted", "--json"], piped).ended;
    const { grants } = JSON.parse(out);
    expect(grants.map(({ id }: { id: string }) => id).sort()).toEqual([first.id, once, last.id].sort());
    expect(grants[0]).toEqual({
      id: first.id,
      scope: "project",
      rule: "Bash(git push origin main)",
      directory: "/home/p/api",
      createdAt: first.createdAt,
      expiresAt: first.expiresAt,
      client: "stdio:claude-code",
    });
    const lines = (await start(kept, ["granted"], piped).ended).out.split("\n");
    expect(lines.map((line) => line.split("\t")[1])).toContain("always");
    expect(lines.join("\n")).toMatch(/\talways\t\d+\tstdio:claude-code\t\tBash\(npm test\)/);
  });

  it("leaves out what is over, and says what is written by hand, escaped", async () => {
    const { kept, rules, remember } = remembering();
    const now = systemClock.now();
    await remember({ createdAt: now - 2 * dayMs, expiresAt: now - dayMs });
    const good = await remember();
    rules.edit((all) => [...all, { ...good, id: "zzzzzzzz", rule: "Bash(curl *)" }]);
    const { out, err } = await start(kept, ["granted"], piped).ended;
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(out).toContain(good.id);
    expect(err).toContain("Written into remembered.json and not in force: Bash(curl *)\n");
    rules.write("{");
    const faulty = await start(kept, ["granted"], piped).ended;
    expect([faulty.exit, faulty.out]).toEqual([78, ""]);
    expect(faulty.err).toMatch(/None of remembered\.json is in force: .+\n/);
    rules.write(JSON.stringify({ permissions: { remembered: [] } }));
    expect((await start(kept, ["granted"], piped).ended).exit).toBe(0);
  });
});

describe("wisp approvals revoke", () => {
  it("without an id asks for that of what was granted", async () => {
    const { kept, remember } = remembering();
    const rule = await remember();
    const { exit, err } = await start(kept, ["revoke"]).ended;
    expect([exit, err]).toEqual([2, expect.stringContaining("The id of what was granted is missing.")]);
    expect((await start(kept, ["revoke", rule.id]).ended).exit).toBe(0);
  });

  it("takes back a remembered rule by a prefix of its id, once, and writes it down", async () => {
    const { kept, rules, remember } = remembering();
    const [one, other] = [await remember(), await remember({ rule: "Bash(npm test)" })];
    const { exit, out } = await start(kept, ["revoke", one.id.slice(0, 6)]).ended;
    expect([exit, out]).toEqual([
      0,
      "revoked (project): Bash(git push origin main) — for stdio:claude-code in /home/p/api; it lets no call through any more\n",
    ]);
    expect(rules.open(systemClock).list().rules).toEqual([other]);
    expect(lastOfLog(kept)).toMatchObject({
      kind: "rule.revoked",
      session: "cli",
      call: "abcdefgh",
      details: { rule: one.id, text: "Bash(git push origin main)", why: "person" },
    });
    expect((await start(kept, ["revoke", one.id]).ended).exit).toBe(3);
    expect((await start(kept, ["revoke", other.id]).ended).exit).toBe(0);
  });

  it("takes back nothing without a terminal", async () => {
    const { kept, rules, remember } = remembering();
    const { id } = await remember();
    expect((await start(kept, ["revoke", id], piped).ended).exit).toBe(4);
    expect((await start(kept, ["clear"], piped).ended).exit).toBe(4);
    expect(rules.open(systemClock).list().rules).toHaveLength(1);
    expect((await start(kept, ["revoke", id]).ended).exit).toBe(0);
  });
});

describe("wisp approvals clear", () => {
  it("says how many of each there are, and takes all of them after a y", async () => {
    const { kept, rules, remember } = remembering();
    await remember();
    await remember({ rule: "Bash(npm test)" });
    await remember({ rule: "Bash(ls)", scope: "always", directory: null });
    await kept.keeps();
    const no = start(kept, ["clear"]);
    no.terminal.type("n");
    expect((await no.ended).exit).toBe(7);
    expect(no.terminal.questions[0]).toContain("revoke 4 (1 for one call, 2 for a project, 1 for always);");
    expect(rules.open(systemClock).list().rules).toHaveLength(3);
    const yes = start(kept, ["clear"]);
    yes.terminal.type("y");
    expect((await yes.ended).out).toBe("revoked 4 (1 for one call, 2 for a project, 1 for always)\n");
    expect(rules.open(systemClock).list().rules).toEqual([]);
    expect((await start(kept, ["granted"], piped).ended).err).toBe("Nothing is granted.\n");
  });
});

describe("what is taken back while remembered.json", () => {
  const gone = ({ file }: RememberedHome) => rmSync(file);
  const broken = (rules: RememberedHome) => rules.write("{");
  const ways = [
    ["is gone", "revoke", gone, 0],
    ["is gone", "clear", gone, 0],
    ["cannot be used", "revoke", broken, 78],
    ["cannot be used", "clear", broken, 78],
  ] as const;

  it.each(ways)("%s, by %s, is taken back for good: put back, it asks", async (_name, verb, spoil, exit) => {
    const { kept, rules, remember } = remembering();
    const [one, other] = [await remember(), await remember({ rule: "Bash(npm test)" })];
    const text = rules.text();
    spoil(rules);
    const running = start(kept, verb === "clear" ? ["clear"] : ["revoke", one.id]);
    if (verb === "clear") running.terminal.type("y");
    const ended = await running.ended;
    expect([ended.exit, ended.out]).toEqual([exit, expect.stringMatching(/^revoked /)]);
    if (exit === 78) {
      expect(ended.err).toContain("remembered.json was left as it is: ");
      expect(ended.err).toContain(`Correct ${rules.file}, or remove it.`);
    }
    expect(lastOfLog(kept)).toMatchObject({
      kind: "rule.revoked",
      verified: { pid: process.pid },
      details: { rule: verb === "clear" ? other.id : one.id, why: "person" },
    });
    rules.write(text);
    const left = verb === "clear" ? [] : [other];
    expect(rules.open(systemClock).list().rules).toEqual(left);
    const again = await remember();
    expect(rules.open(systemClock).list().rules).toEqual([...left, again]);
  });

  it("cannot be used and nothing has a seal ends with 78 as well, and asks nothing", async () => {
    const { kept, rules, remember } = remembering();
    rules.write("{");
    const { exit, err } = await start(kept, ["clear"]).ended;
    expect([exit, err]).toEqual([78, expect.stringContaining("Nothing is granted.\n")]);
    rmSync(rules.file);
    const { id } = await remember();
    expect((await start(kept, ["revoke", id]).ended).exit).toBe(0);
  });
});
