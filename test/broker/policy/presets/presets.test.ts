/** The presets that ship: which tools pass, which ask, about what, and what always asks. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { gateRuling } from "../../../../src/broker/policy/gate-ruling.js";
import { openPreset } from "../../../../src/broker/policy/presets/open-preset.js";
import type { PresetData } from "../../../../src/broker/policy/presets/preset-data.js";
import { presets } from "../../../../src/broker/policy/presets/presets.js";
import { toolRulesOf } from "../../../../src/broker/policy/tool-rules.js";
import { presetNamed } from "../../../support/gate-calls.js";
import { acceptedHome } from "../../../support/policy-home.js";
import { tempDirectory } from "../../../support/temp-home.js";

const around = {
  ...{ home: "/nowhere/wisp", homeDirectory: "/home/p", directory: "/srv", roots: [] },
  areFilesHere: true,
};
const nothing: PresetData = {
  ...{ name: "x", packages: [], programs: [], images: [], addresses: [], paths: [], moved: [] },
  ...{ permissions: { ask: [], allow: [] }, floors: [], previews: {}, listings: {} },
};

describe.each([...presets.keys()])("the preset %s", (name) => {
  it.each(["delete_all", "remove_x", "force_push", "exec", "run_command", "shell", "rebase", "eval_js"])(
    "always asks about a tool called %s",
    (tool) => {
      expect(presetNamed(name).floorsOf({ tool, arguments: {} })).toMatchObject([{ level: "high" }]);
    },
  );
});

type Row = [preset: string, tool: string, given: Readonly<Record<string, unknown>>, floors: number];

/** Arguments that git would read as an option. */
const optionsOfGit = [
  ["git_diff", "target"],
  ["git_show", "revision"],
  ["git_checkout", "branch_name"],
  ["git_create_branch", "branch_name"],
  ["git_create_branch", "base_branch"],
  ["git_branch", "contains"],
  ["git_branch", "not_contains"],
  ["git_branch", "branch_type"],
  ["git_log", "start_timestamp"],
  ["git_log", "end_timestamp"],
] as const;

describe("a floor", () => {
  const items = (count: number): readonly object[] => Array.from({ length: count }, () => ({}));

  test.each<Row>([
    ["memory", "create_entities", { entities: items(50) }, 0],
    ["memory", "create_entities", { entities: items(51) }, 1],
    ["memory", "create_relations", { relations: items(51) }, 1],
    ["memory", "delete_entities", { entityNames: ["x"] }, 1],
    ["github", "push_files", { files: items(50) }, 0],
    ["github", "push_files", { files: items(51) }, 1],
    ["github", "create_or_update_file", { path: "x" }, 0],
    ["github", "create_or_update_file", { path: "x", sha: "abc" }, 1],
    ["github", "projects_write", { method: "delete_project_item" }, 1],
    ["github", "projects_write", { method: "add_project_item" }, 0],
    ["github", "label_write", { method: "delete" }, 1],
    ["github", "label_write", { method: "create" }, 0],
    ["github", "pull_request_review_write", { method: "delete_pending" }, 1],
    ["github", "pull_request_review_write", { method: "create" }, 0],
    ["memory", "create_entities", { entities: [{ observations: items(51) }] }, 1],
    [
      "memory",
      "create_entities",
      { entities: [{ observations: items(26) }, { observations: items(24) }] },
      0,
    ],
    ["memory", "add_observations", { observations: [{ contents: items(51) }] }, 1],
    ["memory", "add_observations", { observations: [{ contents: items(50) }] }, 0],
    ["git", "git_reset", {}, 1],
    ["git", "git_add", { files: Array.from({ length: 51 }, (_, at) => `f${at}`) }, 1],
    ["git", "git_add", { files: ["a", "b"] }, 0],
    ["git", "git_diff", { target: "main" }, 0],
    ["git", "git_diff", { target: "--output=/etc/x" }, 1],
    ...optionsOfGit.flatMap(([tool, argument]) =>
      (
        [
          ["-f", 1],
          [" --exec=x", 1],
          ["f-f", 0],
        ] as const
      ).map(([value, floors]) => ["git", tool, { [argument]: value }, floors] as Row),
    ),
    ["git", "git_add", { files: ["a", "--chmod=+x"] }, 1],
    ["filesystem", "edit_file", { path: "/nowhere/x", edits: items(51) }, 1],
    ["filesystem", "edit_file", { path: "/nowhere/x", edits: items(50) }, 0],
  ])("of %s for %s %j", (preset, tool, given, floors) => {
    expect(presetNamed(preset).floorsOf({ tool, arguments: given })).toHaveLength(floors);
  });
});

