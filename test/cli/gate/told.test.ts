/** What is told of a change of a client's file, on a terminal of 80 columns. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { signedLines } from "../../../src/cli/gate/signed-lines.js";
import { talkIn } from "../../../src/cli/talk.js";
import { desk, put, run, start, textAt } from "../../support/gate-installing.js";
import { listedTool, lookingAt, toolsFound, triage } from "../../support/triaging.js";

const claude = { at: "home", path: [".claude.json"] } as const;
const ofProject = { at: "project", path: [".mcp.json"] } as const;
const codex = { at: "home", path: [".codex", "config.toml"] } as const;
const narrow = { columns: 80 };
const textOf = (servers: object) => JSON.stringify({ mcpServers: servers });
const server = { command: "npx", args: ["server"] };
const gated = { command: "wisp", args: ["gate", "--name", "fs", "--", "npx", "server"] };

describe("a line of a file", () => {
  it("that is longer than the terminal goes on below its sign, with a sign of its own", async () => {
    const shape = { isTerminal: true, columns: 24 };
    expect(await signedLines("+", "a".repeat(23), shape)).toBe(`+${"a".repeat(23)}\n`);
    const rows = await signedLines("+", `${"a".repeat(20)} ${"b".repeat(5)}`, shape);
    expect(rows).toBe(`+${"a".repeat(20)} \n+┆ bbbbb\n`);
    expect(talkIn(24, rows)).toBe(rows);
    expect(await signedLines("+", "字".repeat(12), shape)).toBe(`+${"字".repeat(10)}\n+┆ 字字\n`);
  });

  it("is whole where nobody reads it on a terminal", async () => {
    const shape = { isTerminal: false, columns: 24 };
    expect(await signedLines("-", "a".repeat(50), shape)).toBe(`-${"a".repeat(50)}\n`);
  });
});

describe("what is done", () => {
  it("ends with the name that rules use, and each line to copy stands alone", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: textOf({ "My Memory": server }) });
    const { out } = await run(at, "install", "My Memory", {}, narrow);
    const [kept] = readdirSync(join(at.home.path, "backups")).filter((name) => name.endsWith(".original"));
    expect(out.split("\n")).toEqual([
      "My Memory is behind the gate once its client starts it again:",
      `  Claude Code (user): ${path}`,
      "rules call its tools:",
      "  mcp__my-memory__TOOL",
      "what the file was:",
      `  ${join(at.home.path, "backups", kept ?? "")}`,
      "to undo it:",
      `  WISP_HOME=${at.home.path} wisp gate uninstall 'My Memory' --client claude-code --scope user`,
      "",
    ]);
  });

  it("is said of an address before it is written: behind the gate nobody signs in", async () => {
    const at = desk();
    const path = put(at, { ...claude, text: textOf({ web: { url: "https://x.invalid/mcp" } }) });
    const { err } = await run(at, "install", "web", { answer: "n" });
    expect(err).toMatch(/^Where its client signs in there by itself \(OAuth\), the server answers 401/m);
    expect((await run(at, "install", "web")).exit).toBe(0);
    expect(textAt(path)).toContain('"--url"');
    put(at, { ...claude, text: textOf({ fs: server }) });
    expect((await run(at, "install", "fs")).err).not.toContain("OAuth");
  });
});

it("where none is found, the files that were read are named with their entries", async () => {
  const at = desk();
  const none = await run(at, "install", "x");
  expect([none.exit, none.err]).toEqual([3, expect.stringContaining("No file of a known client is here;")]);
  const entries = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`server-${index}`, server]));
  const paths = [
    put(at, { ...claude, text: textOf({ "b\u001b": server, memory: server }) }),
    put(at, { ...codex, text: "" }),
    put(at, { ...ofProject, text: textOf(entries) }),
  ];
  const { exit, err } = await run(at, "install", "nothere", {}, narrow);
  expect(exit).toBe(3);
  expect(err).toContain(`  Read: Claude Code: ${paths[0]}\n    b\\u{1b}, memory\n`);
  expect(err).toContain(`  Read: Codex: ${paths[1]}\n    no entries\n`);
  expect(err).toContain(`  Read: Claude Code: ${paths[2]}\n    server-0, server-1, `);
  expect(err).toContain("server-39 and 1 more\n");
  expect((await run(at, "install", "memory")).exit).toBe(0);
});

it("where one of several entries is behind a gate, it alone can be meant to be taken away", async () => {
  const at = desk();
  put(at, { ...claude, text: textOf({ fs: server }) });
  const path = put(at, { ...ofProject, text: textOf({ fs: gated }) });
  put(at, { ...codex, text: "[mcp_servers.fs]\nargs = [1]\n" });
  expect((await run(at, "install", "fs")).exit).toBe(2);
  expect((await run(at, "uninstall", "fs")).exit).toBe(0);
  expect(JSON.parse(textAt(path))).toEqual({ mcpServers: { fs: server } });
  put(at, { ...claude, text: textOf({ fs: gated }) });
  put(at, { ...ofProject, text: textOf({ fs: gated }) });
  const both = await run(at, "uninstall", "fs");
  expect([both.exit, both.err]).toEqual([2, expect.stringContaining("stands in 2 places")]);
  // The lines to copy are whole, however narrow the terminal is.
  expect(talkIn(40, both.err)).toContain(" wisp gate uninstall fs --client claude-code --scope user\n");
});

describe("what is said of a tool", () => {
  const long = listedTool(
    "get_long",
    true,
    Array.from({ length: 67 }, (_, index) => `line ${index}`).join("\n"),
  );
  const placed = () => {
    const at = desk();
    put(at, { ...claude, text: textOf({ fs: server }) });
    return at;
  };
  const look = () => lookingAt(toolsFound([long]));

  it("stands there page by page, and the list comes after the last one was read", async () => {
    const at = placed();
    const { exit, err, questions } = await triage(at, look(), ["y", "?1", "", "", "", "x", "", "accept"]);
    expect(exit).toBe(0);
    expect(questions.slice(1, 7)).toEqual([
      "1 ticks, ?1 shows it, Enter goes on: ",
      "Page 1 of 3. Enter goes on: ",
      "Page 2 of 3. Enter goes on: ",
      "Page 3 of 3. Enter goes on: ",
      "1 ticks, ?1 shows it, Enter goes on: ",
      "1 ticks, ?1 shows it, Enter goes on: ",
    ]);
    expect(err).toContain("\n1, ?1, or Enter alone.\n");
    expect(err).toContain("  line 66\n  takes: \n");
  });

  it("is left by the end of the input and by Ctrl-C, and nothing is changed", async () => {
    const at = placed();
    expect((await triage(at, look(), ["y", "?1", "", null])).exit).toBe(7);
    const { terminal, ended } = start(at, "install", "fs", {}, { tools: look().tools });
    for (const line of ["y", "?1"]) terminal.type(line);
    await expect.poll(() => terminal.questions.at(-1)).toContain("Page 1 of 3");
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect((await triage(at, look(), ["y", "", "accept"])).exit).toBe(0);
  });
});
