/** No call, and no file of a project, is more work than a bound: counted, as the program counts it. */
import { describe, expect, it } from "vitest";
import { newEffort, spend } from "../../../src/broker/policy/effort.js";
import { globMatchFrom } from "../../../src/broker/policy/glob.js";
import {
  mostSearched,
  type Searched,
  searchedInLine,
  searchedInWords,
} from "../../../src/broker/policy/searched.js";
import { acceptedHome } from "../../support/policy-home.js";

const rules = { deny: ["Bash(git push *)"], allow: ["Bash"] };
const unsearched = "holds more commands than are searched";

const sizeOf = ({ commands, runs }: Searched): number =>
  [...commands, ...runs].reduce((sum, { text }) => sum + text.length, 0);

const many = (word: string, count: number): readonly string[] => Array<string>(count).fill(word);
const hostile: readonly (readonly [string, readonly string[]])[] = [
  ["options and paths", ["env", ...many("-a", 20_000), ...many("./", 20_000)]],
  ["wrappers", many("env", 30_000)],
  ["options of git", ["env", ...many("git", 100).flatMap((git) => [git, ...many("-P", 300)])]],
  ["directories of git", ["git", ...many("-C", 20_000).flatMap((one) => [one, "."])]],
  ["texts", ["ssh", "h", ...many("a b;ssh h", 12_000)]],
  ["one long word", ["sh", "-c", "$(".repeat(32_000), "eval ".repeat(12_000)]],
  ["homes", ["env", ...many("~/x", 30_000)]],
  ["names of wisp", ["ls", ...Array.from({ length: 9_000 }, (_, index) => `${index}/wisp`)]],
];

describe("what is searched for rules", () => {
  it.each(hostile)("is bounded for 128 KiB of %s, which then asks", async (_name, argv) => {
    const searched = searchedInWords(argv, "/home/p");
    expect(sizeOf(searched)).toBeLessThanOrEqual(mostSearched);
    const home = await acceptedHome(rules);
    expect(home.argv(...argv).name).toBe("ask");
    expect(home.argv("git", "status")).toMatchObject({ name: "allow" });
  });

  it.each(["a;", "ssh h 'a b';", "$(git -C x ", "env -a ./b ", "bash -c 'x y' ", "eval 'eval ", "x{,,,}y "])(
    "is bounded for 64 KiB of a line of %j",
    (piece) => {
      const searched = searchedInLine(piece.repeat((64 * 1024) / piece.length), "/home/p");
      expect(sizeOf(searched)).toBeLessThanOrEqual(mostSearched);
      expect(searchedInLine("x; git push y", "/home/p").commands).toContainEqual({
        words: ["git", "push", "y"],
        text: "git push y",
      });
    },
  );

  it("makes a call dangerous where it ends before the call does", async () => {
    const home = await acceptedHome(rules);
    const more = home.argv("env", ...many("git", 3_000).flatMap((git) => [git, "-P"]));
    expect(more).toMatchObject({ name: "ask", level: "dangerous", reasons: [unsearched] });
    expect(home.argv("env", "-a", "x", "true").level).toBe("moderate");
  });

  it("reaches the end of a plain command of any length", async () => {
    const home = await acceptedHome(rules);
    const files = Array.from({ length: 5_000 }, (_, index) => `src/some/file-${index}.ts`);
    expect(home.argv("git", "add", ...files)).toMatchObject({ name: "allow" });
    expect(home.argv("ssh", "h", "cat", ...files, ";", "git", "push")).toMatchObject({ name: "deny" });
  });

  it("finds a part of any length where it stands, and where nearly it does", () => {
    for (const length of [1, 249, 250, 251, 600]) {
      const part = `${"ab".repeat(length)}c`;
      const text = `x ${"ab".repeat(length - 1)}c ${part} y`;
      expect(globMatchFrom(["x ", part, "y"], text, text)).toBe(0);
      expect(globMatchFrom(["x ", `${part}d`, "y"], text, text)).toBe(-1);
    }
  });
});

describe("the work of rules", () => {
  const words = many("a", 30_000);
  const searching = Array.from({ length: 900 }, (_, index) => `Bash(* b * c${index} *)`);
  const long = ["x", ...many("b 1", 20_000)];

  it("that is left undone makes a call dangerous", async () => {
    const home = await acceptedHome({ deny: searching, allow: ["Bash"] });
    expect(home.argv(...long)).toMatchObject({ name: "ask", level: "dangerous", reasons: [unsearched] });
    expect(home.argv(...long.slice(0, 2_000))).toMatchObject({ name: "allow" });
    expect(home.argv(...long.slice(0, 2_000), "c7", "x")).toMatchObject({ name: "deny" });
  });

  it("of a project's file takes nothing from that of the person's rules", async () => {
    const home = await acceptedHome({ deny: ["Bash(* zz *)"], allow: ["Bash"] });
    home.writeProject({ deny: searching });
    expect(home.argv(...long)).toMatchObject({ level: "dangerous", reasons: [unsearched] });
    expect(home.argv(...long, "zz", "y")).toMatchObject({ name: "deny", rule: { text: "Bash(* zz *)" } });
    expect(home.argv("x", "y")).toMatchObject({ name: "allow" });
  });

  it("of an expression grows with its size, and what it did not search counts against the call", async () => {
    const matches = (expression: string) => ({
      rule: "mcp__a__b",
      when: [{ arg: "$.text", matches: expression }],
    });
    const home = await acceptedHome({ deny: [matches("(i.{0,300}){1}x$")], allow: ["mcp__a"] });
    expect(home.tool("mcp__a__b", { text: "i".repeat(1_000) }).name).toBe("allow");
    expect(home.tool("mcp__a__b", { text: "i".repeat(100_000) }).name).toBe("deny");
    const allowing = await acceptedHome({ allow: [matches("(.i{0,300}){1}$")] });
    expect(allowing.tool("mcp__a__b", { text: "i".repeat(100_000) }).name).toBe("ask");
    expect(allowing.tool("mcp__a__b", { text: "i".repeat(1_000) }).name).toBe("allow");
  });

  it("of when at every word that a command may begin at is counted, and counts against the call", async () => {
    const rule = (index: number) => ({ rule: "Bash", when: [{ arg: "$.argv[0]", equals: `c${index}` }] });
    const home = await acceptedHome({
      deny: Array.from({ length: 20 }, (_, index) => rule(index)),
      allow: ["Bash"],
    });
    expect(home.argv("timeout", ...words)).toMatchObject({ name: "deny", rule: { text: "Bash" } });
    expect(home.argv("timeout", ...words.slice(0, 400))).toMatchObject({ name: "allow" });
    expect(home.argv("timeout", ...words.slice(0, 400), "c3")).toMatchObject({ name: "deny" });
  });

  it("is counted down to nothing, and no further", () => {
    const effort = newEffort(10);
    expect([spend(effort, 6), spend(effort, 4), effort.isSpent]).toEqual([true, true, false]);
    expect([spend(effort, 1), spend(effort, 0), effort.isSpent]).toEqual([false, false, true]);
  });
});

it("a line of more commands, or more characters, than are searched is searched so far, and that is said", () => {
  const commands = Array.from({ length: 3_000 }, (_, index) => `a ${index}`).join("; ");
  expect(searchedInLine(commands, "/home/p")).toMatchObject({ isCut: true, commands: { length: 2_048 } });
  expect(searchedInLine(`x ${"y".repeat(mostSearched / 2)}`, "/home/p")).toMatchObject({ isCut: true });
  expect(searchedInLine("a 1; a 2", "/home/p")).toMatchObject({ isCut: false });
});
