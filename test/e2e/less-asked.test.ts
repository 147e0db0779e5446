/**
 * An agent that may write every file of the home but those below `keys/` wants to be asked less. Each way is tried against
 * the same rules, settings and store as a server uses; the last ones with the built program.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealedPath } from "../../src/broker/files/sealed.js";
import type { RememberedRule } from "../../src/broker/policy/remembered.js";
import { acceptingHome, directory, git } from "../support/accepting.js";
import { dayMs, ruleDraft } from "../support/remembered.js";
import { tempDirectory } from "../support/temp-home.js";

const push = ["git", "push", "origin", "main"];
const rule = "Bash(git push origin main)";

type Made = ReturnType<typeof acceptingHome>;

/** A rule as the agent would like it. */
function wanted(overrides: Partial<RememberedRule> = {}): RememberedRule {
  return {
    id: "wanted22",
    ...ruleDraft(Date.now() - 1_000, { rule, directory, program: git }),
    ...overrides,
  };
}

const remembered = (...rules: readonly unknown[]) => ({ permissions: { remembered: rules } });

/** What a person sees of the files: in the reasons of each request, `wisp`, `wisp doctor` and `wisp accept`. */
const said = (made: Made): string => [...made.judge(push).notices, ...waiting(made)].join("\n");
const waiting = (made: Made) => made.settings().waiting.map(({ key }) => `config.json: ${key}`);

/** A way, and what a person reads of it afterwards; null where there is nothing that counts, and so nothing to say. */
type Way = readonly [name: string, run: (made: Made) => void | Promise<void>, said: RegExp | null];

const looser = (count: string): RegExp => new RegExp(`: ${count} looser rules? waits? for: wisp accept`);

const ways: readonly Way[] = [
  [
    "an allow rule in policy.json",
    (made) => made.write("policy.json", { permissions: { allow: [rule] } }),
    looser("1"),
  ],
  [
    "an allow rule for everything",
    (made) => made.write("policy.json", { permissions: { allow: ["Bash"] } }),
    looser("1"),
  ],
  [
    "an ask rule with an exception",
    (made) => made.write("policy.json", { permissions: { ask: [{ rule: "Bash(git *)", unless: [rule] }] } }),
    null,
  ],
  [
    "a rule with a look-alike letter",
    (made) => made.write("policy.json", { permissions: { allow: ["Bash(gіt *)"] } }),
    looser("1"),
  ],
  [
    "policy.json as a link to another that allows",
    (made) => {
      const other = join(made.home.path, "other.json");
      writeFileSync(other, JSON.stringify({ permissions: { allow: ["Bash"] } }), { mode: 0o600 });
      symlinkSync(other, made.pathOf("policy.json"));
    },
    /policy\.json cannot be used: symbolic link/,
  ],
  ["an entry in remembered.json", (made) => made.write("remembered.json", remembered(wanted())), looser("1")],
  [
    "an entry for always",
    (made) => made.write("remembered.json", remembered(wanted({ scope: "always", directory: null }))),
    looser("1"),
  ],
  [
    "an entry that was made in the future",
    (made) => made.write("remembered.json", remembered(wanted({ createdAt: Date.now() + dayMs }))),
    looser("1"),
  ],
  [
    "remembered.json in the form of a policy",
    (made) => made.write("remembered.json", { permissions: { allow: [rule] } }),
    /remembered\.json cannot be used/,
  ],
  [
    "remembered.json as a link",
    (made) => {
      const other = join(made.home.path, "other.json");
      writeFileSync(other, JSON.stringify(remembered(wanted())), { mode: 0o600 });
      symlinkSync(other, made.pathOf("remembered.json"));
    },
    /remembered\.json cannot be used: symbolic link/,
  ],
  [
    "a sealed copy beside the home's own, from another home",
    async (made) => {
      const other = acceptingHome();
      other.write("remembered.json", remembered(wanted()));
      await other.accepts("accept");
      copyFileSync(other.pathOf("remembered.json"), made.pathOf("remembered.json"));
      copyFileSync(sealedPath(other.home.path, "remembered.json"), made.pathOf("config.json"));
      rmSync(made.pathOf("config.json"));
    },
    looser("1"),
  ],
  [
    "what was taken back, put back",
    async (made) => {
      const kept = await made.remembered.remember(wanted());
      const text = made.read("remembered.json");
      await made.remembered.revoke(kept.id);
      made.write("remembered.json", text);
    },
    looser("1"),
  ],
  [
    "what is over, with a later end",
    async (made) => {
      const kept = await made.remembered.remember(wanted({ createdAt: 1, expiresAt: Date.now() - 1 }));
      made.write("remembered.json", remembered({ ...kept, expiresAt: Date.now() + dayMs }));
    },
    looser("1"),
  ],
  [
    "a rule that was remembered for another directory, for here",
    async (made) => {
      const kept = await made.remembered.remember(wanted({ directory: "/home/p/other" }));
      made.write("remembered.json", remembered({ ...kept, directory }));
    },
    looser("1"),
  ],
  [
    "a rule that was remembered for another command, made wider",
    async (made) => {
      const kept = await made.remembered.remember(wanted({ rule: "Bash(git push origin dev)" }));
      made.write("remembered.json", remembered({ ...kept, rule: "Bash(git push *)" }));
    },
    looser("1"),
  ],
  [
    "a rule that was remembered for another program file",
    async (made) => {
      await made.remembered.remember(wanted({ program: "/home/p/api/node_modules/.bin/git" }));
    },
    null,
  ],
  [
    "a rule that another rule asked for, behind a new ask rule",
    async (made) => {
      await made.remembered.remember(wanted({ askedBy: null }));
      made.write("policy.json", { permissions: { ask: ["Bash(git push *)"] } });
    },
    null,
  ],
  [
    "an audit log that says the person accepted",
    (made) => {
      mkdirSync(join(made.home.path, "audit"), { mode: 0o700 });
      writeFileSync(
        join(made.home.path, "audit", "log.jsonl"),
        `${JSON.stringify({ v: 1, kind: "rule.remembered", details: wanted() })}\n`,
        { mode: 0o600 },
      );
      made.write("remembered.json", remembered(wanted()));
    },
    looser("1"),
  ],
  [
    "a grant under a seal of nothing",
    (made) => {
      mkdirSync(join(made.home.path, "grants"), { mode: 0o700 });
      const grant = { v: 1, id: "wanted22", rule, mac: "0".repeat(64) };
      writeFileSync(join(made.home.path, "grants", "wanted22.json"), JSON.stringify(grant), { mode: 0o600 });
    },
    null,
  ],
  [
    "the level from which on is asked",
    (made) => made.write("config.json", { approval: { threshold: "dangerous" } }),
    /config\.json: approval\.threshold/,
  ],
];

