/** What a file of rules may say, and how it says what is wrong in it. */
import { describe, expect, it, test } from "vitest";
import { type ParsedRules, parseRules } from "../../../src/broker/policy/rules.js";
import type { VerdictName } from "../../../src/broker/policy/verdict.js";

const file = { name: "policy.json", homeDirectory: "/home/p", project: null, isCurrent: true };

function objectionsTo(text: string): readonly string[] {
  const parsed = parseRules(text, file);
  return parsed.kind === "wrong" ? parsed.objections : [];
}

/** One rule in a file of its own, at line 3. */
function oneRule(entry: unknown, list: VerdictName = "ask"): string {
  return `{ "permissions": {\n"${list}": [\n${JSON.stringify(entry)}\n] } }`;
}

function rulesOf(parsed: ParsedRules): Extract<ParsedRules, { kind: "rules" }> {
  if (parsed.kind === "wrong") throw new Error(parsed.objections.join("; "));
  return parsed;
}

const good = `{
  // What nobody does here.
  "permissions": {
    "deny": [
      { "rule": "Bash(git push --force *)", "reason": "use --force-with-lease" }, // said to the agent
    ],
    /* the rest */
    "ask": ["mcp__github__*", { "rule": "Bash(git push *)", "level": "high", "maxScope": "session" }],
    "allow": ["mcp__fs__read_*", "Read(~/src/**)", "WebSearch"],
  },
}
`;

describe("a file of rules", () => {
  it("is read with comments and trailing commas, each rule with its line", () => {
    const { lists } = rulesOf(parseRules(good, file));
    expect(lists.deny.map(({ text, line, reason }) => [text, line, reason])).toEqual([
      ["Bash(git push --force *)", 5, "use --force-with-lease"],
    ]);
    expect(lists.ask.map(({ text, line, level, maxScope }) => [text, line, level, maxScope])).toEqual([
      ["mcp__github__*", 8, null, null],
      ["Bash(git push *)", 8, "high", "session"],
    ]);
    expect(lists.allow.map(({ text }) => text)).toEqual(["mcp__fs__read_*", "Read(~/src/**)", "WebSearch"]);
  });

  test.each([
    ["", ":1: not JSON (value expected)"],
    ["[]", ":1: the file holds no object"],
    ["{}", ":1: permissions is missing"],
    ['{ "permissions": {} }', ":1: no list"],
    ['{ "permissions":\n{ "deny": "x" } }', ":2: deny is a list"],
    ['{\n"allow": [] }', ":2: allow stands below permissions"],
    ['{\n"permission": {} }', ":2: permission is no key; the nearest is permissions"],
    ['{ "permissions": {\n"denyed": [] } }', ":2: denyed is no key: deny, ask, allow"],
    ['{ "permissions": {\n"alow": [] } }', ":2: alow is no key; the nearest is allow"],
    ['{ "permissions": { "deny": [""] } }', ':1: "": it is empty, so it matches nothing'],
    ['{ "permissions": { "deny": ["bahs(x)"] } }', ":1: bahs(x): bahs takes no pattern (Bash, "],
    ['{ "permissions": { "deny": [],\n"deny": [] } }', ":2: duplicate key"],
    ['{ "permissions": { "deny": [\n{ "__proto__": 1 }] } }', ":2: forbidden key"],
    ['{ "permissions": { "deny": [\n"\\ud800"] } }', ":2: lone surrogate"],
    ['{ "permissions": { "deny": [\n9007199254740993] } }', ":2: unsafe number"],
    ['{ "permissions": { "deny": [\n1e999] } }', ":2: unsafe number"],
    ['{ "permissions": { "deny": [\n1.5] } }', ":2: a rule is a text"],
    [
      `{ "permissions": { "deny": [{\n${"abcdefghijklm"
        .split("")
        .map((key) => `"${key}": 1,`)
        .join("")}\n"b": 1 }] } }`,
      ":3: duplicate key",
    ],
    ['{ "permissions": 7 }', ":1: permissions is missing"],
    ['{ "zzzzzzzzzz": 7,\n"permissions": { "zzzzzz": [] } }', ":2: zzzzzz is no key: deny, ask, allow"],
    ['{ "permissions": { "deny": [\n"Bash(a)"', "not JSON"],
    ["[".repeat(100_000), ":1: nested too deep"],
    [`{ "permissions": { "deny": ["Bash(a)"] } /* `, "not JSON"],
  ])("%j is refused whole", (text, what) => {
    const said = objectionsTo(text).join("; ");
    expect(said).toContain(what.startsWith(":") ? `policy.json${what}` : what);
    expect(new Set(objectionsTo(text)).size).toBe(objectionsTo(text).length);
    expect(objectionsTo(good)).toEqual([]);
  });

  it("says everything that is wrong at once, five at most", () => {
    const entries = ["x y", "Bash()", "mcp__", "Bash(a; b)", "*", "Bsh(a)", "Read()"];
    const said = objectionsTo(
      `{ "permissions": { "deny": [\n${entries.map((one) => JSON.stringify(one)).join(",\n")}] } }`,
    );
    expect(said).toHaveLength(6);
    expect(said.slice(0, 5).map((text) => text.split(":")[1])).toEqual(["2", "3", "4", "5", "6"]);
    expect(said.at(-1)).toBe("and 2 more");
  });
});

