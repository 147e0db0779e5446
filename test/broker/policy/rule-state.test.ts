/** What a rule about a tool says of state and of reading: how it is read, and what the verdict says of it. */
import { describe, expect, it, test } from "vitest";
import { joinedState } from "../../../src/broker/policy/joined-state.js";
import type { StateSpec } from "../../../src/broker/request/state-spec.js";
import { acceptedHome, policyHome } from "../../support/policy-home.js";

const write = "mcp__fs__write_file";

function state(paths: string, tool?: string): StateSpec {
  return { paths: paths.split(" "), git: [], probe: tool === undefined ? null : { tool, arguments: {} } };
}

describe("state of a rule", () => {
  test.each<[what: string, state: unknown, said: unknown]>([
    ["nothing, written out", "none", "none"],
    ["paths", { paths: ["$.path", "/etc/hosts"] }, { paths: ["$.path", "/etc/hosts"], git: [], probe: null }],
    ["one work tree", { git: "$.repo" }, { paths: [], git: ["$.repo"], probe: null }],
    ["several work trees", { git: ["$.a", "/srv/b"] }, { paths: [], git: ["$.a", "/srv/b"], probe: null }],
    [
      "a call that looks",
      { tool: "get_file_info", args: { path: "$.path" } },
      { paths: [], git: [], probe: { tool: "get_file_info", arguments: { path: "$.path" } } },
    ],
    ["a call without arguments", { tool: "x" }, { paths: [], git: [], probe: { tool: "x", arguments: {} } }],
    [
      "all at once",
      { paths: ["$.files[*].path"], git: ["/r"], tool: "x", args: { deep: [{ at: "$.id" }] } },
      {
        paths: ["$.files[*].path"],
        git: ["/r"],
        probe: { tool: "x", arguments: { deep: [{ at: "$.id" }] } },
      },
    ],
  ])("of %s is what the verdict says", async (_what, state, said) => {
    for (const list of ["ask", "allow"] as const) {
      const home = await acceptedHome({ [list]: [{ rule: write, state }] });
      const verdict = home.tool(write);
      expect([verdict.name, verdict.isFaulty, verdict.state]).toEqual([list, false, said]);
    }
  });

  test.each<[state: unknown, objection: RegExp]>([
    ["some", /state is "none", or an object/],
    [true, /state is "none", or an object/],
    [{}, /state names nothing/],
    [{ path: ["$.x"] }, /no key of state; the nearest is paths/],
    [{ paths: [] }, /paths is a list of paths that is not empty/],
    [{ paths: "$.x" }, /paths is a list of paths that is not empty/],
    [{ paths: ["$.x", ""] }, /paths: each is a text that is not empty/],
    [{ paths: [7] }, /paths: each is a text/],
    [{ paths: ["$path"] }, /begins with \$\./],
    [{ paths: ["$['a b']"] }, /begins with \$\./],
    [{ paths: ["$..path"] }, /begins with \$\.|only names/],
    [{ paths: ["$.a[?@.b]"] }, /no filter/],
    [{ paths: ["a\0b"] }, /NUL/],
    [{ paths: [`/${"x".repeat(4_096)}`] }, /longer than 4096 characters/],
    [{ zzzzzz: ["$.x"] }, /this is no key of state$/m],
    [{ paths: Array.from({ length: 65 }, (_, index) => `/x${index}`) }, /more than 64/],
    [{ git: [] }, /git is a list/],
    [{ git: { repo: "$.x" } }, /git: each is a text/],
    [{ args: {} }, /args are those of a tool/],
    [{ tool: "" }, /tool is the name/],
    [{ tool: ["x"] }, /tool is the name/],
    [{ tool: "x", args: ["$.x"] }, /args is an object/],
    [{ tool: "x", args: { deep: [{ at: "$.x[?@]" }] } }, /args: no filter/],
  ])("that is %j makes the file unusable, and its line is named", async (state, objection) => {
    const home = await acceptedHome({ allow: [{ rule: write, state }] });
    const { name, isFaulty, notices } = home.tool(write);
    expect([name, isFaulty]).toEqual(["ask", true]);
    expect(notices.join("\n")).toMatch(/policy\.json:\d+: /);
    expect(notices.join("\n")).toMatch(objection);
    home.write({ allow: [{ rule: write, state: "none" }] });
    await home.accept();
    expect(home.tool(write)).toMatchObject({ name: "allow", isFaulty: false });
  });

  test.each([
    ["deny", { rule: write, state: "none" }, /state stands in ask and allow rules only/],
    ["deny", { rule: write, readOnly: true }, /readOnly stands in allow rules only/],
    ["ask", { rule: write, readOnly: true }, /readOnly stands in allow rules only/],
    ["allow", { rule: write, readOnly: false }, /readOnly is true, or left out/],
    ["allow", { rule: "Bash(ls)", readOnly: true }, /rules about tools of servers only/],
    ["ask", { rule: "Bash(ls)", state: "none" }, /rules about tools of servers only/],
    ["ask", { rule: "Read(//etc/**)", state: { paths: ["$.path"] } }, /rules about tools of servers only/],
    ["ask", { rule: "WebSearch", state: "none" }, /rules about tools of servers only/],
  ])("in the wrong place is objected to: %s %j", async (list, rule, objection) => {
    const home = await acceptedHome({ [list]: [rule] });
    expect(home.tool("mcp__fs__read").notices.join("\n")).toMatch(objection);
    home.write({ allow: [{ rule: write, state: "none", readOnly: true }] });
    await home.accept();
    expect(home.tool(write)).toMatchObject({ name: "allow", isReadOnly: true, isFaulty: false });
  });

  it("is none where no rule speaks, and where the rule says nothing of it", async () => {
    const home = await acceptedHome({ ask: [write], allow: ["mcp__fs__list"] });
    for (const name of [write, "mcp__fs__list", "mcp__fs__other"]) {
      expect(home.tool(name), name).toMatchObject({ state: null, isReadOnly: false });
    }
  });
});