describe("an agent that may write every file but those below keys/", () => {
  it.each(ways)("is asked all the same after %s, and a person reads of it", async (_name, run, text) => {
    const made = acceptingHome();
    await run(made);
    expect(made.judge(push).name).not.toBe("allow");
    if (text !== null) expect(said(made)).toMatch(text);
  });

  it.each([
    ["approval.threshold", { approval: { threshold: "dangerous" } }],
    ["approval.ancestry", { approval: { ancestry: "never" } }],
    ["approval.clients", { approval: { clients: { "claude-code": { shell: false } } } }],
    ["approval.timeoutSeconds", { approval: { timeoutSeconds: 0 } }],
    ["notify.command", { notify: { command: ["/tmp/x"] } }],
    ["approval.outOfBand", { approval: { outOfBand: false } }],
  ] as const)("finds the key %s in force as it was accepted, and it is told", (key, config) => {
    const made = acceptingHome();
    const before = made.settings().settings;
    made.write("config.json", config);
    expect(made.settings()).toMatchObject({ settings: before, waiting: [{ key }] });
  });

  it("finds what must be proved of an answer as strict as it was accepted", async () => {
    const made = acceptingHome();
    made.write("config.json", { approval: { require: { high: "terminal" } } });
    expect((await made.accepts("y")).exit).toBe(0);
    made.write("config.json", {});
    expect(made.settings()).toMatchObject({
      settings: { approval: { require: { high: "terminal" } } },
      waiting: [{ key: "approval.require.high" }],
    });
  });

  it.each([
    ["deletes the rule", (made: Made) => made.write("policy.json", { permissions: { deny: ["Bash(ls)"] } })],
    ["deletes the file", (made: Made) => unlinkSync(made.pathOf("policy.json"))],
    ["breaks the file", (made: Made) => made.write("policy.json", "{")],
    [
      "adds an allow rule before it",
      (made: Made) =>
        made.write("policy.json", { permissions: { allow: ["Bash"], deny: ["Bash(git push *)"] } }),
    ],
  ])("is denied what was denied, also when it %s", async (_name, run) => {
    const made = acceptingHome();
    made.write("policy.json", { permissions: { deny: ["Bash(git push *)"] } });
    expect((await made.accepts("y")).exit).toBe(0);
    run(made);
    expect(made.judge(push).name).toBe("deny");
    expect(made.judge(push).notices).not.toEqual([]);
  });

  it.each([
    ["allow", { permissions: { allow: [rule, "Bash"] } }],
    ["an exception", { permissions: { ask: [{ rule: "Bash(git *)", unless: [rule] }] } }],
  ])("cannot loosen with the file of a project: %s", async (_name, project) => {
    const made = acceptingHome();
    const path = tempDirectory();
    mkdirSync(join(path, ".wisp"));
    writeFileSync(join(path, ".wisp", "policy.json"), JSON.stringify(project));
    expect(made.judge(push, { directory: path }).name).toBe("ask");
    if ("allow" in project.permissions)
      expect(made.judge(push, { directory: path }).notices.join()).toContain(`${path}/.wisp/policy.json:1`);
  });

  it("cannot bring a home back to an earlier state of remembered.json, seals left as they are", async () => {
    const made = acceptingHome();
    const kept = await made.remembered.remember(wanted());
    const copy = join(tempDirectory(), "home");
    cpSync(made.home.path, copy, { recursive: true });
    await made.remembered.revoke(kept.id);
    for (const name of ["remembered.json"]) copyFileSync(join(copy, name), join(made.home.path, name));
    expect(made.judge(push).name).toBe("ask");
    expect(readFileSync(made.pathOf("remembered.json"), "utf8")).toContain(kept.id);
    expect(existsSync(sealedPath(made.home.path, "remembered.json"))).toBe(true);
  });

  it("is not asked for what a person let through, whatever was tried before", async () => {
    const made = acceptingHome();
    for (const [, run] of ways.slice(5, 8)) await run(made);
    rmSync(made.pathOf("remembered.json"));
    const kept = await made.remembered.remember(wanted());
    expect(made.judge(push)).toMatchObject({ name: "allow", remembered: { id: kept.id } });
  });
});
