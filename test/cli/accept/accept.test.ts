import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealedPath } from "../../../src/broker/files/sealed.js";
import { accept } from "../../../src/cli/accept/main.js";
import { acceptingHome } from "../../support/accepting.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import { ruleDraft } from "../../support/remembered.js";
import { atTerminal } from "../../support/witnesses.js";

const allowStatus = { permissions: { allow: ["Bash(git status *)"] } };
const status = ["git", "status"];

function auditOf(path: string) {
  const log = join(path, "audit", "log.jsonl");
  const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  return lines.map((line) => JSON.parse(line));
}

describe("wisp accept", () => {
  it("says so where there is nothing to accept, and makes nothing", async () => {
    const made = acceptingHome();
    expect(await made.accepts(null)).toMatchObject({
      exit: 0,
      out: "Nothing to accept: the files say what was accepted.\n",
      questions: [],
    });
    expect(existsSync(sealedPath(made.home.path, "policy.json"))).toBe(false);
  });

  it("shows a looser rule with its place, takes a typed word alone, and then it counts", async () => {
    const made = acceptingHome();
    made.write("policy.json", allowStatus);
    expect(made.judge(status).name).toBe("ask");
    for (const line of ["y", "yes", "", null, "ACCEPT"]) {
      expect((await made.accepts(line)).exit).toBe(7);
      expect(made.judge(status).name).toBe("ask");
    }
    const { exit, out, err, questions } = await made.accepts("accept");
    expect([exit, out]).toEqual([0, "accepted: policy.json (1 looser)\n"]);
    expect(err).toContain("policy.json: 1 looser\n  + LOOSER  allow Bash(git status *)  (policy.json:4)\n");
    expect(questions).toHaveLength(1);
    expect(made.judge(status)).toMatchObject({ name: "allow", notices: [] });
    expect((await made.accepts(null)).out).toContain("Nothing to accept");
  });

  it("takes a y for what is tighter, and what was accepted cannot be taken back by hand afterwards", async () => {
    const made = acceptingHome();
    made.write("policy.json", { permissions: { deny: ["Bash(git push *)"] } });
    expect((await made.accepts("y")).out).toBe("accepted: policy.json (1 tighter)\n");
    rmSync(made.pathOf("policy.json"));
    expect(made.judge(["git", "push"]).name).toBe("deny");
    const { exit, err } = await made.accepts("y");
    expect([exit, err]).toEqual([
      7,
      expect.stringContaining("- LOOSER  deny Bash(git push *)  (accepted before)"),
    ]);
    expect((await made.accepts("accept")).exit).toBe(0);
    expect(existsSync(sealedPath(made.home.path, "policy.json"))).toBe(false);
    expect(made.judge(["git", "push"]).name).toBe("ask");
  });

  it("shows and accepts all three files at once, and writes down which, with what they were", async () => {
    const made = acceptingHome();
    made.write("policy.json", allowStatus);
    const rule = { id: "handmade", ...ruleDraft(Date.now() - 1_000) };
    made.write("remembered.json", { permissions: { remembered: [rule] } });
    made.write("config.json", { approval: { ancestry: "never", timeoutSeconds: 60 } });
    const { exit, out, err } = await made.accepts("accept");
    expect(exit).toBe(0);
    expect(err.indexOf("config.json: 1 tighter")).toBeLessThan(err.indexOf("policy.json: 1 looser"));
    expect(out).toBe(
      "accepted: policy.json (1 looser)\naccepted: remembered.json (1 looser)\naccepted: config.json (1 looser, 1 tighter)\n",
    );
    expect(err).toContain('~ LOOSER  key approval.ancestry  (config.json:3)\n      "known" → "never"\n');
    expect(err).toContain(
      "+ LOOSER  remembered Bash(git push origin main)  (remembered.json:5)\n      in /home/p/api\n",
    );
    expect(made.settings()).toMatchObject({ waiting: [], settings: { approval: { ancestry: "never" } } });
    // Who answered is nothing that a file can say.
    const given = { client: "accept", request: rule.id, via: "accept", assurance: null };
    expect(made.remembered.list().rules).toEqual([{ ...rule, ...given }]);
    const accepted = auditOf(made.home.path).filter(({ kind }) => kind === "policy.accepted");
    expect(accepted.map(({ verified }) => verified)).toEqual([1, 2, 3].map(() => atTerminal.seen));
    expect(accepted.map(({ details }) => details)).toEqual([
      {
        file: "policy.json",
        before: null,
        after: expect.stringMatching(/^[0-9a-f]{64}$/),
        looser: ["Bash(git status *)"],
      },
      { file: "remembered.json", before: null, after: expect.any(String), looser: [rule.rule] },
      { file: "config.json", before: null, after: expect.any(String), looser: ["approval.ancestry"] },
    ]);
  });

  it("accepts nothing when a file changed while it was shown; what stands there then is shown anew", async () => {
    const made = acceptingHome();
    made.write("policy.json", allowStatus);
    const changed = await made.accepts(
      "accept",
      () => atTerminal,
      () => made.write("policy.json", { permissions: { allow: ["Bash"] } }),
    );
    expect(changed).toMatchObject({
      exit: 6,
      out: "",
      err: expect.stringContaining("a file changed while you were reading"),
    });
    expect(made.judge(status).name).toBe("ask");
    expect(auditOf(made.home.path)).toEqual([]);
    expect((await made.accepts("accept")).err).toContain("allow Bash  (policy.json:4)");
  });

  it("shows another order of the same rules, and lets it count once it is accepted", async () => {
    const made = acceptingHome();
    const low = { rule: "Bash(git *)", level: "low" };
    const high = { rule: "Bash(git status *)", level: "high" };
    made.write("policy.json", { permissions: { ask: [low, high] } });
    expect((await made.accepts("accept")).exit).toBe(0);
    made.write("policy.json", { permissions: { ask: [high, low] } });
    const { exit, out, questions } = await made.accepts("accept");
    expect([exit, questions.length]).toEqual([0, 1]);
    expect(out).toContain("accepted: policy.json");
    expect((await made.accepts(null)).out).toContain("Nothing to accept");
  });

  it("shows another order beside what is tighter, and takes no y for it", async () => {
    const made = acceptingHome();
    const low = { rule: "Bash(git *)", level: "low" };
    const high = { rule: "Bash(git status *)", level: "high" };
    made.write("policy.json", { permissions: { ask: [high, low] } });
    expect((await made.accepts("accept")).exit).toBe(0);
    made.write("policy.json", { permissions: { deny: ["Bash(ls)"], ask: [low, high] } });
    const { exit, err } = await made.accepts("y");
    expect(exit).toBe(7);
    expect(err).toContain("+ tighter deny Bash(ls)");
    expect(err).toContain("~ may be looser order rules that ask in another order");
    expect(err.replace(/\s+/g, " ")).toMatch(
      /"Bash\(git \*\)".* \(line \d+\) now stands before .*"Bash\(git status \*\)".* \(line \d+\)/,
    );
    expect((await made.accepts("accept")).exit).toBe(0);
  });

  it.each([
    ["policy.json", { permissions: { allow: ["Bash(ls)"] } }],
    ["remembered.json", { permissions: { remembered: [] } }],
    ["config.json", { approval: { timeoutSeconds: 30 } }],
  ] as const)(
    "makes the copy of %s whole again, which counts for nothing, and says so",
    async (name, value) => {
      for (const spoil of [rmSync, (path: string) => chmodSync(path, 0o644)]) {
        for (const isThere of [true, false]) {
          const made = acceptingHome();
          made.write("policy.json", allowStatus);
          made.write(name, value);
          if (name === "remembered.json") await made.remembered.remember(ruleDraft(Date.now() - 1_000));
          expect((await made.accepts("accept")).exit).toBe(0);
          const seal = sealedPath(made.home.path, name);
          spoil(seal);
          if (!isThere) rmSync(made.pathOf(name));
          const refused = await made.accepts("y");
          expect([refused.exit, refused.err]).toEqual([
            7,
            expect.stringMatching(/! its accepted copy counts for nothing: (it is gone|open to others)\n/),
          ]);
          const { exit, out } = await made.accepts("accept");
          expect(exit).toBe(0);
          expect(out).toContain(`accepted: ${name} (`);
          expect(out).toContain("a new copy)");
          expect((await made.accepts(null)).out).toContain("Nothing to accept");
          expect(made.settings().distrust).toBeNull();
          expect(made.policy.standing().notices).toEqual([]);
        }
      }
    },
  );

  it("accepts nothing that cannot be written down, and does once it can", async () => {
    const made = acceptingHome();
    made.write("policy.json", allowStatus);
    rmSync(join(made.home.path, "audit"), { recursive: true, force: true });
    writeFileSync(join(made.home.path, "audit"), "", { mode: 0o600 });
    expect((await made.accepts("accept")).exit).not.toBe(0);
    expect(existsSync(sealedPath(made.home.path, "policy.json"))).toBe(false);
    rmSync(join(made.home.path, "audit"));
    expect((await made.accepts("accept")).exit).toBe(0);
  });

  it("of two at one instant one accepts", async () => {
    const made = acceptingHome();
    made.write("policy.json", allowStatus);
    const both = await Promise.all([made.accepts("accept"), made.accepts("accept")]);
    expect(both.map(({ exit }) => exit).sort()).toEqual([0, 6]);
    expect(made.judge(status).name).toBe("allow");
  });

  it.each([
    ["policy.json", '{"permissions":{"allow":["Bash(git status *)"],}', /policy\.json:1: /],
    ["policy.json", '{"permissions":\n{"allwo":["Bash"]}}', /policy\.json:2: .*allwo/],
    ["remembered.json", '{"permissions":{"remembered":{}}}', /remembered\.json cannot be used: /],
    [
      "config.json",
      '{"approval":{"ancestry":"nobody"}}',
      /config\.json cannot be used: config\.json:1: approval\.ancestry/,
    ],
  ] as const)("refuses all while %s cannot be used, and says where: %s", async (name, text, where) => {
    const made = acceptingHome();
    made.write("policy.json", allowStatus);
    made.write(name, text);
    const { exit, err, questions } = await made.accepts("accept");
    expect([exit, err, questions]).toEqual([78, expect.stringMatching(where), []]);
    rmSync(made.pathOf(name));
    made.write("policy.json", allowStatus);
    expect((await made.accepts("accept")).exit).toBe(0);
  });

  it("is for a terminal alone, and not within an agent", async () => {
    const made = acceptingHome();
    made.write("policy.json", allowStatus);
    expect(await accept(fakeTerminal({ home: made.home, canAnswer: false }))).toBe(4);
    const within = () => ({ seen: { within: "claude" }, shortfall: "within_client" as const });
    expect(await made.accepts("accept", within)).toMatchObject({ exit: 10, questions: [] });
    expect(made.judge(status).name).toBe("ask");
    expect((await made.accepts("accept")).exit).toBe(0);
  });

  it("shows what a text hides: controls, and letters that look like others", async () => {
    const made = acceptingHome();
    made.write("policy.json", { permissions: { allow: ["Bash(gіt status)", "Bash(ls \u202e)"] } });
    const { err } = await made.accepts(null);
    expect(err).toContain("not plain ASCII: U+0456");
    expect(err).not.toContain("\u202e");
  });
});
