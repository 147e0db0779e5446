/** Which files of projects count, however many there are, and what becomes of those that cannot be read. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lookAt } from "../../../src/broker/files/look.js";
import { openRuleFiles } from "../../../src/broker/policy/load.js";
import { FakeClock } from "../../support/fake-clock.js";
import { acceptedHome, type PolicyHome, policyHome } from "../../support/policy-home.js";

const base = { allow: ["Bash"] };
const rule = (index: number) => ({ deny: [`Bash(x${index})`] });

/** Directories one in the other, each with a file of a project, the innermost last. */
function nested(
  home: PolicyHome,
  count: number,
  rules: (index: number) => string | object,
): readonly string[] {
  let directory = home.project;
  return Array.from({ length: count }, (_, index) => {
    directory = join(directory, `${index}`);
    mkdirSync(directory);
    home.writeProject(rules(index), directory);
    return directory;
  });
}

function expectAsking(home: PolicyHome, directory: string, why: string): void {
  const verdict = home.line("ls", { directory });
  expect(verdict).toMatchObject({ name: "ask", isFaulty: true, maxScope: "once" });
  expect(verdict.notices.join()).toContain(why);
}

describe("files of projects", () => {
  it("count by the directory as it is written where nobody can tell where it leads", async () => {
    const look = { real: () => null, isLink: () => true, isThere: () => true, hasOtherNames: () => true };
    const home = await acceptedHome(base, { look });
    home.writeProject(rule(0));
    expect(home.line("x0")).toMatchObject({ name: "deny", isFaulty: false });
    expect(home.line("x1")).toMatchObject({ name: "allow" });
  });

  it("allow nothing: of what they would allow the first five are named, and how many more there are", async () => {
    const home = await acceptedHome(base);
    const allow = (count: number) => Array.from({ length: count }, (_, index) => `Bash(y${index})`);
    home.writeProject({ ...rule(0), allow: allow(5) });
    expect(home.line("x0")).toMatchObject({ name: "deny", isFaulty: false });
    expect(home.line("x0").notices).toHaveLength(5);
    home.writeProject({ ...rule(0), allow: allow(7) });
    expect(home.line("x0").notices.slice(4)).toEqual([expect.stringContaining("Bash(y4)"), "and 2 more"]);
  });

  it("count up to 32, and with one more everything asks", async () => {
    const home = await acceptedHome(base);
    const directories = nested(home, 33, rule);
    const [last = "", before = ""] = [directories[32], directories[31]];
    expect(home.line("x0", { directory: before })).toMatchObject({ name: "deny", isFaulty: false });
    expectAsking(home, last, "more than 32 files of projects count here");
    expect(home.line("x32", { directory: last })).toMatchObject({ name: "deny" });
    expect(home.line("ls", { directory: before })).toMatchObject({ name: "allow" });
  });

  it.each<[string, number, (index: number) => string | object]>([
    [
      "1048576 bytes",
      6,
      (index) => `${JSON.stringify({ permissions: rule(index) })}${" ".repeat(200 * 1024)}`,
    ],
    ["2000 rules", 3, (index) => ({ deny: Array<string>(900).fill(`Bash(x${index})`) })],
    [
      "100 times matches",
      3,
      (index) => ({
        deny: [
          ...rule(index).deny,
          ...Array.from({ length: 40 }, () => ({ rule: "mcp__a", when: [{ arg: "$.a", matches: "b" }] })),
        ],
      }),
    ],
    [
      "65536 characters in match and notMatch",
      5,
      (index) => ({
        deny: [
          ...rule(index).deny,
          ...Array.from({ length: 16 }, () => ({ rule: "Bash(y*)", match: ["y".repeat(990)] })),
        ],
      }),
    ],
  ])("hold no more than %s together: then everything asks", async (what, count, rules) => {
    const home = await acceptedHome(base);
    const directories = nested(home, count, rules);
    const [last = "", before = ""] = directories.slice(-2).reverse();
    expect(home.line("x0", { directory: before })).toMatchObject({ name: "deny", isFaulty: false });
    expectAsking(home, last, `hold more than ${what}`);
    expect(home.line(`x${count - 1}`, { directory: last })).toMatchObject({ name: "deny" });
    expect(home.line("ls", { directory: before })).toMatchObject({ name: "allow" });
  });

  it("are 256 KiB long at most", async () => {
    const home = await acceptedHome(base);
    const text = JSON.stringify({ permissions: rule(0) });
    const most = 256 * 1024;
    home.writeProject(text.padEnd(most));
    expect(home.line("x0")).toMatchObject({ name: "deny", isFaulty: false });
    home.writeProject(text.padEnd(most + 1));
    expectAsking(home, home.project, "too large");
    home.writeProject(rule(1));
    expect(home.line("ls")).toMatchObject({ name: "allow" });
  });

  it("are parsed again where their bytes differ alone, however young they are, and the one asked for last is kept", () => {
    const home = policyHome();
    // Its time stands before that of every file: each may have been changed since.
    const clock = new FakeClock();
    const files = openRuleFiles({
      home: home.path,
      homeDirectory: home.homeDirectory,
      keys: { existingKey: () => null },
      clock,
    });
    const directories = Array.from({ length: 257 }, (_, index) => join(home.project, `${index}`));
    const [first = "", ...others] = directories.map((one, index) => home.writeProject(rule(index), one));
    const ask = (path: string) => files.ofProject(path, home.project, lookAt(path));
    const before = ask(first);
    for (const one of others) {
      ask(one);
      expect(ask(first)).toBe(before);
    }
    expect(before.lists.deny.map(({ text }) => text)).toEqual(["Bash(x0)"]);
    home.writeProject(rule(1), directories[0]);
    expect(ask(first).lists.deny.map(({ text }) => text)).toEqual(["Bash(x1)"]);
  });

  it("that stand where no text can say make everything ask", async () => {
    const home = await acceptedHome(base);
    const bytes = Buffer.concat([Buffer.from(`${home.homeDirectory}/b`), Buffer.from([0x9b])]);
    mkdirSync(bytes);
    const link = join(home.homeDirectory, "link");
    symlinkSync(bytes, link);
    for (const directory of [bytes.toString(), link]) expectAsking(home, directory, "is not UTF-8");
    const good = join(home.homeDirectory, "b\ufffd good");
    mkdirSync(good);
    expect(home.line("ls", { directory: good })).toMatchObject({ name: "allow" });
  });
});

describe("the home of a person", () => {
  it("is no project, under its real path either", () => {
    const { project, homeDirectory } = policyHome();
    const real = join(project, ".wisp");
    mkdirSync(real, { mode: 0o700 });
    writeFileSync(join(real, "policy.json"), JSON.stringify({ permissions: base }), { mode: 0o600 });
    const link = join(homeDirectory, "link");
    symlinkSync(real, link);
    const home = policyHome({ home: link });
    expect(home.line("ls", { directory: project }).notices).toEqual([
      "policy.json: 1 looser rule waits for: wisp accept",
    ]);
    expect(home.policy.standing().files.map(({ kind }) => kind)).toEqual(["policy", "remembered"]);
    home.writeProject(rule(0), join(project, "below"));
    expect(home.line("x0", { directory: join(project, "below") })).toMatchObject({ name: "deny" });
  });
});
