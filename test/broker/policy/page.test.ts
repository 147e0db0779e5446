/** What docs/policy.md says by example is so. */
import { readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { acceptedHome } from "../../support/policy-home.js";

const page = readFileSync("docs/policy.md", "utf8");
const [, example = ""] = /```jsonc\n(.*?)```/s.exec(page) ?? [];
const [, table = ""] = /\| call \| verdict \| by \|\n\| --- \| --- \| --- \|\n(.*?)\n\n/s.exec(page) ?? [];
const rows = table.split("\n").map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

it("the page has an example, and a table of what it makes of calls", () => {
  expect(example).toContain('"permissions"');
  expect(rows.length).toBeGreaterThan(12);
});

test.each(rows)("%s is %s by %s", async (call = "", verdict, by = "") => {
  const home = await acceptedHome(example);
  const text = call.replace(/^`|`$/g, "");
  const [, tool, args] = /^(mcp__\w+|Read) (\{.*\})$/.exec(text) ?? [];
  const judged = tool === undefined ? home.line(text) : home.tool(tool, JSON.parse(args ?? "{}"));
  expect({ verdict: judged.name, by: judged.rule.text }).toEqual({ verdict, by: by.replace(/^`|`$/g, "") });
});

const [, named = ""] = /\n## What a rule names\n(.*?)\n## /s.exec(page) ?? [];
const cells = [...named.matchAll(/^\| (`.*?`) \| /gm)].map(([, cell = ""]) => cell);

it("the page names rules of every kind", () => {
  expect(cells.length).toBeGreaterThan(10);
});

test.each(cells)("the rules %s are rules", async (cell) => {
  for (const [, rule = ""] of cell.matchAll(/`([^`]+)`/g)) {
    const home = await acceptedHome({ deny: ["Bash(x)"] });
    home.writeProject({ ask: [rule] });
    expect(home.line("ls"), rule).toMatchObject({ notices: [], isFaulty: false });
  }
});

it("a rule that names directories says nothing of others", async () => {
  const [, rule = ""] = /\n## What no rule sees\n.*?```json\n(.*?)```/s.exec(page) ?? [];
  const home = await acceptedHome({ allow: [JSON.parse(rule)] });
  expect(home.line("git status -s", { directory: "/srv/mirrors/wisp" }).name).toBe("allow");
  for (const directory of [home.project, "/srv", "/srv/mirrors/../other"]) {
    expect(home.line("git status -s", { directory }).name, directory).toBe("ask");
  }
});

const [, bound = ""] = /\n## What an approval is about\n(.*?)\n## /s.exec(page) ?? [];
const states = [...bound.matchAll(/^\| `(.*?)` \| /gm)].map(([, cell = ""]) => cell).slice(1);

it("the page names every form of state, and the rules around it are rules", async () => {
  expect(states).toHaveLength(4);
  for (const state of states) {
    const home = await acceptedHome({ ask: [{ rule: "mcp__fs__write", state: JSON.parse(state) }] });
    const { isFaulty, state: said } = home.tool("mcp__fs__write");
    expect([isFaulty, said === null], state).toEqual([false, false]);
  }
  const [, ask = ""] = /```json\n(.*?)```/s.exec(bound) ?? [];
  const [, allow = ""] = /`(\{"rule".*?\})` under `allow`/s.exec(bound) ?? [];
  const home = await acceptedHome({ ask: [JSON.parse(ask)], allow: [JSON.parse(allow)] });
  expect(home.tool("mcp__fs__write_file", { path: "/srv/log" })).toMatchObject({
    name: "ask",
    isFaulty: false,
  });
  const allowed = await acceptedHome({ allow: [JSON.parse(allow)] });
  expect(allowed.tool("mcp__fs__write_file", { path: "/srv/log" }).name).toBe("allow");
  expect(allowed.tool("mcp__fs__write_file", { path: "/srv/other" }).name).toBe("ask");
});