describe("a repository that is looked at", () => {
  it("passes where the command names it, or the server works in it, and asks elsewhere", () => {
    const directory = tempDirectory();
    for (const name of ["named", "nested/.git", "work/inner"])
      mkdirSync(join(directory, name), { recursive: true });
    symlinkSync("named", join(directory, "way"));
    const around = { directory: join(directory, "work"), roots: [join(directory, "named")] };
    const preset = presetNamed("git", around);
    const call = (repo: unknown) => ({ tool: "git_status", arguments: { repo_path: repo } });
    const name = (repo: unknown) => preset.wordOn(call(repo))?.name;
    for (const repo of [".", "../named", join(directory, "named"), join(directory, "way")]) {
      expect(name(repo), repo).toBe("allow");
    }
    for (const repo of ["inner", "..", join(directory, "nested"), join(directory, "gone"), 7, "x\0"]) {
      expect(name(repo), String(repo)).toBe("ask");
    }
    expect(preset.wordOn(call("inner"))).toMatchObject({ why: expect.stringContaining("git runs what") });
    expect(preset.stateOf(call("inner"))).toMatchObject({ git: ["$.repo_path"] });
    // Of what is in a container nobody can tell.
    expect(presetNamed("git", { ...around, areFilesHere: false }).wordOn(call("."))?.name).toBe("ask");
  });
});

it("binds what changes an issue to that issue, and a new one to its arguments alone", () => {
  const stateOf = (given: object) =>
    presetNamed("github").stateOf({ tool: "issue_write", arguments: { ...given } });
  expect(stateOf({ method: "create" })).toBe("none");
  expect(stateOf({ method: "update" })).toMatchObject({ probe: { tool: "issue_read" } });
});

describe("an address that is fetched", () => {
  const word = (url: unknown) => presetNamed("fetch").wordOn({ tool: "fetch", arguments: { url } })?.name;

  test.each([
    "https://example.org",
    "http://a.b.example.com:80/x?y=1#z",
    "https://x.dev/a(b)",
    "https://A.co.UK",
  ])("passes where it is public: %s", (url) => {
    expect(word(url)).toBe("allow");
  });

  test.each([
    "http://localhost:3000",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest",
    "https://example.org:8443/",
    "https://me@example.org/",
    "https://example.org\\@127.0.0.1/",
    "http://printer.local/",
    "http://db.internal",
    "http://router.LAN./x",
    "http://localhost.localdomain/",
    "http://kubernetes.default.svc/api",
    "http://x.default.svc.cluster.local./api",
    ...["consul", "intra", "contoso", "corp", "home", "domain", "workgroup", "invalid", "example", "xx"].map(
      (name) => `https://a.${name}/x`,
    ),
    "https://a.com.evil-net/",
    "file:///etc/passwd",
    `https://example.org/?q=${"a".repeat(500)}`,
    "https://example.org/ x",
    ["https://example.org"],
    7,
  ])("asks where it is not: %j", (url) => {
    expect(word(url)).not.toBe("allow");
    expect(word("https://example.org/")).toBe("allow");
  });
});

it("an address of a network of somebody's own is graver than one that is merely not known to be public", () => {
  const levelOf = (url: string) =>
    presetNamed("fetch").wordOn({ tool: "fetch", arguments: { url } })?.rule.level;
  expect(["http://printer.local/", "http://db.internal:80", "https://x.onion"].map(levelOf)).toEqual(
    Array(3).fill("high"),
  );
  expect(["https://a.xx/", "https://example.org/"].map(levelOf)).not.toContain("high");
});