describe("state that was accepted", () => {
  const bound = { paths: ["$.path"], git: [], probe: null };

  it("stays bound when the file alone says that nothing is", async () => {
    const home = await acceptedHome({ ask: [{ rule: write, state: { paths: ["$.path"] } }] });
    home.write({ ask: [{ rule: write, state: "none" }] });
    expect(home.tool(write).state).toEqual(bound);
    home.write({ ask: [write] });
    expect(home.tool(write).state).toEqual(bound);
    await home.accept();
    expect(home.tool(write).state).toBeNull();
  });

  it("is joined by what the file binds, before that was accepted", async () => {
    const home = await acceptedHome({ ask: [{ rule: write, state: { paths: ["$.path"] } }] });
    home.write({ ask: [{ rule: write, state: { paths: ["$.other"], git: "/r" } }] });
    expect(home.tool(write).state).toEqual({ paths: ["$.other", "$.path"], git: ["/r"], probe: null });
  });

  it("is no word for reading while the accepted rule is none", async () => {
    const home = await acceptedHome({ allow: ["mcp__fs__list"] });
    home.write({ allow: [{ rule: "mcp__fs__list", readOnly: true }] });
    expect(home.tool("mcp__fs__list")).toMatchObject({ isReadOnly: false });
    await home.accept();
    expect(home.tool("mcp__fs__list")).toMatchObject({ name: "allow", isReadOnly: true });
  });
});

test.each<[one: StateSpec | null, other: StateSpec | null, joined: StateSpec | null]>([
  [null, null, null],
  [null, "none", null],
  ["none", null, null],
  ["none", "none", "none"],
  ["none", state("/a"), state("/a")],
  [state("/a"), null, state("/a")],
  [state("/a", "look"), state("/b"), state("/a /b", "look")],
  [state("/a", "look"), state("/a", "later"), state("/a", "later")],
])("%j and %j together are %j", (one, other, joined) => {
  expect(joinedState(one, other)).toEqual(joined);
});

describe("state in a project's file", () => {
  it("adds to what the person's rule binds, and takes nothing away", async () => {
    const home = await acceptedHome({ ask: [{ rule: write, state: { paths: ["$.path"] } }] });
    home.writeProject({ ask: [{ rule: write, state: { git: "/r" } }] });
    expect(home.tool(write).state).toEqual({ paths: ["$.path"], git: ["/r"], probe: null });
    home.writeProject({ ask: [{ rule: write, state: "none" }] });
    expect(home.tool(write).state).toEqual({ paths: ["$.path"], git: [], probe: null });
  });

  it("says that nothing is bound for nobody", () => {
    const home = policyHome();
    home.writeProject({ ask: [{ rule: write, state: "none" }] });
    expect(home.tool(write)).toMatchObject({ name: "ask", state: null });
    home.writeProject({ ask: [{ rule: write, state: { paths: ["$.path"] } }] });
    expect(home.tool(write).state).toEqual({ paths: ["$.path"], git: [], probe: null });
  });
});

describe("a tool that is allowed for some paths", () => {
  it("asks about others, whatever else is known of it", async () => {
    const home = await acceptedHome({
      allow: [{ rule: "mcp__fs__read", when: [{ arg: "$.path", glob: "/srv/**" }] }],
    });
    const other = home.tool("mcp__fs__read", { path: "/etc/passwd" });
    expect(other).toMatchObject({ name: "ask", rule: { list: "floor" } });
    expect(other.rule.text).toBe("mcp__fs__read allows it for other paths alone");
    expect(home.tool("mcp__fs__read", { path: "/srv/x" }).name).toBe("allow");
    expect(home.tool("mcp__fs__write", { path: "/etc/x" }).rule.list).toBe("threshold");
  });
});

describe("looser rules", () => {
  it("wait where they say that nothing is bound, or stand before one that binds", async () => {
    const home = await acceptedHome({ ask: [{ rule: write, state: { paths: ["$.path"] } }] });
    home.write({ ask: ["mcp__fs__*", { rule: write, state: { paths: ["$.path"] } }] });
    expect(home.tool("mcp__fs__read").notices.join()).toContain("1 rule that may be looser");
    home.write({
      ask: [
        { rule: write, state: { paths: ["$.path"] } },
        { rule: "mcp__x", state: "none" },
      ],
    });
    expect(home.tool("mcp__fs__read").notices.join()).toContain("1 rule that may be looser");
    home.write({ ask: [{ rule: write, state: { paths: ["$.path"] } }, "mcp__x"] });
    expect(home.tool("mcp__fs__read").notices).toEqual([]);
  });
});
