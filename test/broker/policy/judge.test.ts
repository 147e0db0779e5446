/** What rules and floors make of a call. */
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { highestLevel, narrowest } from "../../../src/broker/policy/evaluate.js";
import { acceptedHome, policyHome } from "../../support/policy-home.js";

const rules = {
  deny: [
    { rule: "Bash(git push --force *)", reason: "use --force-with-lease" },
    "mcp__fs__delete",
    "Bash(curl *)",
  ],
  ask: [
    { rule: "Bash(git push *)", level: "high", maxScope: "session" },
    { rule: "Bash(gh api *)", unless: ["Bash(gh api --method GET *)"] },
  ],
  allow: ["Bash(git *)", "Bash(ls *)", "Bash(gh *)", "Bash(rm *)", "mcp__fs__read_*", "Bash(cat 'a*')"],
};

describe("a verdict", () => {
  test.each([
    ["git status", "allow", "Bash(git *)"],
    ["git push origin main", "ask", "Bash(git push *)"],
    ["git push", "ask", "Bash(git push *)"],
    ["git push --force x", "deny", "Bash(git push --force *)"],
    ["gh api x", "ask", "Bash(gh api *)"],
    ["gh api --method GET x", "allow", "Bash(gh *)"],
    ["npm test", "ask", "no rule speaks of it, so it asks"],
    ["ls && git status", "allow", "Bash(ls *)"],
    ["ls && npm test", "ask", "no rule speaks of it, so it asks"],
    ["ls && git push", "ask", "Bash(git push *)"],
    ["ls; curl x", "deny", "Bash(curl *)"],
    ["git commit -m 'curl x'", "allow", "Bash(git *)"],
  ])("on %j is %s by %j", async (line, name, text) => {
    const home = await acceptedHome(rules);
    expect(home.line(line)).toMatchObject({ name, rule: { text } });
  });

  it("names the rule with its file and line, its reason, its level and its widest yes", async () => {
    const home = await acceptedHome(rules);
    expect(home.line("git push --force x")).toMatchObject({
      denial: "use --force-with-lease",
      rule: { list: "deny", file: "policy.json", line: 4 },
    });
    expect(home.line("git push x")).toMatchObject({
      level: "high",
      maxScope: "session",
      offers: [],
      reasons: ["a rule asks, and says high"],
    });
  });

  test.each([
    "echo $(curl x)",
    "FOO=1 curl x",
    "if true; then curl x; fi",
    "bash -c 'curl x' >y",
    "`curl x`",
    "c''url x >y",
    "echo a | (curl x)",
    "curl x &",
  ])("on a line of more than plain commands denies what can be seen in it: %j", async (line) => {
    const home = await acceptedHome(rules);
    expect(home.line(line)).toMatchObject({ name: "deny", isComplex: true, rule: { text: "Bash(curl *)" } });
    expect(home.line("ls")).toMatchObject({ name: "allow" });
  });

  test.each([
    "sudo curl x",
    "env A=1 curl x",
    "timeout 5 curl x",
    "nice -n 5 curl x",
    "/usr/bin/curl x",
    "bash -c 'curl x'",
    "xargs curl",
    "sh -c 'ls; curl x'",
  ])("looks through what only runs another command: %j", async (line) => {
    const home = await acceptedHome(rules);
    expect(home.line(line)).toMatchObject({ name: "deny", rule: { text: "Bash(curl *)" } });
    expect(home.line("docker rm curl")).toMatchObject({ name: "ask" });
  });

  it("never allows a line of more than plain commands", async () => {
    const home = await acceptedHome({ allow: ["Bash"] }, { settings: { threshold: "low", persistDays: 30 } });
    expect(home.line("ls >x")).toMatchObject({ name: "ask", maxScope: "once", isComplex: true, offers: [] });
    expect(home.line("ls >/dev/null")).toMatchObject({ name: "allow" });
  });

  it("takes a quoted * of a rule for itself, and never for what a shell makes of one", async () => {
    const home = await acceptedHome(rules);
    expect(home.argv("cat", "a*")).toMatchObject({ name: "allow" });
    expect(home.line("cat 'a*'")).toMatchObject({ name: "allow" });
    expect(home.line("cat a*")).toMatchObject({ name: "ask", maxScope: "session", offers: [] });
  });

  test.each(["rm -rf x", "git push origin +main", "ls; git reset --hard"])(
    "on what is dangerous asks, whatever is allowed: %j",
    async (line) => {
      const home = await acceptedHome({ allow: ["Bash"] });
      expect(home.line(line)).toMatchObject({
        name: "ask",
        level: "dangerous",
        maxScope: "session",
        offers: [],
      });
      expect(home.line(line).rule.list).toBe("floor");
      expect(home.line("rm x")).toMatchObject({ name: "allow" });
    },
  );

  test.each([
    "gh api --method GET -X DELETE /repos/x",
    "gh api --method GET /repos/x -XDELETE",
    "gh api --method GET --method DELETE /repos/x",
    "gh api --method GET --input x /repos/x",
    "gh api --method GET -- x",
    // Neither by words that only look alike once they are joined, nor by one of the commands of a line.
    'gh "api --method GET" x',
    "gh api --method GET x; $(gh api x)",
    "gh api --method GET x && gh api x",
  ])("is excepted by no exception that does not name all of it: %j", async (line) => {
    const home = await acceptedHome(rules);
    expect(home.line(line)).toMatchObject({ name: "ask", rule: { text: "Bash(gh api *)" } });
    const denying = await acceptedHome({
      deny: [{ rule: "Bash(gh *)", unless: ["Bash(gh api --method GET *)", "Bash(gh pr --json=* * -w)"] }],
      allow: ["Bash"],
    });
    expect(denying.line(line)).toMatchObject({ name: "deny" });
    expect(denying.line("gh pr --json=a -X -w")).toMatchObject({ name: "deny" });
    expect(denying.line("gh pr --json=a b -w")).toMatchObject({ name: "allow" });
    expect(home.line("gh api --method GET /repos/x")).toMatchObject({ name: "allow" });
  });

  it("judges when by the words of every command that is searched, where it makes stricter", async () => {
    const when = (path: string, value: string) => [{ arg: path, equals: value }];
    const home = await acceptedHome({
      deny: [
        { rule: "Bash", when: when("$.argv[*]", "--evil") },
        { rule: "Bash(* *)", when: when("$.argv[0]", "curl") },
        { rule: "Bash(wget *)", when: when("$.argv[1]", "a b") },
      ],
      allow: [
        { rule: "Bash(ls *)", when: when("$.argv[1]", "x") },
        "Bash(echo *)",
        "Bash(git *)",
        "Bash(cat *)",
      ],
    });
    for (const line of [
      "echo --evil",
      "echo --evil > out",
      "echo $(printf x --evil)",
      "curl x",
      "/usr/bin/curl x",
      "env curl x",
      "curl x > out",
      "echo a; sudo curl x",
      "bash -c 'curl x'",
      "wget 'a b' > out",
      "timeout 5 wget 'a b'",
    ])
      expect(home.line(line), line).toMatchObject({ name: "deny" });
    for (const line of ["ls y", "env ls x", "echo x > out"])
      expect(home.line(line), line).toMatchObject({ name: "ask" });
    for (const line of ["echo curl", "git commit -m 'not --evil'", "cat curl x", "ls x"])
      expect(home.line(line), line).toMatchObject({ name: "allow" });
  });

  it("guards our own programs and the home of wisp by code", async () => {
    const home = await acceptedHome({ allow: ["Bash", "mcp__fs", "Write"] });
    const lines = [
      "wisp accept",
      "node dist/wisp.cjs approvals approve x",
      "npx wisp-tui",
      "/usr/local/bin/wisp approvals approve x",
      "npm exec wisp accept",
      "timeout 5 wisp accept",
      "tmux new-session 'wisp accept'",
      "bash -c 'wisp accept'",
      "find a -exec wisp accept ';'",
      "ls; wisp accept",
      "python3 x.py wisp",
      "cp dist/wisp.cjs x",
      "ln -s dist/wisp-tui.mjs x",
      "X=wisp; $X accept",
      "echo $(wisp accept)",
      "cp x ~/home/remembered.json",
      "mv x ~/home/",
      "tee ../home/keys/root",
      "cat ~/home/policy.json",
      `cp x ${home.path}/policy.json`,
      "cat ../home/keys/root",
      "ls ~/.wisp",
      "echo x >$WISP_HOME/policy.json",
    ];
    for (const line of lines)
      expect(home.line(line), line).toMatchObject({ name: "ask", level: "dangerous" });
    expect(home.tool("Write", { file_path: `${home.path}/policy.json` })).toMatchObject({
      level: "dangerous",
    });
    expect(home.tool("mcp__fs__write", { a: [{ b: "../home/policy.json" }] })).toMatchObject({ name: "ask" });
    const links = join(home.project, "wisp-tui");
    const installed = await acceptedHome(
      { allow: ["Bash"] },
      {
        look: {
          real: (path) => (path === links ? "/opt/lib/wisp-tui.mjs" : path),
          isLink: () => false,
          isThere: () => true,
          hasOtherNames: () => false,
        },
      },
    );
    expect(installed.line(`cp ${links} x`)).toMatchObject({ level: "dangerous" });
    for (const line of [
      "ls /work/wisp",
      "git log -- wisp",
      "git commit -m 'wisp accept'",
      "cat docs/wisp",
      "ls src/wisp/x",
    ])
      expect(home.line(line), line).toMatchObject({ name: "allow", level: "moderate" });
    expect(home.line("cat wisps.txt home.txt")).toMatchObject({ name: "allow" });
    expect(home.tool("mcp__fs__write", { path: "x" })).toMatchObject({ name: "allow" });
  });

  it("without a rule asks from the threshold on, and always for tools and complex lines", async () => {
    const home = await acceptedHome({ deny: ["Bash(x)"] }, { settings: { threshold: "high" } });
    expect(home.line("npm test")).toMatchObject({ name: "allow", rule: { list: "threshold" } });
    expect(home.line("rm -rf x")).toMatchObject({ name: "ask" });
    expect(home.line("echo $(id)")).toMatchObject({ name: "ask" });
    expect(home.tool("mcp__fs__read_file")).toMatchObject({ name: "ask" });
    expect(home.line("x")).toMatchObject({ name: "deny" });
  });

  it("on tools is by server and name", async () => {
    const home = await acceptedHome(rules);
    expect(home.tool("mcp__fs__read_file")).toMatchObject({
      name: "allow",
      rule: { text: "mcp__fs__read_*" },
    });
    expect(home.tool("mcp__fs__write_file")).toMatchObject({ name: "ask", maxScope: "session" });
    expect(home.tool("mcp__fs__delete")).toMatchObject({ name: "deny" });
    expect(home.tool("mcp__fs2__read_file")).toMatchObject({ name: "ask" });
    expect(home.tool("read_file")).toMatchObject({ name: "ask" });
  });

  it("adding a deny or an ask rule never loosens, whatever else stands there", async () => {
    const order = ["allow", "ask", "deny"];
    const pattern = fc.constantFrom("Bash", "Bash(a *)", "Bash(a b)", "Bash(* c)", "Bash(b:*)");
    const list = fc.array(pattern, { maxLength: 3 });
    const line = fc.constantFrom("a", "a b", "b c", "a b; b", "c d && a", "echo $(a b)", "a c | b");
    await fc.assert(
      fc.asyncProperty(
        list,
        list,
        list,
        pattern,
        line,
        fc.constantFrom("deny", "ask"),
        async (deny, ask, allow, one, text, where) => {
          const before = policyHome();
          before.write({ deny, ask, allow });
          await before.accept();
          const was = before.line(text).name;
          before.write({
            deny: where === "deny" ? [one, ...deny] : deny,
            ask: where === "ask" ? [one, ...ask] : ask,
            allow,
          });
          expect(order.indexOf(before.line(text).name)).toBeGreaterThanOrEqual(order.indexOf(was));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("of several that say the same", () => {
  it("a rule is named before the lack of one, in a line and in what was accepted", async () => {
    const home = await acceptedHome({ ask: ["Bash(git push *)"] });
    expect(home.line("foo a; git push x").rule).toMatchObject({ list: "ask", text: "Bash(git push *)" });
    expect(home.line("git push x; foo a").rule).toMatchObject({ list: "ask", text: "Bash(git push *)" });
    home.write({ deny: ["Bash(x)"] });
    expect(home.line("git push x").rule).toMatchObject({ list: "ask", text: "Bash(git push *)" });
    expect(home.line("foo a").rule).toMatchObject({ list: "threshold" });
  });

  it("the narrowest scope and the gravest level count, and of none the strictest that there is", () => {
    expect(narrowest(["always", "session", "project"])).toBe("session");
    expect(highestLevel(["low", "high", "moderate"])).toBe("high");
    expect([narrowest([]), highestLevel([])]).toEqual(["once", "dangerous"]);
  });

  it("every reason of a dangerous call is said, and no rule makes it less", async () => {
    const home = await acceptedHome({ ask: [{ rule: "Bash(rm *)", level: "low" }], allow: ["Bash"] });
    expect(home.line("rm -rf x")).toMatchObject({
      ...{ name: "ask", level: "dangerous" },
      reasons: ["deletes recursively", "deletes by force"],
    });
    expect(home.argv("rm", "-r", home.path)).toMatchObject({
      ...{ name: "ask", level: "dangerous" },
      reasons: ["deletes recursively", "reaches into the home of wisp"],
    });
    expect(home.line("rm x")).toMatchObject({ name: "ask", level: "low" });
  });
});

test.each([
  [{ arg: "$.directory", glob: "/nowhere/**" }, "allow"],
  [{ arg: "$.argv[3].more", glob: "x" }, "allow"],
  [{ arg: "$.argv[2]", equals: "x" }, "deny"],
  [{ arg: "$.argv[2]", equals: "y" }, "allow"],
  [{ arg: "$.argv[*]", equals: "x" }, "deny"],
])("of a command behind a wrapper %j is asked as it is of the command alone", async (one, name) => {
  const home = await acceptedHome({ deny: [{ rule: "Bash(git push *)", when: [one] }], allow: ["Bash"] });
  expect(home.argv("git", "push", "x").name).toBe(name);
  expect(home.argv("nice", "git", "push", "x").name).toBe(name);
});

it("a rule about a wrapper is asked of the words of the wrapper", async () => {
  const when = (equals: string) => [{ arg: "$.argv[1]", equals }];
  for (const [word, name] of [
    ["cat", "deny"],
    ["x", "allow"],
  ] as const) {
    const home = await acceptedHome({ deny: [{ rule: "Bash(nice *)", when: when(word) }], allow: ["Bash"] });
    expect(home.argv("nice", "cat", "x").name, word).toBe(name);
  }
});
