/** Which commands a pattern matches, and how words are written as one. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { exactPattern, parseCommandPattern } from "../../../src/broker/policy/command-pattern.js";
import { isGlobMatch } from "../../../src/broker/policy/glob.js";
import { separator } from "../../../src/broker/policy/pattern.js";

function matches(body: string, words: readonly string[]): boolean {
  const parsed = parseCommandPattern(body, "/home/p");
  if (parsed.kind === "wrong") throw new Error(parsed.why);
  return parsed.pattern.exact.some((glob) => isGlobMatch(glob, words.join(separator)));
}

const split = (text: string): readonly string[] => text.split(" ");

describe("a pattern", () => {
  test.each([
    ["git status", "git status"],
    ["git status *", "git status"],
    ["git status *", "git status -s a/b c"],
    ["git status:*", "git status"],
    ["git status:*", "git status -s"],
    ["git * main", "git push origin main"],
    ["git*", "gitk"],
    ["*", "anything at all"],
    ["npm run test*", "npm run test:unit --watch"],
    ["cat ~/a $HOME/b", "cat /home/p/a /home/p/b"],
    ["git *  *", "git x"],
  ])("%j matches %j", (body, command) => {
    expect(matches(body, split(command))).toBe(true);
  });

  test.each([
    ["git status", "git status -s"],
    ["git status *", "git statusx"],
    ["git status:*", "git statusx"],
    ["git * main", "git main"],
    ["git status *", "sudo git status"],
    ["cat ~/a", "cat ~/a"],
    ["npm run test", "npm run testx"],
  ])("%j does not match %j", (body, command) => {
    expect(matches(body, split(command))).toBe(false);
  });

  it("takes a quoted * for itself, and a blank inside a word for no end of it", () => {
    expect(matches("ls 'a*'", ["ls", "a*"])).toBe(true);
    expect(matches("ls 'a*'", ["ls", "ab"])).toBe(false);
    expect(matches("ls a\\*", ["ls", "a*"])).toBe(true);
    expect(matches('echo "a b"', ["echo", "a b"])).toBe(true);
    expect(matches("git push", ["git push"])).toBe(false);
    expect(matches("git push *", ["git push", "x"])).toBe(false);
    expect(matches("git push *", ["git", "push", "x y"])).toBe(true);
  });

  test.each([
    ["", "matches nothing"],
    [":*", "matches nothing"],
    ["a; b", "one rule for each"],
    ["a > b", "redirections"],
    ["a 'b", "no end"],
    ["a\\", "quotes nothing"],
  ])("%j is refused", (body, why) => {
    const parsed = parseCommandPattern(body, "/");
    expect(parsed.kind === "wrong" ? parsed.why : "").toContain(why);
    expect(parseCommandPattern("a b", "/").kind).toBe("pattern");
  });

  it("of exact words matches those words and no others", () => {
    const word = fc.string({ unit: fc.constantFrom(..."ab *'\"\\$~;=:|\n#é") });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(word, { minLength: 1 }),
        (words, other) => {
          const body = exactPattern(words);
          expect(matches(body, words)).toBe(true);
          expect(matches(body, other)).toBe(words.join(separator) === other.join(separator));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is judged like the naive search for its parts", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (parts, searched) => {
        const expression = new RegExp(`^${parts.join("[^]*")}$`);
        expect(isGlobMatch(parts, searched)).toBe(expression.test(searched));
      }),
      { numRuns: 1_000 },
    );
  });
});
