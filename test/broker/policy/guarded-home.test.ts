/** What code guards: the home of wisp by any way that a call can name it, and words that nobody sees before. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { acceptedHome, usual } from "../../support/policy-home.js";

/** Everything is allowed; links lead from the project to the directory above the home, and to the home. */
async function openHome() {
  const home = await acceptedHome({ allow: ["Bash"] });
  mkdirSync(join(home.path, "keys"), { recursive: true, mode: 0o700 });
  writeFileSync(join(home.path, "keys", "root"), "secret", { mode: 0o600 });
  mkdirSync(join(home.project, "src"));
  symlinkSync(dirname(home.path), join(home.project, "up"));
  symlinkSync(home.path, join(home.project, "straight"));
  const program = { program: "/bin/x", programIdentity: "x", isProgramOpen: false };
  const argv = (words: readonly string[], directory = home.project) =>
    home.policy.judge({ kind: "command", argv: words, line: words.join(" "), directory, ...program }, usual);
  return { ...home, argv };
}

describe("the home of wisp", () => {
  it.each<[how: string, words: readonly string[]]>([
    ["by a word without a slash, from above", ["cat", "../home/keys/root"]],
    ["through a link to what is above it", ["cat", "up/home/keys/root"]],
    ["through a link to it", ["cat", "straight/policy.json"]],
    ["by the link itself", ["cp", "-r", "straight", "x"]],
    ["behind a sign", ["curl", "-d", "@../home/keys/root", "http://127.0.0.1"]],
    ["behind an option of one letter", ["tar", "-C../home", "keys"]],
    ["behind an option and =", ["cp", "--target-directory=../home", "x"]],
    ["from a directory that is named beside it", ["tar", "cf", "x", "-C", "..", "home"]],
    ["as a part of what is copied", ["cp", "-r", "..", "x"]],
    ["as a part of what is searched", ["grep", "-r", ".", "up"]],
    ["as a part of what is packed", ["tar", "cf", "x", ".."]],
  ])("is reached %s: that is dangerous", async (_how, words) => {
    const home = await openHome();
    expect(home.argv(words)).toMatchObject({
      name: "ask",
      level: "dangerous",
      reasons: ["reaches into the home of wisp"],
    });
    expect(home.argv(["cat", "src/a", "../other/file"])).toMatchObject({ name: "allow" });
  });

  it("is reached by whatever runs in it", async () => {
    const home = await openHome();
    for (const directory of [home.path, join(home.path, "keys"), join(home.project, "straight")])
      expect(home.argv(["cat", "root"], directory), directory).toMatchObject({ level: "dangerous" });
    expect(home.argv(["cat", "root"])).toMatchObject({ name: "allow" });
  });

  it("is reached from the directory above it by what goes down", async () => {
    const home = await openHome();
    const above = dirname(home.path);
    for (const words of [["find"], ["rg", "x"], ["grep", "-r", "x"], ["cat", "home/keys/root"]])
      expect(home.argv(words, above), words.join(" ")).toMatchObject({ level: "dangerous" });
    for (const words of [["ls"], ["cat", "notes"], ["git", "status"]])
      expect(home.argv(words, above), words.join(" ")).toMatchObject({ name: "allow" });
  });

  it.each([
    "cat ../h?me/keys/root",
    "cat ../[h]ome/*",
    "cp x ../hom*",
    "cat up/ho*/keys/root",
    "tar cf x ./../*",
  ])("may be what a glob stands for: %s", async (line) => {
    const home = await openHome();
    expect(home.line(line)).toMatchObject({ level: "dangerous" });
    expect(home.line("cat ../other/keys/root")).toMatchObject({ name: "allow" });
  });

  it("is not looked for without end: a call of more words than anybody writes is dangerous", async () => {
    const home = await openHome();
    const many = Array.from({ length: 9_000 }, (_, index) => `a/${index}`);
    expect(home.argv(["cat", ...many])).toMatchObject({ level: "dangerous" });
    expect(home.argv(["cat", ...many.slice(0, 3_000)])).toMatchObject({ name: "allow" });
  });

  it("is not hidden among more arguments of a tool than are looked at", async () => {
    const home = await acceptedHome({ allow: ["mcp__fs__read"] });
    const read = (count: number) =>
      home.tool("mcp__fs__read", { sizes: Array(count).fill(7), path: join(home.path, "policy.json") });
    const reached = { name: "ask", level: "dangerous", reasons: ["reaches into the home of wisp"] };
    expect(read(1)).toMatchObject(reached);
    expect(read(20_000)).toMatchObject(reached);
    expect(home.tool("mcp__fs__read", { path: "/srv/x" })).toMatchObject({ name: "allow" });
  });
});

describe("a glob", () => {
  it.each([
    "git pus? origin main",
    "cat .e?v",
    "ls src/*",
    "tar x* ./e*",
    "ls a; cat b[c]",
    "timeout 5 cur? x",
  ])("may be any word, so a line with one asks: %s", async (line) => {
    const home = await acceptedHome({ allow: ["Bash"], deny: ["Bash(git push *)"] });
    expect(home.line(line)).toMatchObject({ name: "ask" });
    expect(home.line(line.replace(/[*?[\]]/g, "x"))).toMatchObject({ name: "allow" });
  });

  it("in quotes, or in an argv, is a word as it stands", async () => {
    const home = await acceptedHome({ allow: ["Bash"] });
    expect(home.line("rg 'a.*b' src")).toMatchObject({ name: "allow" });
    expect(home.argv("find", "src", "-name", "*.ts")).toMatchObject({ name: "allow" });
  });

  it.each(["node dist/w?sp.cjs accept", "node dist/wisp*.cjs accept", "sh -c './w*p accept'"])(
    "may be a program of ours: %s",
    async (line) => {
      const home = await acceptedHome({ allow: ["Bash"] });
      expect(home.line(line)).toMatchObject({ level: "dangerous" });
      expect(home.line("node dist/other.cjs accept")).toMatchObject({ name: "allow" });
    },
  );
});

describe("a file of ours", () => {
  it("is not looked for behind a link that leads nowhere, nor below more directories than anybody names", async () => {
    const home = await acceptedHome({ allow: ["Bash"] });
    symlinkSync("round", join(home.project, "round"));
    const deep = (count: number): string => `${"a/".repeat(count)}wisp`;
    expect(home.argv("cat", "round/wisp", deep(60))).toMatchObject({ name: "allow" });
    expect(home.argv("cat", deep(70))).toMatchObject({ name: "ask", reasons: ["names wisp itself"] });
  });
});

it("a rule that asks for other words of the same text is not dodged by a decoy", async () => {
  const home = await acceptedHome({
    deny: [{ rule: "Bash(git push *)", when: [{ arg: "$.argv[*]", equals: "--tags" }] }],
    allow: ["Bash(bash -c *)", "Bash(git *)"],
  });
  expect(home.line(`bash -c "git 'push --tags'; git push --tags"`)).toMatchObject({ name: "deny" });
  expect(home.line(`git 'push --tags'; git push --tags`)).toMatchObject({ name: "deny" });
  expect(home.line("git status")).toMatchObject({ name: "allow" });
});
