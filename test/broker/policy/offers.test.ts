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
    expect(offersOf(commandOfWords(["git", "push", "origin", "main"]))).toEqual([
      { rule: "Bash(git push origin main)", matches: null, misses: null },
      { rule: "Bash(git push origin *)", matches: "git push origin and more", misses: "git push other" },
      { rule: "Bash(git push *)", matches: "git push and more", misses: "git other" },
    ]);
  });

  test.each<[readonly string[], readonly string[]]>([
    [["make", "build"], ["Bash(make build)"]],
    [["ls"], ["Bash(ls)"]],
    [["ls", "-la", "x"], ["Bash(ls -la x)"]],
    [["bash", "script", "x"], ["Bash(bash script x)"]],
    [["node", "x.js", "y"], ["Bash(node x.js y)"]],
    [["sudo", "ls", "x"], ["Bash(sudo ls x)"]],
    [["/usr/bin/env", "a", "b"], ["Bash(/usr/bin/env a b)"]],
    [["find", "a", "b"], ["Bash(find a b)"]],
    [
      ["npm", "run", "b c"],
      ["Bash(npm run 'b c')", "Bash(npm run *)"],
    ],
    [
      ["npm", "test"],
      ["Bash(npm test)", "Bash(npm test *)"],
    ],
    [["a", "b\u202e"], []],
    [["a", "x".repeat(3_000)], []],
  ])("for %j is %j", (words, rules) => {
    expect(offered(...words)).toEqual(rules);
  });

  it("would be answered by what it matches and not by what it misses, and exactly by its own words", async () => {
    const word = fc.constantFrom("git", "push", "npm", "run", "a b", "x*", "main", "-f", "'", "~");
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
