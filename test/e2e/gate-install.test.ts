/** A person puts a gate into a client's file and takes it out again, with the built command; an agent's shell cannot. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { runBare, wispOn } from "../support/built.js";
import { clientFileCorpus } from "../support/client-files.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { startServer } from "../support/raw-client.js";
import { tempDirectory } from "../support/temp-home.js";

const files = clientFileCorpus.filter(({ path }) =>
  [".claude.json", "config.toml"].includes(path.at(-1) ?? ""),
);

/** Two published servers that no preset is for, below the root of this project. */
const serverAt = (name: string) =>
  fileURLToPath(
    new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  );

/** A person's directory with one entry, which starts `argv` by node; and `install` before it, on a terminal. */
function placed(args: readonly string[]) {
  const directory = tempDirectory();
  const home = homeAt(join(directory, "home"), false);
  const path = join(directory, ".mcp.json");
  const text = JSON.stringify({ mcpServers: { seq: { command: process.execPath, args } } }, null, 2);
  writeFileSync(path, text);
  const install = () =>
    startInPty(["env", `HOME=${directory}`, ...wispOn(home, "gate", "install", "seq")], {
      isApart: true,
      directory,
    });
  return { directory, home, path, text, install };
}

describe("wisp gate install before a server that no preset is for", () => {
  it.skipIf(ptyMissing !== null)(
    "lets a tool pass that a person ticked, as the client then starts it",
    async () => {
      const { directory, home, path, install } = placed([serverAt("sequential-thinking")]);
      const typing = install();
      await typing.seen("Type y to start it");
      typing.type("y\n");
      await typing.seen("1 [x] * sequentialthinking");
      await typing.seen("Enter goes on: ");
      typing.type("\n");
      await typing.seen('Type "accept"');
      typing.type("accept\n");
      expect(await typing.ended, typing.output()).toBe(0);
      const { mcpServers } = JSON.parse(readFileSync(path, "utf8")) as { mcpServers: { seq: Started } };
      const { command, args, env } = mcpServers.seq;
      expect(env).toEqual({ WISP_HOME: home.path });
      const { client, child, ended } = startServer([command, ...args], {
        environment: { HOME: directory, ...env },
        directory,
      });
      onTestFinished(async () => {
        child.kill("SIGKILL");
        await ended;
      });
      await client.initialize();
      const thought = { thought: "a", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
      const id = client.request("tools/call", { name: "sequentialthinking", arguments: thought });
      expect((await client.resultOf(id)).structuredContent).toMatchObject({ thoughtNumber: 1 });
    },
  );

  it.skipIf(ptyMissing !== null)(
    "goes on without rules where it does not start, and not at all without a y",
    async () => {
      const { home, path, text, install } = placed([
        "-e",
        "console.error('no key \\x1b[2J'); process.exit(3)",
      ]);
      const unwanted = install();
      await unwanted.seen("Type y to start it");
      unwanted.type("\n");
      expect(await unwanted.ended).toBe(7);
      expect(readFileSync(path, "utf8")).toBe(text);
      const typing = install();
      await typing.seen("Type y to start it");
      typing.type("y\n");
      await typing.seen("Type y and Enter to write it");
      expect(typing.output()).toContain("| no key \\u{1b}[2J\n");
      expect(typing.output()).toMatch(/ended with 3\.\s+So\s+no\s+rule/);
      typing.type("y\n");
      expect(await typing.ended, typing.output()).toBe(0);
      expect(readFileSync(path, "utf8")).toContain('"gate"');
      expect(existsSync(join(home.path, "policy.json"))).toBe(false);
    },
  );
});

/** A server that means ill, as the words that Node starts: it floods, and lists what `tools` says, which is JavaScript. */
function hostile(tools: string): readonly string[] {
  return [
    "-e",
    `process.stderr.write("\\x1b[2J\\u202e".repeat(200000));
    process.stdout.write("no message \\x1b]0;x\\x07\\n".repeat(20000));
    let text = "";
    process.stdin.on("data", (some) => {
      text += some;
      for (let end = text.indexOf("\\n"); end !== -1; end = text.indexOf("\\n")) {
        const { id, method } = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        if (id === undefined) continue;
        const started = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } };
        const result = method === "initialize" ? started : { tools: ${tools} };
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
      }
    });`,
  ];
}

describe("wisp gate install before a server that means ill", () => {
  it.skipIf(ptyMissing !== null)(
    "shows what it floods and calls its tools as escapes, and lets nothing be ticked that no rule can spell",
    async () => {
      const inputSchema = '{ type: "object" }';
      const { path, install } = placed(
        hostile(
          `[{ name: "read\\u202etxt", description: "\\x1b[2Jall is well", inputSchema: ${inputSchema}, annotations: { readOnlyHint: true } },
          { name: "good", description: "x".repeat(1000000), inputSchema: ${inputSchema} },
          { name: "twice", inputSchema: ${inputSchema} }, { name: "twice", inputSchema: ${inputSchema} }]`,
        ),
      );
      const typing = install();
      await typing.seen("Type y to start it");
      typing.type("y\n");
      await typing.seen("Enter goes on: ");
      const shown = typing.output();
      for (const raw of ["\u202e", "\u001b[2J", "\u001b]0;"]) expect(shown).not.toContain(raw);
      expect(shown).toContain("read\\u{202e}txt");
      expect(shown).toContain("[ ]   good");
      expect(shown).toContain("twice");
      expect(shown).not.toMatch(/\[x\]/);
      expect(shown.length).toBeLessThan(200_000);
      typing.type("\u0003");
      expect(await typing.ended).not.toBe(0);
      expect(readFileSync(path, "utf8")).not.toContain('"gate"');
    },
  );

  it.skipIf(ptyMissing !== null)(
    "takes no list of more than is read, and goes on without rules",
    async () => {
      const { home, path, install } = placed(
        hostile('[{ name: "x".repeat(17000000), inputSchema: { type: "object" } }]'),
      );
      const typing = install();
      await typing.seen("Type y to start it");
      typing.type("y\n");
      await typing.seen("Type y and Enter to write it");
      expect(typing.output().length).toBeLessThan(200_000);
      typing.type("y\n");
      expect(await typing.ended, typing.output().slice(-2_000)).toBe(0);
      expect(readFileSync(path, "utf8")).toContain('"gate"');
      expect(existsSync(join(home.path, "policy.json"))).toBe(false);
    },
  );
});

interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

describe("wisp gate install and uninstall", () => {
  it.skipIf(ptyMissing !== null).each(files)("change $title and give it back, to the byte", async (file) => {
    const directory = tempDirectory();
    const home = homeAt(join(directory, "home"), false);
    const path = join(directory, ...file.path);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, file.text);
    const [name = ""] = file.entries;
    const bare = await runBare(["env", `HOME=${directory}`, ...wispOn(home, "gate", "install", name)], {
      cwd: directory,
    });
    expect(bare.exit).toBe(4);
    expect(bare.out).toContain('"gate"');
    expect(readFileSync(path, "utf8")).toBe(file.text);
    for (const verb of ["install", "uninstall"]) {
      const words = ["env", `HOME=${directory}`, ...wispOn(home, "gate", verb, name)];
      const typing = startInPty(words, { isApart: true, directory });
      if (verb === "install" && !file.text.includes("server-filesystem")) {
        // A server that no preset is for; nothing of that name is to be started here.
        await typing.seen("Type y to start it");
        typing.type("n\n");
      }
      await typing.seen("Type y and Enter");
      typing.type("y\n");
      expect(await typing.ended, typing.output()).toBe(0);
      if (verb === "install") expect(readFileSync(path, "utf8")).toContain('"gate"');
    }
    expect(readFileSync(path, "utf8")).toBe(file.text);
  });
});
