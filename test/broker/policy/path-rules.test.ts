/** Rules about the files that tools of a client name: surely where they let through, possibly where they make stricter. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parsePathGlob } from "../../../src/broker/policy/path-glob.js";
import { isPathMeant } from "../../../src/broker/policy/path-place.js";
import { acceptedHome } from "../../support/policy-home.js";

describe("a rule that denies a path", () => {
  it("is about every tool that reads, or every one that writes, and about no other", async () => {
    const home = await acceptedHome({
      deny: ["Read(~/private/**)", "Edit(~/kept/**)"],
      allow: ["Read", "Grep", "LS", "Edit", "Write", "WebSearch"],
    });
    const inside = (name: string) => ({ path: join(home.homeDirectory, name, "x") });
    for (const tool of ["Read", "Grep", "LS"]) {
      expect(home.tool(tool, inside("private")).name, tool).toBe("deny");
      expect(home.tool(tool, inside("kept")).name, tool).toBe("allow");
    }
    for (const tool of ["Edit", "Write"]) {
      expect(home.tool(tool, inside("kept")).name, tool).toBe("deny");
      expect(home.tool(tool, inside("private")).name, tool).toBe("allow");
    }
    expect(home.tool("WebSearch", inside("private")).name).toBe("allow");
  });

  it("speaks of the directory of the call where a tool names no path", async () => {
    const home = await acceptedHome({ deny: ["Read(~/project/**)"], allow: ["Grep"] });
    expect(home.tool("Grep", { pattern: "x" }).name).toBe("deny");
    expect(home.tool("Grep", { pattern: "x", path: home.homeDirectory }).name).toBe("allow");
  });

  it("speaks of what is below the directory of the call where it begins without a sign", async () => {
    const home = await acceptedHome({ deny: ["Read(secrets/**)", "Read(./keys)"], allow: ["Read"] });
    for (const path of ["secrets/a", "./secrets/a/b", "keys", join(home.project, "keys"), "keys/below"])
      expect(home.tool("Read", { file_path: path }).name, path).toBe("deny");
    for (const path of ["src/secrets/a", "other", "/keys"])
      expect(home.tool("Read", { file_path: path }).name, path).toBe("allow");
  });

  it("holds of a list with more paths than are looked at", async () => {
    const home = await acceptedHome({ deny: ["Read(//etc/**)"], allow: ["Read"] });
    const read = (count: number) => home.tool("Read", { path: [...Array(count).fill("/srv/x"), "/etc/x"] });
    expect(read(1).name).toBe("deny");
    expect(read(20_000).name).toBe("deny");
    expect(home.tool("Read", { path: ["/srv/x", "/srv/y"] }).name).toBe("allow");
  });

  it("holds of a path as it reads where nobody can tell where it leads", async () => {
    const home = await acceptedHome({ deny: ["Read(~/project/loop/**)"], allow: ["Read"] });
    symlinkSync("loop", join(home.project, "loop"));
    expect(home.tool("Read", { file_path: "loop/x" }).name).toBe("deny");
    const place = {
      look: { real: () => null, isLink: () => true, isThere: () => true, hasOtherNames: () => true },
      directory: "/srv",
      homeDirectory: "/home/p",
    };
    const glob = parsePathGlob("root", "etc/**");
    if (glob.kind === "wrong") throw new Error(glob.why);
    expect(isPathMeant(glob.glob, "/etc/x", place)).toBe(true);
    expect(isPathMeant(glob.glob, "/srv/x", place)).toBe(false);
  });
});

describe("a rule that allows a path", () => {
  it("is about its own tool, and about a file of one name that no link leads to", async () => {
    const home = await acceptedHome({ allow: ["Read(~/project/**)"] });
    mkdirSync(join(home.project, "src"));
    writeFileSync(join(home.project, "src", "a"), "");
    symlinkSync("/etc", join(home.project, "out"));
    const read = (path: string, tool = "Read") => home.tool(tool, { file_path: path }).name;
    expect(read("src/a")).toBe("allow");
    expect(read("src/a", "Grep")).toBe("ask");
    expect(read("src/a", "Edit")).toBe("ask");
    expect(read("out/hosts")).toBe("ask");
    expect(read("src/../src/a")).toBe("ask");
    expect(home.tool("Read", {}).name).toBe("ask");
    expect(home.tool("Read", { file_path: ["src/a"] }).name).toBe("ask");
  });
});

describe("the pattern of a path", () => {
  test.each([
    ["a//b", "an empty name is no part of a path"],
    ["a/./b", ". is no part of a path"],
    ["../a", ".. is no part of a path"],
    ["a/b**", "** stands for whole names only"],
    ["a?", "? is no glob here; write \\?"],
    ["{a,b}", "{ is no glob here; write \\{"],
    ["a/".repeat(65), "more than 64 names"],
  ])("%j says %s", (text, said) => {
    const parsed = parsePathGlob("root", text);
    expect(parsed).toEqual({ kind: "wrong", why: expect.stringContaining(said) });
    expect(parsePathGlob("root", "a/*.ts").kind).toBe("glob");
  });

  test.each<[pattern: string, matches: readonly string[], misses: readonly string[]]>([
    ["src/**/*.ts", ["src/a.ts", "src/a/b/c.ts"], ["src/a.js", "a.ts"]],
    ["src/**/**/x", ["src/x", "src/a/b/x"], ["src/a"]],
    ["a*b*c", ["abc", "a-b-c"], ["ab", "a/b/c"]],
    ["\\*\\?\\[x\\{", ["*?[x{"], ["a?[x{"]],
    ["./a/", ["a/b", "a"], ["b/a"]],
    ["**/x/**/y", ["x/y", "a/x/b/c/y"], ["x", "y/x"]],
  ])("%s matches %j and not %j", async (pattern, matches, misses) => {
    const home = await acceptedHome({ deny: [`Read(~/${pattern})`], allow: ["Read"] });
    const read = (path: string) => home.tool("Read", { file_path: join(home.homeDirectory, path) }).name;
    for (const path of matches) expect(read(path), path).toBe("deny");
    for (const path of misses) expect(read(path), path).toBe("allow");
  });
});
