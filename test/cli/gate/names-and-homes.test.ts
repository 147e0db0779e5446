/** What a gate is called where another has the name, and which home it uses. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { desk, put, run, textAt } from "../../support/gate-installing.js";

const claude = { at: "home", path: [".claude.json"] } as const;
const cursor = { at: "home", path: [".cursor", "mcp.json"] } as const;
const codex = { at: "home", path: [".codex", "config.toml"] } as const;
const textOf = (servers: object) => JSON.stringify({ mcpServers: servers }, null, 2);
const server = (word: string) => ({ command: "npx", args: [word] });

function argsOf(path: string, entry: string): readonly string[] {
  const { mcpServers } = JSON.parse(textAt(path)) as {
    mcpServers: Record<string, { args: readonly string[] }>;
  };
  return mcpServers[entry]?.args ?? [];
}

describe("two entries whose names come to one", () => {
  it("get two gates, and it is said; each is taken away by itself", async () => {
    const at = desk();
    const text = textOf({ "a.b": server("one"), "a-b": server("two"), "A B": server("three") });
    const path = put(at, { ...claude, text });
    await run(at, "install", "a.b");
    const second = await run(at, "install", "a-b");
    expect(second.err).toContain(`A gate a-b stands before another server, a.b in ${path}`);
    await run(at, "install", "A B");
    expect(["a.b", "a-b", "A B"].map((entry) => argsOf(path, entry)[3])).toEqual(["a-b", "a-b-2", "a-b-3"]);
    for (const entry of ["a-b", "A B", "a.b"]) await run(at, "uninstall", entry);
    expect(textAt(path)).toBe(text);
  });

  it("share one where the same server is behind both, in whatever client", async () => {
    const at = desk();
    const paths = [claude, cursor].map((file) => put(at, { ...file, text: textOf({ fs: server("one") }) }));
    for (const client of ["claude-code", "cursor"] as const)
      expect((await run(at, "install", "fs", { client })).err).not.toContain("stands before another");
    expect(paths.map((path) => argsOf(path, "fs")[3])).toEqual(["fs", "fs"]);
  });

  it("are told apart over clients and projects, too", async () => {
    const at = desk();
    put(at, {
      ...codex,
      text: '[mcp_servers]\nfs = { command = "wisp", args = ["gate", "--name=fs", "--", "other"] }\n',
    });
    const whole = {
      mcpServers: { fs: server("one") },
      projects: { "/x": { mcpServers: { fs: server("two") } } },
    };
    const path = put(at, { ...claude, text: JSON.stringify(whole) });
    await run(at, "install", "fs", { client: "claude-code" });
    expect(argsOf(path, "fs")[3]).toBe("fs-2");
  });
});

describe("the home in which a gate is installed", () => {
  const env = (path: string) =>
    (JSON.parse(textAt(path)) as { mcpServers: { fs: { env: unknown } } }).mcpServers.fs.env;

  it.each([
    [{}, { WISP_HOME: "HOME" }],
    [{ A: "1" }, { A: "1", WISP_HOME: "HOME" }],
    [
      { WISP_HOME: "/other", A: "1" },
      { WISP_HOME: "HOME", A: "1" },
    ],
  ])("stands in an env of %j beside what was there, and goes with the gate", async (before, after) => {
    const at = desk();
    const text = textOf({ fs: { ...server("one"), env: before } });
    const path = put(at, { ...claude, text });
    await run(at, "install", "fs");
    expect(env(path)).toEqual({ ...after, WISP_HOME: at.home.path });
    await run(at, "uninstall", "fs");
    expect(textAt(path)).toBe(text);
  });

  it("is not written where it is the usual one, or stands there already", async () => {
    const at = desk();
    const text = textOf({ fs: { ...server("one"), env: { WISP_HOME: at.home.path } } });
    const path = put(at, { ...claude, text });
    expect((await run(at, "install", "fs")).exit).toBe(0);
    expect(env(path)).toEqual({ WISP_HOME: at.home.path });
    await run(at, "uninstall", "fs");
    writeFileSync(path, textOf({ fs: server("one") }));
    await run(at, "install", "fs", {}, { environment: { WISP_HOME: "" }, canAnswer: false });
    expect(env(path)).toBeUndefined();
  });

  it("is told of where the env is written in a way that is not changed", async () => {
    const at = desk();
    const path = put(at, { ...codex, text: '[mcp_servers.fs]\ncommand = "a"\n[mcp_servers.fs.env]\n' });
    const done = await run(at, "install", "fs");
    expect([done.exit, done.err]).toEqual([0, expect.stringContaining("add it to the env of the entry")]);
    expect(textAt(path)).not.toContain("WISP_HOME");
  });
});
