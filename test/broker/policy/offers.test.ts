/** What a yes for longer may remember. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { commandOfWords } from "../../../src/broker/policy/command-line.js";
import { offersOf } from "../../../src/broker/policy/offers.js";
import { acceptedHome } from "../../support/policy-home.js";

const offered = (...words: string[]): readonly string[] =>
  offersOf(commandOfWords(words)).map(({ rule }) => rule);

describe("what is offered", () => {
  it("is exactly this command first, then at most two wider forms with what they would match and miss", () => {
    expect(offersOf(commandOfWords(["git", "add", "a", "b"]))).toEqual([
      { rule: "Bash(git add a b)", matches: null, misses: null },
      { rule: "Bash(git add a *)", matches: "git add a and more", misses: "git add other" },
      { rule: "Bash(git add *)", matches: "git add and more", misses: "git other" },
    ]);
  });

  it("misses another word than that which it says of most", () => {
    expect(offersOf(commandOfWords(["git", "push", "other", "x"]))[1]).toEqual({
      rule: "Bash(git push other *)",
      matches: "git push other and more",
      misses: "git push another",
    });
  });

  test.each<[readonly string[], readonly string[]]>([
    [["ls"], ["Bash(ls)"]],
    [["ls", "-la", "x"], ["Bash(ls -la x)"]],
    [["cat", "a", "b c"], ["Bash(cat a 'b c')"]],
    [["find", "a", "b"], ["Bash(find a b)"]],
    [
      ["git", "push", "origin", "main"],
      ["Bash(git push origin main)", "Bash(git push origin *)"],
    ],
    [["git", "push"], ["Bash(git push)"]],
    [
      ["git", "status"],
      ["Bash(git status)", "Bash(git status *)"],
    ],
    [["git", "-C", "x", "status"], ["Bash(git -C x status)"]],
    [["a", "b\u202e"], []],
    [["x".repeat(41), "y"], [`Bash(${"x".repeat(41)} y)`]],
    [["a", "x".repeat(3_000)], []],
  ])("for %j is %j", (words, rules) => {
    expect(offered(...words)).toEqual(rules);
  });

  it.each([
    "bash deploy.sh",
    "sh -c x",
    "python3.12 x.py",
    "node x.js",
    "/usr/bin/env a b",
    "sudo ls x",
    "timeout 5 ls",
    "find a -exec b ';'",
    "xargs ls",
    "ssh h ls",
    "docker ps",
    "setpriv ls",
    "/lib64/ld-linux-x86-64.so.2 /usr/bin/ls",
    "source x",
    "make build",
    "make-4.4 build",
    "/usr/bin/make build",
    "npm test",
    "npm exec x",
    "npx x",
    "yarn dlx x",
    "pnpm dlx x",
    "just x",
    "task x",
    "cargo test",
    "go test ./...",
    "pytest",
    "pip install .",
    "uv run x",
    "poetry run x",
    "bundle exec x",
    "terraform apply",
    "/usr/local/bin/deploy.sh",
    "vim x",
    "gdb x",
  ])("is nothing where the words do not say what it does: %j", (line) => {
    expect(offered(...line.split(" "))).toEqual([]);
    expect(offered("ls", "x")).toEqual(["Bash(ls x)"]);
  });

  it.each([
    "git bisect run x",
    "git submodule foreach x",
    "git rebase main x",
    "git config alias.x y",
    "git checkout x y",
    "git clone x y",
    "gh extension install x",
    "cat a b",
    "cp a b",
    "tar xf a b",
    "rg x y",
    "sed p y",
    "systemctl restart x",
    "curl x y",
  ])("is no wider form of a verb that is not known to be harmless: %j", (line) => {
    expect(offered(...line.split(" "))).toEqual([`Bash(${line})`]);
    expect(offered("git", "show", "x")).toHaveLength(2);
  });

  it("would be answered by what it matches and not by what it misses, and exactly by its own words", async () => {
    const word = fc.constantFrom("git", "push", "add", "other", "a b", "x*", "main", "-f", "'", "~");
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (words) => {
        for (const { rule, matches, misses } of offersOf(commandOfWords(words))) {
          const home = await acceptedHome({ deny: [rule] });
          const isMatched = (line: string): boolean => home.line(line).name === "deny";
          expect(home.argv(...words).name).toBe("deny");
          if (matches !== null) expect(isMatched(matches)).toBe(true);
          if (misses !== null) expect(isMatched(misses)).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each(["a; b", "echo $(a)", "rm -rf x", "ls *.ts", "ls src/*"])("is nothing for %j", async (line) => {
    const home = await acceptedHome({ deny: ["Bash(x)"] });
    expect(home.line(line).offers).toEqual([]);
    expect(home.line("ls a").offers.length).toBeGreaterThan(0);
  });
});
