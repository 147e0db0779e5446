/** What is not changed, and why. Each ends with a change that still works. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientFileCorpus } from "../../support/client-files.js";
import { desk, entry, put, run, start, stillWorks, textAt } from "../../support/gate-installing.js";
import { atTerminal } from "../../support/witnesses.js";

const claude = { at: "home", path: [".claude.json"] } as const;
const ofProject = { at: "project", path: [".mcp.json"] } as const;
const codex = { at: "home", path: [".codex", "config.toml"] } as const;

describe("where an entry stands in several files", () => {
  it("nothing is changed, and each is listed with the line that names it", async () => {
    const at = desk();
    const paths = [put(at, { ...claude, text: entry("fs") }), put(at, { ...ofProject, text: entry("fs") })];
    const { exit, err, asked } = await run(at, "install", "fs");
    expect([exit, asked]).toEqual([2, 0]);
    for (const [index, scope] of ["user", "project"].entries()) {
      const line = `wisp gate install fs --client claude-code --scope ${scope}`;
      const listed = `Claude Code (${scope}): ${paths[index]}\n  WISP_HOME=${at.home.path} ${line}\n`;
      expect(err).toContain(listed);
    }
    expect(paths.map(textAt)).toEqual([entry("fs"), entry("fs")]);
    expect((await run(at, "install", "fs", { scope: "project" })).exit).toBe(0);
    expect(textAt(paths[0] ?? "")).toBe(entry("fs"));
    expect(textAt(paths[1] ?? "")).toContain('"gate"');
  });

  it("what Claude Code keeps of this directory is one of them, and that of another directory is none", async () => {
    const at = desk();
    const of = { mcpServers: { fs: { command: "npx" } } };
    const text = JSON.stringify({ ...of, projects: { [at.project]: of, "/elsewhere": of } }, null, 1);
    const path = put(at, { ...claude, text });
    expect((await run(at, "install", "fs")).err).toContain("--scope local\n");
    expect((await run(at, "install", "fs", { scope: "local" })).exit).toBe(0);
    const { mcpServers, projects } = JSON.parse(textAt(path)) as typeof of & {
      projects: Record<string, unknown>;
    };
    expect([mcpServers, projects["/elsewhere"]]).toEqual([of.mcpServers, of]);
    expect(projects[at.project]).toMatchObject({
      mcpServers: { fs: { args: expect.arrayContaining(["npx"]) } },
    });
    expect((await run(at, "uninstall", "fs", { scope: "local" })).exit).toBe(0);
    expect(textAt(path)).toBe(text);
  });
});

describe("where nobody can say yes", () => {
  it.each([{ canAnswer: false }, { isTerminal: false }])(
    "what would change is printed and stays undone: %j",
    async (options) => {
      const at = desk();
      const path = put(at, { ...claude, text: entry("fs") });
      const { exit, out } = await run(at, "install", "fs", {}, options);
      expect(exit).toBe(4);
      expect(out).toContain(`Claude Code (user): ${path}\n@@ line 1 @@\n-{"mcpServers"`);
      expect([textAt(path), existsSync(at.home.path)]).toEqual([entry("fs"), false]);
      await stillWorks(at, path);
    },
  );

  it("an agent's shell changes nothing, whatever it types", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("fs") });
    const look = () => ({ ...atTerminal, shortfall: "within_client" as const });
    expect(await run(at, "install", "fs", {}, { look })).toMatchObject({ exit: 10, out: "", asked: 0 });
    expect(textAt(path)).toBe(entry("fs"));
    await stillWorks(at, path);
  });

  it.each([
    ["n", 7],
    ["", 7],
    [null, 7],
    ["yes", 7],
  ])("%j is no y", async (answer, exit) => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("fs") });
    expect((await run(at, "install", "fs", { answer })).exit).toBe(exit);
    expect([textAt(path), existsSync(join(at.home.path, "backups"))]).toEqual([entry("fs"), false]);
    await stillWorks(at, path);
  });
});

describe("a file that is left alone", () => {
  it.each([
    [
      "half written",
      '{"mcpServers":\n{"fs": {"command": "npx"',
      "not understood: line 2: close brace expected",
    ],
    ["with no comma", '{"a": 1\n\n"b": 2}', "not understood: line 3: comma expected"],
    [
      "with a key twice",
      '{"mcpServers": {"fs": {"command": "a"},\n"fs": {"command": "b"}}}',
      'not understood: line 2: "fs" stands twice',
    ],
    [
      "with a key that is none",
      '{"__proto__": {}, "mcpServers": {"fs": {"command": "b"}}}',
      'not understood: line 1: "__proto__" is no key',
    ],
    ["with another root", '[{"mcpServers": {"fs": {"command": "a"}}}]', "not understood: line 1: no object"],
    ["that is nested without end", `${"[".repeat(200_000)}`, "not understood: line 1: nested too deep"],
    [
      "with bytes that are no text",
      Buffer.from('{"mcpServers": {"fs": {"command": "\xff"}}}', "latin1"),
      "not valid UTF-8",
    ],
  ])("is one %s, and it is said where", async (_, text, why) => {
    const at = desk();
    const path = put(at, { ...claude, text: "" });
    writeFileSync(path, text);
    const { exit, err, asked } = await run(at, "install", "fs");
    expect([exit, asked]).toEqual([78, 0]);
    expect(err).toContain(`left alone: Claude Code: ${path} (${why})`);
    expect(textAt(path)).toBe(Buffer.from(text).toString("utf8"));
    writeFileSync(path, entry("fs"));
    await stillWorks(at, path);
  });

  it.each([
    ["[mcp_servers.fs\ncommand = 1", "line 1: "],
    ['[mcp_servers.fs]\ncommand = "a"\n[mcp_servers.fs]\ncommand = "b"\n', "line 3: "],
    ['a = "\u001b"\n', "line 1: "],
  ])("is %j, which is no TOML", async (text, where) => {
    const at = desk();
    const path = put(at, { ...codex, text });
    const { exit, err } = await run(at, "install", "fs");
    expect([exit, err]).toEqual([78, expect.stringContaining(`config.toml (not understood: ${where}`)]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not stand there.
    expect(err).not.toMatch(/\u001b|Invalid TOML/);
    expect(textAt(path)).toBe(text);
    writeFileSync(path, '[mcp_servers.fs]\ncommand = "a"\n');
    await stillWorks(at, path);
  });

  it("lies in a directory of the project that leads to the person's own", async () => {
    const at = desk();
    const path = put(at, { at: "home", path: [".cursor", "mcp.json"], text: entry("fs") });
    symlinkSync(dirname(path), join(at.project, ".cursor"));
    const project = { client: "cursor", scope: "project" } as const;
    const { exit, err } = await run(at, "install", "fs", project);
    expect([exit, err]).toEqual([78, expect.stringContaining("(symbolic link)")]);
    expect(textAt(path)).toBe(entry("fs"));
    unlinkSync(join(at.project, ".cursor"));
    await stillWorks(at, path);
  });

  it("is a link, which would be parted from what it leads to", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: "" });
    const target = join(at.person, "dotfiles.json");
    writeFileSync(target, entry("fs"));
    unlinkSync(path);
    symlinkSync(target, path);
    const { exit, err } = await run(at, "install", "fs");
    expect([exit, err]).toEqual([78, expect.stringContaining("(symbolic link)")]);
    expect([lstatSync(path).isSymbolicLink(), textAt(target)]).toEqual([true, entry("fs")]);
    unlinkSync(path);
    writeFileSync(path, entry("fs"));
    await stillWorks(at, path);
  });

  it("is one that has another name, which would keep what it said", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("fs") });
    linkSync(path, join(at.person, "other"));
    expect((await run(at, "install", "fs")).exit).toBe(78);
    unlinkSync(join(at.person, "other"));
    await stillWorks(at, path);
  });

  it("is a directory", async () => {
    const at = desk();
    const path = join(at.person, ".claude.json");
    mkdirSync(path);
    expect((await run(at, "install", "fs")).exit).toBe(78);
    rmSync(path, { recursive: true });
    put(at, { ...claude, text: entry("fs") });
    await stillWorks(at, path);
  });

  it("keeps nobody from changing another one, and is told of", async () => {
    const at = desk();
    put(at, { ...codex, text: "[" });
    const path = put(at, { ...claude, text: entry("fs") });
    const { exit, err } = await run(at, "install", "fs");
    expect([exit, err]).toEqual([0, expect.stringContaining("left alone: Codex: ")]);
    expect(textAt(path)).toContain('"gate"');
  });
});

describe("a file that changes while a person reads", () => {
  it.each<[what: string, change: (path: string) => void]>([
    ["is written by its client", (path) => writeFileSync(path, entry("fs", ', "env": {}'))],
    ["is removed", (path) => unlinkSync(path)],
    [
      "becomes a link",
      (path) => {
        unlinkSync(path);
        symlinkSync("/etc/hostname", path);
      },
    ],
  ])("stays as it is when it %s", async (_, change) => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("fs") });
    const { terminal, ended } = start(at, "install", "fs");
    await expect.poll(() => terminal.questions.length).toBe(1);
    change(path);
    terminal.type("y");
    expect((await ended).exit).toBe(6);
    expect(readdirSync(join(at.home.path, "backups"))).toEqual([]);
    expect(readdirSync(at.person).filter((name) => name.startsWith(".tmp"))).toEqual([]);
    rmSync(path, { force: true });
    put(at, { ...claude, text: entry("fs") });
    await stillWorks(at, path);
  });

  it("is not written after Ctrl-C", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("fs") });
    const { terminal, ended } = start(at, "install", "fs");
    await expect.poll(() => terminal.questions.length).toBe(1);
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect(textAt(path)).toBe(entry("fs"));
    await stillWorks(at, path);
  });
});

describe("an entry before which no gate goes", () => {
  it("is one that is not there: the nearest name is told", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("files") });
    const { exit, err } = await run(at, "install", "file");
    expect([exit, err]).toEqual([3, expect.stringContaining("There is files.")]);
    expect(err).toContain("Files of a project are read in this directory alone.");
    await stillWorks(at, path, "files");
  });

  it.each([
    ["wisp mcp itself", { command: "npx", args: ["wisp-broker", "mcp"] }, "starts wisp mcp"],
    [
      "one with headers",
      { url: "https://x.invalid", headers: { Authorization: "x" } },
      "its headers would not be sent",
    ],
    [
      "one with a token",
      { url: "https://x.invalid", bearer_token_env_var: "T" },
      "its bearer_token_env_var would",
    ],
    ["one on the way to which others listen", { url: "http://x.invalid" }, "Only https"],
    ["one whose address its client makes", { url: "$HOST/mcp" }, "Its address is none"],
    ["one of type sse", { type: "sse", url: "https://x.invalid" }, "of type sse"],
    ["one with words that are none", { command: "a", args: ["b", 1] }, "names no command"],
    ["one without either", { env: {} }, "names no command"],
  ])("is %s", async (_, value, says) => {
    const at = desk();
    const path = put(at, { ...claude, text: JSON.stringify({ mcpServers: { fs: value } }) });
    const { exit, err } = await run(at, "install", "fs");
    expect([exit, err]).toEqual([2, expect.stringContaining(says)]);
    expect(textAt(path)).toBe(JSON.stringify({ mcpServers: { fs: value } }));
    writeFileSync(path, entry("fs"));
    await stillWorks(at, path);
  });

  it("is one whose name leaves nothing for a rule", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("…") });
    expect((await run(at, "install", "…")).exit).toBe(2);
    writeFileSync(path, entry("fs"));
    await stillWorks(at, path);
  });

  it("is one behind a gate already; and one behind none has none to take away", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("fs") });
    expect((await run(at, "uninstall", "fs")).exit).toBe(3);
    await run(at, "install", "fs");
    const text = textAt(path);
    expect(await run(at, "install", "fs")).toMatchObject({ exit: 0, asked: 0 });
    expect(textAt(path)).toBe(text);
    await run(at, "uninstall", "fs");
    await stillWorks(at, path);
  });
});

describe("texts of a file", () => {
  it("reach the terminal as they are only where they are harmless", async () => {
    const at = desk();
    const name = "fs\u001b[2J\u202e";
    const path = put(at, { ...claude, text: entry(name, ', "x": "\u202e\u009b"') });
    const { exit, out, err } = await run(at, "install", name);
    expect(exit).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand there.
    expect(out + err).not.toMatch(/[\u001b\u202e\u009b]/);
    expect(textAt(path)).toContain("\u202e\u009b");
  });
});

describe("the home in which backups lie", () => {
  it("is refused where it is open to others, and nothing is written", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: entry("fs") });
    mkdirSync(at.home.path, { mode: 0o755 });
    mkdirSync(join(at.home.path, "backups"));
    chmodSync(join(at.home.path, "backups"), 0o777);
    expect((await run(at, "install", "fs")).exit).toBe(8);
    expect(textAt(path)).toBe(entry("fs"));
    rmSync(at.home.path, { recursive: true });
    await stillWorks(at, path);
  });
});

it("no file of the corpus is written where its person says no", async () => {
  for (const file of clientFileCorpus) {
    const at = desk();
    const path = put(at, file);
    for (const one of file.entries) await run(at, "install", one, { answer: "n" });
    expect(textAt(path)).toBe(file.text);
    expect((await run(at, "install", file.entries[0] ?? "")).exit).toBe(0);
  }
});