describe("a preset with anything wrong in it", () => {
  test.each<[what: string, permissions: unknown, message: RegExp]>([
    ["no state", { ask: [{ rule: "mcp__x__w" }], allow: [] }, /no state stands beside mcp__x__w/],
    ["a key that is none", { ask: [{ rule: "mcp__x__w", states: "none" }] }, /the nearest is state/],
    ["a rule that is none", { ask: [], allow: ["write"] }, /the preset x/],
    ["a rule that denies", { ask: [], deny: ["mcp__x__w"] }, /it denies/],
  ])("does not load: %s", (_what, permissions, message) => {
    const data = { ...nothing, permissions: permissions as PresetData["permissions"] };
    expect(() => openPreset(data, around)).toThrow(message);
    const good = { ask: [{ rule: "mcp__x__w", state: "none" }], allow: [] };
    expect(openPreset({ ...nothing, permissions: good }, around).name).toBe("x");
  });
});

describe("a preset over arguments that are more than are looked at", () => {
  const permissions = { ask: [{ rule: "mcp__x__*", state: "none", why: "it may" }], allow: [] };
  const files = { paths: ["$.files[*]"], moved: ["$.moved[*]"] };
  const floors = [{ rule: "mcp__x__put", level: "high", why: "replaces", replaces: "$.files[*]" }] as const;
  const preset = openPreset({ ...nothing, ...files, permissions, floors } as PresetData, around);
  const many = Array<string>(10_001).fill("/srv/a");

  it("refuses the call, for nobody can say where it reaches", () => {
    const call = (given: object) => ({ tool: "get", arguments: { ...given } });
    for (const given of [{ files: many }, { moved: many }])
      expect(preset.guardedIn(call(given))?.place).toBe("more paths than are looked at");
    expect(preset.guardedIn(call({ files: ["/srv/a"], moved: ["/srv/b"] }))).toBeNull();
  });

  it("asks about it as about a file that is replaced", () => {
    const put = (given: readonly string[]) => preset.floorsOf({ tool: "put", arguments: { files: given } });
    expect(put(many)).toEqual([{ level: "high", why: "replaces" }]);
    expect(put(["/srv/none"])).toEqual([]);
  });
});

it("a preset says why it asks and how grave that is, where no rule of the person's does", async () => {
  const ask = [
    { rule: "mcp__x__a", state: "none", why: "it sends mail", level: "high" },
    { rule: "mcp__x__b", state: "none" },
  ];
  const preset = openPreset({ ...nothing, permissions: { ask, allow: [] } } as PresetData, around);
  const home = await acceptedHome({ deny: ["Bash(x)"] });
  const standing = { preset, isReadOnly: false, suspended: null, areHintsTrusted: () => false };
  const ruling = (tool: string) =>
    gateRuling(home.tool(`mcp__x__${tool}`), { tool, arguments: {}, isReadOnly: false }, standing).verdict;
  expect(ruling("a")).toMatchObject({ level: "high", reasons: ["the preset x asks: it sends mail"] });
  expect(ruling("b")).toMatchObject({ level: "moderate", reasons: ["the preset x asks"] });
  // Anybody may have written a project's file: the preset is heard beside it.
  home.writeProject({ ask: ["mcp__x__*"] });
  expect(ruling("a")).toMatchObject({ name: "ask", level: "high", rule: { list: "ask", text: "mcp__x__*" } });
  expect(ruling("b")).toMatchObject({ name: "ask", level: "moderate", rule: { text: "mcp__x__*" } });
});

it("rules about tools say the same of a tool however many others were asked about meanwhile", () => {
  const rules = toolRulesOf({ ask: ["mcp__x__get_*"] }, "x", "/home/p");
  const spoken = (tool: string) =>
    rules.speaking("ask", { kind: "tool", server: "x", tool, arguments: {}, directory: "/srv" }).length;
  expect([spoken("get_a"), spoken("put_a")]).toEqual([1, 0]);
  for (let index = 0; index < 1_100; index += 1) expect(spoken(`get_${index}`)).toBe(1);
  expect([spoken("get_a"), spoken("put_a")]).toEqual([1, 0]);
});
