/** `wisp policy check` says what a server would make of a call. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgedCommand, programOf } from "../../src/broker/index.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { check } from "../../src/cli/policy-verbs.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { acceptedHome, type PolicyHome } from "../support/policy-home.js";
import { ruleDraft } from "../support/remembered.js";
import { RememberedHome } from "../support/remembered-home.js";
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
    columns: 200,
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
what would change it: an exception under unless of policy.json:19, then: WISP_HOME=${home.path} wisp accept
`);
  });

  it("says what a yes to a call of a tool is about, and warns where nothing says it", async () => {
    const home = await acceptedHome({
      ask: [
        {
          rule: "mcp__fs__write",
          state: { paths: ["$.path"], git: "/r", tool: "info", args: { at: "$.path" } },
        },
        { rule: "mcp__fs__touch", state: "none" },
        "mcp__fs__move",
      ],
      allow: [{ rule: "mcp__fs__read", readOnly: true }],
    });
    const of = async (tool: string) => (await run(home, "--tool", tool)).out;
    expect(await of("mcp__fs__write")).toContain(
      '\na yes is about: the arguments, what is at $.path, HEAD and index of /r, the answer of info to {"at":"$.path"}\n',
    );
    expect(await of("mcp__fs__touch")).toContain(
      "\na yes is about: the arguments alone, and the rule says so\n",
    );
    expect(await of("mcp__fs__move")).toContain("\nwarning: state not bound: the rule says nothing of state");
    expect(await of("mcp__fs__other")).toContain(
      "\nwarning: state not bound: a yes is about the arguments alone",
    );
    expect(await of("mcp__fs__read")).toMatch(/^allow.*\nthe rule says that it changes nothing\n/s);
    for (const tool of ["WebSearch", "mcp__fs__read"]) expect(await of(tool)).not.toContain("warning");
    const { out } = await run(home, "--json", "--tool", "mcp__fs__write");
    expect(JSON.parse(out)).toMatchObject({
      state: { paths: ["$.path"], git: ["/r"], tool: "info", args: { at: "$.path" } },
      readOnly: false,
    });
  });

  it("takes the rules of the project in which it is started, as a server does, wherever the call would run", async () => {
    const home = await acceptedHome(rules);
    const elsewhere = join(home.homeDirectory, "elsewhere");
    mkdirSync(elsewhere);
    home.writeProject({ deny: ["Bash(ls *)"] });
    const runIn = (directory: string) =>
      startVerb(check, ["--cwd", elsewhere, "--", "ls x"], {
        columns: 200,
        directory,
        environment: { WISP_HOME: home.path, HOME: home.homeDirectory, PATH: "/usr/bin:/bin" },
      }).ended;
    expect((await runIn(home.project)).out).toMatch(/^deny: /);
    expect((await runIn(elsewhere)).out).toMatch(/^allow: /);
  });

  it("prints the piece also where there is one, and of a line that is no plain command what was searched", async () => {
    const home = await acceptedHome(rules);
    expect((await run(home, "--", "ls x")).out).toContain(
      "\n  allow  ls x  by allow Bash(ls *) (policy.json:22)\n",
    );
    const { out } = await run(home, "--", "printf %s $(git push x)");
    expect(out).toContain("  deny and ask rules were searched in: git push x\n");
    expect(out).toContain("  ask    printf %s $(git push x)  by ask Bash(git push *) (policy.json:19)\n");
  });

  it("names a rule that stands there and waits, and advises to accept it, not to write it", async () => {
    const home = await acceptedHome(rules);
    home.write({ ...rules, allow: [...rules.allow, "Bash(npm test)"] });
    const { out } = await run(home, "--", "npm test");
    expect(out).toContain("note: policy.json: 1 looser rule waits for: WISP_HOME=");
    expect(out).toMatch(
      /what would change it: WISP_HOME=\S+ wisp accept: policy\.json:\d+ allows it then\n$/,
    );
    const said = JSON.parse((await run(home, "--json", "--", "npm test")).out);
    expect(said.waiting).toMatchObject({ list: "allow", text: "Bash(npm test)", file: "policy.json" });
    // What is dangerous asks, accepted or not.
    home.write({ ...rules, allow: [...rules.allow, "Bash(rm *)"] });
    expect((await run(home, "--", "rm -rf x")).out).toContain("nothing: no file removes this");
    await home.accept();
    expect(JSON.parse((await run(home, "--json", "--", "ls")).out)).toMatchObject({ waiting: null });
  });

  it.each([
    [
      "ls src/*",
      "the names of the files instead of the glob, or an argv, in which nothing is put in its place",
    ],
    ["cd x; ls y", "a program instead of what works inside the shell: argv, or a line without it"],
    ["ls $(x)", "plain commands instead, or a script: of what this line runs no rule can be sure"],
  ])("advises no rule where none lets it through: %s", async (line, says) => {
    const home = await acceptedHome({ ...rules, allow: ["Bash"] });
    expect((await run(home, "--", line)).out).toContain(`\nwhat would change it: ${says}\n`);
    expect((await run(home, "--", "ls y")).out).toContain("allow: it runs");
  });

  it("says of a file that cannot be used that it asks, and no rule, and to correct it", async () => {
    const home = await acceptedHome(rules);
    home.write("{");
    const { out } = await run(home, "--", "ls");
    expect(out).toMatch(/^ask: a person is asked \(moderate: a file of rules cannot be used\)\n/);
    expect(out).toMatch(/\nnote: policy\.json cannot be used: policy\.json:1: .*\n/);
    expect(out).toMatch(/\nwhat would change it: a correction of the file that a note above names\n$/);
    home.write(rules);
    expect((await run(home, "--", "ls")).out).toContain("allow: it runs");
  });

  it("breaks its lines at blanks on a terminal, and nothing of them where it is piped", async () => {
    const home = await acceptedHome(rules);
    const of = async (isTerminal: boolean) => {
      const environment = { WISP_HOME: home.path, HOME: home.homeDirectory, PATH: "/usr/bin:/bin" };
      return (await startVerb(check, ["--", "npm test"], { environment, isTerminal, columns: 60 }).ended).out;
    };
    const [broken, whole] = [await of(true), await of(false)];
    expect(broken).not.toBe(whole);
    expect(broken.replace(/\n +/g, " ")).toBe(whole.replace(/\n +/g, " "));
    expect(
      broken.split("\n").every((row) => row.length <= 60 || !row.includes(" ") || row.includes("WISP_HOME=")),
    ).toBe(true);
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
    [["--preset", "git", "--", "ls"]],
    [["--preset", "git", "--tool", "Read"]],
    [["--preset", "nothing", "--tool", "mcp__git__git_add"]],
    [["--tool", "filesystem.read"]],
    [["--tool", "mcp__files"]],
    [["--tool", "mcp_files_read"]],
    [["--tool", ""]],
    [["--what"]],
  ])("is refused as wrong usage: %j", async (words) => {
    const home = await acceptedHome(rules);
    expect(await run(home, ...words)).toMatchObject({ exit: 2, out: "" });
    expect(await run(home, "--", "ls")).toMatchObject({ exit: 0 });
  });

  it("says how a tool is named where what was typed names none, and how to ask about one where nothing was", async () => {
    const home = await acceptedHome(rules);
    const { err } = await run(home, "--tool", "filesystem.read");
    expect(err).toContain("mcp__SERVER__TOOL");
    for (const words of [[], ["--args", "{}"]]) {
      expect((await run(home, ...words)).err).toContain("--tool NAME [--args JSON]");
    }
    expect(await run(home, "--tool", "mcp__filesystem__read.it")).toMatchObject({ exit: 0, err: "" });
  });

  it("shows nothing of a line that a terminal would interpret", async () => {
    const home = await acceptedHome(rules);
    const { out } = await run(home, "--", "ls\u001b[2J; wc\u202e");
    expect(["\u001b", "\u202e"].filter((one) => out.includes(one))).toEqual([]);
  });

  it("prints as JSON each piece with its place, what is near, and what there is to say of the files", async () => {
    const home = await acceptedHome({ ask: ["Bash(git push *)"] });
    const store = new RememberedHome(home.path).open(systemClock);
    const git = programOf({ argv: ["git"], line: "git", directory: home.project }, { PATH: "/usr/bin:/bin" });
    const { program, programIdentity } = judgedCommand(
      { argv: ["git"], line: "git", directory: home.project },
      git,
    );
    const rule = { rule: "Bash(git push origin main)", scope: "always", directory: null } as const;
    const kept = { ...rule, program, programIdentity, askedBy: "Bash(git push *)" };
    const { id } = await store.remember(ruleDraft(systemClock.now(), kept));
    home.write({ ask: ["Bash(git push *)"], allow: ["Bash(npm test)"] });
    const json = async (...words: string[]) => JSON.parse((await run(home, "--json", ...words)).out);
    // The very program was found, or another one would have been meant.
    expect(await json("--", "git", "push", "origin", "main")).toMatchObject({
      verdict: "allow",
      remembered: id,
    });
    const near = await json("--", "git push origin dev");
    expect(near).toMatchObject({
      nearest: 'word 4 is "dev", not "main"',
      parts: [
        { text: "git push origin dev", verdict: "ask", rule: "ask Bash(git push *)", file: "policy.json" },
      ],
      notices: ["policy.json: 1 looser rule waits for: wisp accept"],
      faulty: false,
    });
    expect(near.parts[0].line).toBe(near.rule.line);
    expect(near.rule.line).toBeGreaterThan(1);
    expect((await run(home, "--", "git push origin dev")).out).toContain(
      'a remembered rule does not fit: word 4 is "dev", not "main"\n',
    );
  });

  it("judges in a directory that is named from where it is run", async () => {
    const home = await acceptedHome(rules);
    home.writeProject({ deny: ["Bash(ls)"] });
    const directory = relative(fakeTerminal().directory, home.project);
    expect((await run(home, "--cwd", directory, "--", "ls")).out).toContain("deny: it is refused");
    expect((await run(home, "--cwd", home.homeDirectory, "--", "ls")).out).toContain("allow: it runs");
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
