/** `wisp policy check` says what a server would make of a call. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "../../src/cli/policy-verbs.js";
import { acceptedHome, type PolicyHome } from "../support/policy-home.js";
import { startVerb } from "../support/run-verb.js";

const rules = {
  deny: [
    { rule: "Bash(curl *)", reason: "use the proxy" },
    { rule: "mcp__x__y", when: [{ arg: "$.a", matches: "^b+$" }] },
  ],
  ask: ["Bash(git push *)"],
  allow: ["Bash(ls *)", "Bash(git *)", "Bash(echo 'a b')"],
};

const run = (home: PolicyHome, ...words: readonly string[]) =>
  startVerb(check, words, {
    environment: { WISP_HOME: home.path, HOME: home.homeDirectory, PATH: "/usr/bin:/bin" },
  }).ended;

describe("wisp policy check", () => {
  it("prints the pieces, the verdict, the rule with its place, and what would change it", async () => {
    const home = await acceptedHome(rules);
    const { out, exit } = await run(home, "--", "ls && git push");
    expect(exit).toBe(0);
    expect(out).toBe(`ask: a person is asked (moderate: a rule asks)
rule: ask Bash(git push *) (policy.json:19)
  allow  ls  by allow Bash(ls *) (policy.json:22)
  ask    git push  by ask Bash(git push *) (policy.json:19)
a yes counts at most: session
what would change it: an exception under unless of policy.json:19, then: wisp accept
`);
  });

  it("ends with 0 whatever the verdict, also where a file cannot be used", async () => {
    const home = await acceptedHome(rules);
    const denied = await run(home, "--", "curl x");
    expect(denied).toMatchObject({ exit: 0 });
    expect(denied.out).toContain("says: use the proxy");
    home.write("{");
    const faulty = await run(home, "--json", "--", "ls");
    expect(faulty).toMatchObject({ exit: 0 });
    expect(JSON.parse(faulty.out)).toMatchObject({ verdict: "ask", faulty: true, maxScope: "once" });
    home.write(rules);
    expect((await run(home, "--", "ls")).out).toContain("allow: it runs");
  });

  it("takes one word for a line of bash, and several for words that run without a shell", async () => {
    const home = await acceptedHome(rules);
    const verdictOf = async (...words: string[]) =>
      JSON.parse((await run(home, "--json", "--", ...words)).out);
    expect(await verdictOf("echo 'a b'")).toMatchObject({ verdict: "allow" });
    expect(await verdictOf("echo", "a b")).toMatchObject({ verdict: "allow" });
    expect(await verdictOf("echo", "a", "b")).toMatchObject({ verdict: "ask" });
    expect(await verdictOf("echo a b")).toMatchObject({ verdict: "ask" });
  });

  it("takes a call of a tool with its arguments", async () => {
    const home = await acceptedHome(rules);
    const tool = async (args: string) =>
      JSON.parse((await run(home, "--json", "--tool", "mcp__x__y", "--args", args)).out);
    expect(await tool('{"a": "bbb"}')).toMatchObject({ verdict: "deny", parts: [{ text: "mcp__x__y" }] });
    expect(await tool('{"a": "bbc"}')).toMatchObject({ verdict: "ask" });
  });

  it("judges where it is told to", async () => {
    const home = await acceptedHome(rules);
    mkdirSync(join(home.homeDirectory, "other/.wisp"), { recursive: true });
    writeFileSync(
      join(home.homeDirectory, "other/.wisp/policy.json"),
      '{"permissions": {"deny": ["Bash(ls)"]}}',
    );
    expect((await run(home, "--cwd", join(home.homeDirectory, "other"), "--", "ls")).out).toContain(
      "deny: it is refused",
    );
    expect((await run(home, "--", "ls")).out).toContain("allow: it runs");
  });

  it.each([
    [[]],
    [["--args", "{}"]],
    [["--tool", "x", "--", "ls"]],
    [["--tool", "x", "--args", "[]"]],
    [["--tool", "x", "--args", "{"]],
    [["--what"]],
  ])("is refused as wrong usage: %j", async (words) => {
    const home = await acceptedHome(rules);
    expect(await run(home, ...words)).toMatchObject({ exit: 2, out: "" });
    expect(await run(home, "--", "ls")).toMatchObject({ exit: 0 });
  });

  it("shows nothing of a line that a terminal would interpret", async () => {
    const home = await acceptedHome(rules);
    const { out } = await run(home, "--", "ls\u001b[2J; wc\u202e");
    expect(["\u001b", "\u202e"].filter((one) => out.includes(one))).toEqual([]);
  });

  it("and enforcement say the same of every line and call", async () => {
    const home = await acceptedHome(rules);
    const piece = fc.constantFrom(
      "ls",
      "curl x",
      "git push",
      "git status",
      "echo 'a b'",
      "rm -rf x",
      "$(ls)",
      "wisp accept",
      "npm test",
      "ls src/*",
    );
    const line = fc.array(fc.tuple(piece, fc.constantFrom("; ", " && ", " | ", " & ")), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(line, async (all) => {
        const text = all.flat().slice(0, -1).join("");
        const { name, level, maxScope, parts, isComplex, reasons } = home.line(text);
        const said = JSON.parse((await run(home, "--json", "--", text)).out);
        expect(said).toMatchObject({ verdict: name, level, maxScope, complex: isComplex, reasons });
        expect(said.parts.map((part: { text: string }) => part.text)).toEqual(parts.map((part) => part.text));
      }),
      { numRuns: 60 },
    );
  });
});