describe("a rule", () => {
  test.each([
    ["git push", "Bash(git push) was probably meant"],
    ["Bsh(git)", "Bash was probably meant"],
    ["Bash(git", "its ) is missing"],
    ["*", "for every command: Bash"],
    ["", "matches nothing"],
    [" Bash", "blanks stand around it"],
    ["Bash()", "for every command: Bash"],
    ["Bash(a && b)", "one rule for each"],
    ["mcp__", "names no server"],
    ["mcp_github", "mcp__github was probably meant"],
    ["Mcp_github__create_issue", "mcp__github__create_issue was probably meant"],
    ["mcp__fs__read(x)", "under when"],
    ["WebFetch(domain:x)", "under when"],
    ["Read(/etc/**)", "Read(//etc/**) was probably meant"],
    ["Read(//etc/../x)", ".. is no part of a path"],
    ["Read(//etc/[ab])", "is no glob here"],
    ["Read(//etc/a**)", "whole names only"],
    ["Read(//etc//x)", "an empty name is no part of a path"],
    ["Read()", "for every path: Read"],
    ["Shell(x)", "Bash was probably meant"],
    ["shell", "Bash was probably meant"],
    ["Frobnicate(x)", "Frobnicate takes no pattern"],
    ["mcp__a__b c", "holds no such character"],
    ["mcp__a__", "for all of them: mcp__a"],
    ["Read(~other/x)", "homes of others"],
    [`Bash(${"a".repeat(9_000)})`, "longer than"],
  ])("%j is refused, with what was probably meant", (text, why) => {
    expect(objectionsTo(oneRule(text)).join()).toMatch(/^policy\.json:3: /);
    expect(objectionsTo(oneRule(text)).join()).toContain(why);
    expect(objectionsTo(oneRule("Bash(git push *)"))).toEqual([]);
  });

  test.each<[string, unknown, VerdictName]>([
    ["resaon is no key; the nearest is reason", { rule: "Bash", resaon: "x" }, "deny"],
    ["reason stands in deny rules only", { rule: "Bash", reason: "x" }, "ask"],
    ["maxScope stands in ask rules only", { rule: "Bash", maxScope: "once" }, "allow"],
    ["level is one of low, moderate, high, dangerous", { rule: "Bash", level: "huge" }, "ask"],
    ["the key rule is missing", { reason: "x" }, "deny"],
    ["rule is a text", { rule: 7 }, "deny"],
    ["zzzzzzzz is no key", { rule: "Bash", zzzzzzzz: 1 }, "deny"],
    ["reason is a text", { rule: "Bash", reason: 7 }, "deny"],
    ["comment is longer than 500 characters", { rule: "Bash", comment: "x".repeat(501) }, "deny"],
    ["each of match is a text", { rule: "Bash", match: [7] }, "deny"],
    ["unless is a list that is not empty", { rule: "Bash", unless: "Bash(x)" }, "ask"],
    ["a rule is a text", { rule: "Bash", unless: [7] }, "ask"],
    ["Bash(git: its ) is missing", { rule: "Bash", unless: ["Bash(git"] }, "ask"],
    ["matches nothing", { rule: "WebSearch", unless: ["WebSearch", "mcp__a"] }, "deny"],
    ["a rule is a text, or an object", 7, "deny"],
    ["unless is a list that is not empty", { rule: "Bash", unless: [] }, "ask"],
    ["matches nothing", { rule: "Bash(a *)", unless: ["Bash(a *)"] }, "ask"],
    ["matches nothing", { rule: "Bash(rm *)", unless: ["Bash(x)", "Bash(rm:*)"] }, "deny"],
    ["matches nothing", { rule: "Bash", unless: ["Bash(*)"] }, "ask"],
    ["matches nothing", { rule: "Bash(git push *)", unless: ["Bash(git *)"] }, "allow"],
    ["matches nothing", { rule: "mcp__x", unless: ["mcp__x__*"] }, "deny"],
    ["matches nothing", { rule: "mcp__x__read_*", unless: ["mcp__x"] }, "allow"],
    ["matches nothing", { rule: "WebSearch", unless: ["WebSearch"] }, "ask"],
    ["matches nothing", { rule: "Read(//etc/**)", unless: ["Read(//etc/)"] }, "deny"],
    [
      "$.argv and $.directory, and no other",
      { rule: "Bash", when: [{ arg: "$.command", glob: "x" }] },
      "deny",
    ],
    [
      "$.argv and $.directory, and no other",
      { rule: "Bash(a)", when: [{ arg: "$[0]", glob: "x" }] },
      "allow",
    ],
    ["does not match git pull", { rule: "Bash(git push *)", match: ["git pull"] }, "ask"],
    ["matches git push -f", { rule: "Bash(git push *)", notMatch: ["git push -f"] }, "ask"],
    ["does not match git status; rm x", { rule: "Bash(git status *)", match: ["git status; rm x"] }, "allow"],
    ["does not match echo $(id)", { rule: "Bash(echo *)", match: ["echo $(id)"] }, "allow"],
    ["a test of this rule is a tool", { rule: "mcp__a__b", match: [""] }, "ask"],
    ["an allow rule names its server in full", "mcp__*", "allow"],
    ["arg is the path", { rule: "mcp__a", when: [{ glob: "x" }] }, "ask"],
    ["exactly one of", { rule: "mcp__a", when: [{ arg: "$.a", glob: "x", equals: 1 }] }, "ask"],
    ["exactly one of", { rule: "mcp__a", when: [{ arg: "$.a" }] }, "ask"],
    ["each of when is an object", { rule: "mcp__a", when: ["$.a"] }, "ask"],
    ["this is no key of when", { rule: "mcp__a", when: [{ arg: "$.a", glob: "x", zzzzzz: 1 }] }, "ask"],
    ["glob is a text", { rule: "mcp__a", when: [{ arg: "$.a", glob: 7 }] }, "ask"],
    ["glob is empty, or longer than 1024", { rule: "mcp__a", when: [{ arg: "$.a", glob: "" }] }, "ask"],
    [
      "matches is empty, or longer",
      { rule: "mcp__a", when: [{ arg: "$.a", matches: "a".repeat(1_025) }] },
      "ask",
    ],
    ["glob: .. is no part of a path", { rule: "mcp__a", when: [{ arg: "$.a", glob: "./../x" }] }, "ask"],
    ["countOver is a whole number", { rule: "mcp__a", when: [{ arg: "$.a[*]", countOver: -1 }] }, "ask"],
    ["countOver is a whole number", { rule: "mcp__a", when: [{ arg: "$.a[*]", countOver: 1.5 }] }, "ask"],
    ["countOver is a whole number", { rule: "mcp__a", when: [{ arg: "$.a[*]", countOver: "1" }] }, "ask"],
    ["$ alone names all arguments", { rule: "Bash", when: [{ arg: "$", glob: "x" }] }, "ask"],
    ["the nearest is glob", { rule: "mcp__a", when: [{ arg: "$.a", glop: "x" }] }, "ask"],
    ["$.path was probably meant", { rule: "mcp__a", when: [{ arg: "path", glob: "x" }] }, "ask"],
    ["no filter", { rule: "mcp__a", when: [{ arg: "$[?@.a]", glob: "x" }] }, "ask"],
    ["no ..", { rule: "mcp__a", when: [{ arg: "$..a", glob: "x" }] }, "ask"],
    ["no regular expression of RE2", { rule: "mcp__a", when: [{ arg: "$.a", matches: "(?=a)" }] }, "ask"],
    ["$.a[*] was probably meant", { rule: "mcp__a", when: [{ arg: "$.a", countOver: 2 }] }, "ask"],
    [
      "exclude each other",
      {
        rule: "mcp__a",
        when: [
          { arg: "$.a", equals: "x" },
          { arg: "$.a", glob: "y*" },
        ],
      },
      "ask",
    ],
  ])("is refused where %s", (why, entry, list) => {
    expect(objectionsTo(oneRule(entry, list)).join()).toContain(why);
    expect(objectionsTo(oneRule("Bash(git push *)", list))).toEqual([]);
  });

  test.each<[unknown, VerdictName]>([
    // An exception of what makes stricter holds no option that it does not name.
    [{ rule: "Bash(git push *)", unless: ["Bash(git *)"], match: ["git push -f"] }, "deny"],
    [{ rule: "Bash(git *)", unless: ["Bash(git push *)"], match: ["git log"] }, "allow"],
    [{ rule: "mcp__x", unless: ["mcp__x__read_*"], match: ["mcp__x__write {}"] }, "deny"],
    [{ rule: "WebSearch", unless: ["WebFetch"], match: ["WebSearch {}"] }, "deny"],
    [{ rule: "Frobnicate", unless: ["mcp__x"], match: ["Frobnicate {}"] }, "deny"],
    [{ rule: "mcp__*__read", unless: ["mcp__x"], match: ["mcp__y__read {}"] }, "deny"],
    [{ rule: "Bash(a)", when: [{ arg: "$.argv[0]", equals: "a" }] }, "ask"],
    [{ rule: "Bash(a)", when: [{ arg: "$[*]", equals: "a" }] }, "ask"],
    [
      { rule: "mcp__x", when: [{ arg: "$.p", glob: "./src/*" }], match: ['mcp__x__y {"p": "src/a"}'] },
      "deny",
    ],
    [
      {
        rule: "mcp__x",
        when: [{ arg: "$.p", matches: "^\\Qa.b\\E$" }],
        match: ['mcp__x__y {"p": "a.b"}'],
      },
      "deny",
    ],
    [{ rule: "WebSearch", match: ["WebSearch"], notMatch: ["WebFetch", "mcp__x__WebSearch"] }, "ask"],
    [
      {
        rule: "mcp__x",
        when: [
          { arg: "$.p", equals: "/srv/x" },
          { arg: "$.p", glob: "/srv/**" },
          { arg: "$.p", matches: "x$" },
          { arg: "$.p", countOver: 0 },
        ],
      },
      "ask",
    ],
    // None of these is one value that is asked to be another, too.
    [{ rule: "mcp__x", when: ["a", "b"].map((equals) => ({ arg: "$.p[*]", equals })) }, "deny"],
    [
      { rule: "mcp__x", when: ["a", "b"].map((end) => ({ arg: "$.p", equals: "x".repeat(256) + end })) },
      "deny",
    ],
    [{ rule: "Bash(a)", when: [{ arg: "$.directory", glob: "/x/**" }] }, "allow"],
    [{ rule: "mcp__x", when: [{ arg: "$.command", glob: "x" }] }, "deny"],
    [{ rule: "Bash(git status *)", match: ["git status -s"], notMatch: ["git status; rm x"] }, "allow"],
    [{ rule: "Bash(rm *)", match: ["ls; rm x", "echo $(rm x)", "sudo rm x", "/bin/rm x"] }, "deny"],
    [
      {
        rule: "Bash(gh api *)",
        unless: ["Bash(gh api --method GET *)"],
        notMatch: ["gh api --method GET x"],
      },
      "ask",
    ],
    [
      {
        rule: "mcp__fs__write",
        when: [{ arg: "$.p", glob: "/srv/**" }],
        match: ['mcp__fs__write {"p": "/srv/x"}'],
      },
      "ask",
    ],
    [
      {
        rule: "Read(~/x/**)",
        match: ['Read {"file_path": "/home/p/x/y"}'],
        notMatch: ['Read {"file_path": "/y"}'],
      },
      "allow",
    ],
    [
      { rule: "Bash(make *)", when: [{ arg: "$.directory", glob: "~/**" }], comment: "only at home" },
      "allow",
    ],
    [{ rule: "mcp__a", when: [{ arg: "$.l[*]", countOver: 1 }], match: ['mcp__a__b {"l": [1, 2]}'] }, "ask"],
  ])("%j passes its own tests", (entry, list) => {
    expect(objectionsTo(oneRule(entry, list))).toEqual([]);
  });

  it("of a project that allows is named by what stands there, and has no effect", () => {
    const project = { ...file, name: "/p/.wisp/policy.json", project: "/p" };
    const text = `{ "permissions": {\n"allow": [\n"Bash",\n{ "rule": "mcp__a" },\n{},\n{ "rule": 7 }] } }`;
    const { lists, refused } = rulesOf(parseRules(text, project));
    expect(lists).toEqual({ deny: [], ask: [], allow: [] });
    expect(refused.map((one) => one.slice("/p/.wisp/policy.json:".length))).toEqual([
      "3: a project's file allows nothing: Bash",
      "4: a project's file allows nothing: mcp__a",
      "5: a project's file allows nothing: …",
      "6: a project's file allows nothing: 7",
    ]);
  });

  it("has the same key for every spelling of the same entry", () => {
    const a = rulesOf(parseRules(oneRule({ rule: "Bash(a)", level: "high", comment: "x" }), file));
    const b = rulesOf(parseRules(oneRule({ level: "high", rule: "Bash(a)" }), file));
    const c = rulesOf(parseRules(oneRule({ rule: "Bash(a)", level: "low" }), file));
    expect(a.lists.ask[0]?.key).toBe(b.lists.ask[0]?.key);
    expect(a.lists.ask[0]?.key).not.toBe(c.lists.ask[0]?.key);
  });
});
