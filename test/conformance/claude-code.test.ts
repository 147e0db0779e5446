/**
 * `wisp mcp` under a real Claude Code, of the version that conformance/package.json pins: `npm run conformance`. It
 * gets a home, a configuration and a working directory of its own, and a stand-in for its model; nothing of it
 * reaches the network.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { wispProgram } from "../support/built.js";
import { openFace } from "../support/face.js";
import { startModel, type Turn } from "../support/model.js";
import { test } from "../support/person.js";
import { gone } from "../support/processes.js";
import { type Pty, startInPty } from "../support/pty.js";
import type { ToolResult } from "../support/raw-client.js";

const folder = fileURLToPath(new URL("../../conformance", import.meta.url));
const packages = join(folder, "node_modules/@anthropic-ai");
/** The client's program lies in a package per platform; npm installs the one that runs here. */
const claude = existsSync(packages)
  ? readdirSync(packages)
      .map((name) => join(packages, name, "claude"))
      .find((path) => existsSync(path))
  : undefined;
const { devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
  devDependencies: Readonly<Record<string, string>>;
};

const long = { timeout: 60_000 };
const tool = "mcp__wisp__run_command";

interface Places {
  readonly root: string;
  /** Where wisp keeps its files. */
  readonly home: string;
  /** Where the client works. */
  readonly work: string;
}

function makePlaces(): Places {
  const root = mkdtempSync(join(tmpdir(), "wisp-conformance-"));
  onTestFinished(async () => {
    // Of a test that failed: its client is still busy ending without its terminal, and writes.
    if (existsSync(join(root, "pid"))) await gone(Number(readFileSync(join(root, "pid"), "utf8")));
    rmSync(root, { recursive: true, force: true });
  });
  const places = { root, home: join(root, "wisp"), work: join(root, "work") };
  for (const name of ["work", "home", "config"]) mkdirSync(join(root, name));
  const server = { type: "stdio", command: process.execPath, args: [wispProgram, "mcp"] };
  const wisp = { ...server, env: { WISP_HOME: places.home } };
  writeFileSync(join(root, "mcp.json"), JSON.stringify({ mcpServers: { wisp } }));
  return places;
}

/** Starts the client from a shell in a terminal, as a person would; what it prints goes to the file `printed`. */
function startClient(program: string, { root, work }: Places, model: string): Pty {
  const words = ["-p", "Run it.", "--mcp-config", join(root, "mcp.json"), "--strict-mcp-config"];
  const script = '"$@" </dev/null >"$0/printed" 2>&1 & echo $! >"$0/pid"; wait $!';
  const allowed = ["--allowedTools", "mcp__wisp,Bash"];
  return startInPty(["sh", "-c", script, root, program, ...words, ...allowed], {
    directory: work,
    environment: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: join(root, "home"),
      CLAUDE_CONFIG_DIR: join(root, "config"),
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "none",
      HTTP_PROXY: model,
      HTTPS_PROXY: model,
      NO_PROXY: "127.0.0.1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  });
}

/** What an agent's shell would try: to approve what waits, through a pipe and in a terminal that it makes. */
function attackOn({ home }: Places): string {
  const approve = `'${process.execPath}' '${wispProgram}' approvals approve "$id"`;
  const inPty = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  return [
    `export WISP_HOME='${home}'`,
    `until id=$(ls "$WISP_HOME/pending" | sed -n 's/.request.json$//p') && [ -n "$id" ]; do sleep 0.1; done`,
    `${approve} </dev/null >attack.txt 2>&1; piped=$?`,
    `python3 -c '${inPty}' ${approve} </dev/null >>attack.txt 2>&1; echo "$piped $?" >attack.new`,
    "mv attack.new attack.exits",
  ].join("\n");
}

test("its call waits for a person, whom its own shell cannot replace, and the result reaches its model", async ({
  person,
  skip,
}) => {
  if (claude === undefined) return skip("Claude Code is not installed: npm ci --prefix conformance");
  const places = makePlaces();
  const face = openFace(places.home);
  const turns: readonly Turn[] = [
    { tool: "Bash", input: { command: attackOn(places), run_in_background: true } },
    { tool, input: { argv: ["sh", "-c", "echo ran >> effect; cat effect"] } },
    { says: "It is done." },
  ];
  const model = await startModel(tool, turns);
  const client = startClient(claude, places, model.url);

  await expect.poll(() => face.waiting().length, long).toBe(1);
  const request = face.only();
  expect(request.client).toEqual({
    name: "claude-code",
    version: devDependencies["@anthropic-ai/claude-code"],
  });

  const exits = join(places.work, "attack.exits");
  await expect.poll(() => existsSync(exits), long).toBe(true);
  const attack = readFileSync(join(places.work, "attack.txt"), "utf8");
  expect(readFileSync(exits, "utf8"), attack).toMatch(/^[1-9]\d* [1-9]\d*\n$/);
  expect(attack).not.toContain("approved");
  expect(face.only()).toEqual(request);
  const refused = face.audit().filter(({ kind }) => kind === "answer.refused");
  expect(refused.map(({ details }) => details.reason)).toEqual(["assurance_insufficient: within_client"]);
  expect(existsSync(join(places.work, "effect"))).toBe(false);

  await person.approves(places.home, request);
  expect(await client.ended, readFileSync(join(places.root, "printed"), "utf8")).toBe(0);
  expect(readFileSync(join(places.root, "printed"), "utf8")).toBe("It is done.\n");
  expect(readFileSync(join(places.work, "effect"), "utf8")).toBe("ran\n");
  expect(face.receiptOf(request.id)).toMatchObject({ outcome: "answered", decision: "approve", via: "cli" });
  expect(resultIn(model.asked.at(-1) ?? "")).toMatchObject({ outcome: "approved", stdout: "ran\n" });
  expect(model.asked).toHaveLength(turns.length);
  expect(model.elsewhere).toEqual([]);
  expect(readdirSync(join(places.home, "servers"))).toEqual([]);
}, 180_000);

/** The result of the last tool call as the model was told it: this client hands on the structured part alone. */
function resultIn(body: string): ToolResult["structuredContent"] {
  const { messages } = JSON.parse(body) as { messages: readonly { readonly content: unknown }[] };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const result = blocks.findLast(({ type }) => type === "tool_result") as { content: string } | undefined;
  return JSON.parse(result?.content ?? "null");
}
