/** Which preset a gate has, and what it knows of the files of its server. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { presetOf } from "../../../../src/server/gate/presets/preset-of.js";
import { tempDirectory } from "../../../support/temp-home.js";

function gate(argv: readonly [string, ...string[]], preset: string | null = null) {
  const homeDirectory = tempDirectory();
  const directory = join(homeDirectory, "work");
  mkdirSync(directory);
  const around = { home: join(homeDirectory, ".wisp"), homeDirectory, directory };
  const given = { name: "files", preset, place: { kind: "command", argv } } as const;
  return { directory, homeDirectory, preset: presetOf(given, around) };
}

test("it is the one that is named, else the one that the command is for, else none", () => {
  expect(gate(["uvx", "mcp-server-git"]).preset?.name).toBe("git");
  expect(gate(["uvx", "mcp-server-git"], "memory").preset?.name).toBe("memory");
  expect(gate(["x"], "filesystem").preset?.name).toBe("filesystem");
  expect(gate(["x"]).preset).toBeNull();
  expect(() => gate(["x"], "zebra")).toThrow("There is no preset");
});

test("a rule of it that speaks is written as rules call the tools of the gate", () => {
  const { preset, directory } = gate(["mcp-server-filesystem", "."]);
  const textOn = (tool: string) =>
    preset?.wordOn({ tool, arguments: { path: join(directory, "x") } })?.rule.text;
  expect(textOn("write_file")).toBe("mcp__files__write_file");
  expect(textOn("read_text_file")).toBe("mcp__files__read_text_file");
  expect(textOn("unheard_of")).toBeUndefined();
});

test("directories in the command are those below which a move stays", () => {
  const { preset, homeDirectory, directory } = gate(["mcp-server-filesystem", ".."]);
  const floors = (source: string, destination: string) =>
    preset?.floorsOf({ tool: "move_file", arguments: { source, destination } }).length;
  expect(floors(join(homeDirectory, "a/x"), join(homeDirectory, "a/b/x"))).toBe(0);
  expect(floors(join(homeDirectory, "a/x"), join(homeDirectory, "b/x"))).toBe(1);
  expect(floors(join(directory, "a/x"), join(directory, "a/y"))).toBe(0);
});

test("the directory that a gate is started in is none of those of its command, unless the command names it", () => {
  const reads = (word: string, from: "directory" | "homeDirectory") => {
    const { preset, ...places } = gate(["mcp-server-filesystem", word]);
    const path = join(places[from], "x");
    return preset?.wordOn({ tool: "read_text_file", arguments: { path } })?.name === "allow";
  };
  expect([reads("/usr/lib", "directory"), reads("/", "directory")]).toEqual([false, true]);
  expect([reads("--allow=", "directory"), reads("", "directory")]).toEqual([false, false]);
  expect([reads(".", "directory"), reads(".", "homeDirectory")]).toEqual([true, false]);
  const { preset, directory } = gate(["mcp-server-filesystem", "/usr/lib"]);
  const [source, destination] = [join(directory, "a/x"), join(directory, "a/y")];
  expect(preset?.floorsOf({ tool: "move_file", arguments: { source, destination } })).toHaveLength(1);
  const repository = gate(["uvx", "mcp-server-git"]);
  const given = { repo_path: repository.directory };
  expect(repository.preset?.wordOn({ tool: "git_status", arguments: given })?.name).toBe("allow");
});

test("a directory counts behind a flag, and behind a ~ that no shell has read", () => {
  for (const word of ["--allow=..", "~/", "~", ".."]) {
    const { preset, homeDirectory } = gate(["mcp-server-filesystem", word]);
    const reads = (path: string) =>
      preset?.wordOn({ tool: "read_text_file", arguments: { path } })?.name === "allow";
    expect([join(homeDirectory, "x"), "/x", "x"].map(reads), word).toEqual([true, false, false]);
  }
});

test("of files in a container nothing is bound, and each may be replaced", () => {
  const inside = gate(["docker", "run", "-i", "mcp/filesystem", "/projects"]).preset;
  const call = { tool: "write_file", arguments: { path: "/projects/new", content: "x" } };
  expect([inside?.stateOf(call), inside?.floorsOf(call).length]).toEqual([null, 1]);
  const memory = gate(["docker", "run", "-i", "mcp/memory"]).preset;
  expect(memory?.stateOf({ tool: "delete_entities", arguments: {} })).toMatchObject({
    probe: { tool: "read_graph" },
  });
  const here = gate(["mcp-server-filesystem", "."]).preset;
  expect(["write_file", "constructor"].map((tool) => here?.previewOf(tool))).toEqual([
    { target: "$.path", content: "$.content" },
    null,
  ]);
  expect(inside?.previewOf("write_file")).toBeNull();
  expect([here?.stateOf(call), here?.floorsOf(call).length]).toEqual([
    { paths: ["$.path"], git: [], probe: null },
    0,
  ]);
});
