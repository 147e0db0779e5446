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
import { type AuditRecord, type Face, openFace } from "../support/face.js";
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

/** `flags` are those of `wisp mcp`. */
function makePlaces(...flags: readonly string[]): Places {
  const root = mkdtempSync(join(tmpdir(), "wisp-conformance-"));
  onTestFinished(async () => {
    // Of a test that failed: its client is still busy ending without its terminal, and writes.
    if (existsSync(join(root, "pid"))) await gone(Number(readFileSync(join(root, "pid"), "utf8")));
    rmSync(root, { recursive: true, force: true });
  });
  const places = { root, home: join(root, "wisp"), work: join(root, "work") };
  for (const name of ["work", "home", "config"]) mkdirSync(join(root, name));
  const server = { type: "stdio", command: process.execPath, args: [wispProgram, "mcp", ...flags] };
  const wisp = { ...server, env: { WISP_HOME: places.home } };
  writeFileSync(join(root, "mcp.json"), JSON.stringify({ mcpServers: { wisp } }));
  return places;
}

/** Starts the client from a shell in a terminal, as a person would; what it prints goes to the file `printed`. */
function startClient(
  program: string,
  { root, work }: Places,
  model: string,
  settings: Readonly<Record<string, string>> = {},
): Pty {
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
      ...settings,
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

  // It speaks 2026-07-28: its dialog's leg ends at once, and the next leg says cancel, which nobody has chosen.
  await expect.poll(() => dialogsIn(face), long).toMatchObject([{ how: "dismissed", unseen: true }]);
  const [asked] = face.audit().filter(({ kind }) => kind === "approval.decided");
  expect(asked?.details).toMatchObject({ outcome: "pending", why: "dialog" });

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
  expect(resultIn(model.asked.at(-1))).toMatchObject({ outcome: "approved", stdout: "ran\n" });
  expect(model.asked).toHaveLength(turns.length);
  expect(model.elsewhere).toEqual([]);
  expect(readdirSync(join(places.home, "servers"))).toEqual([]);
}, 180_000);

/** Why a call ends while its request waits, what brings that about, and how its model is told. */
const earlyEnds: readonly (readonly [
  why: string,
  flags: readonly string[],
  settings: Readonly<Record<string, string>>,
  told: object,
])[] = [
  [
    "its client gives it up",
    [],
    { MCP_TOOL_TIMEOUT: "3000" },
    { is_error: true, content: expect.stringMatching(/^MCP server "wisp" tool "\w+" timed out after 3s/) },
  ],
  [
    "it is held no longer",
    ["--hold", "2"],
    {},
    { content: expect.stringContaining(`"code":"approval_pending"`) },
  ],
];

test.for(earlyEnds)(
  "its call that ends because %s is approved later, collected once, and then asked about anew",
  { timeout: 180_000 },
  async ([, flags, settings, told], { person, skip }) => {
    if (claude === undefined) return skip("Claude Code is not installed: npm ci --prefix conformance");
    const places = makePlaces(...flags);
    const face = openFace(places.home);
    const call = { tool, input: { argv: ["sh", "-c", "echo ran >> effect; cat effect"] } };
    const untilApproved = { command: "until [ -e approved ]; do sleep 0.1; done" };
    const turns = [call, { tool: "Bash", input: untilApproved }, call, call, { says: "It is done." }];
    const model = await startModel(tool, turns);
    const client = startClient(claude, places, model.url, settings);

    await expect.poll(() => model.asked.length, long).toBe(2);
    expect(lastResultIn(model.asked[1])).toMatchObject(told);
    const request = face.only();
    await person.approves(places.home, request);
    expect(existsSync(join(places.work, "effect"))).toBe(false);
    writeFileSync(join(places.work, "approved"), "");

    expect(await client.ended, readFileSync(join(places.root, "printed"), "utf8")).toBe(0);
    expect(readFileSync(join(places.root, "printed"), "utf8")).toBe("It is done.\n");
    expect(resultIn(model.asked[3])).toMatchObject({
      outcome: "approved",
      stdout: "ran\n",
      request: request.id,
    });
    expect(lastResultIn(model.asked[4])).toMatchObject(told);
    expect(readFileSync(join(places.work, "effect"), "utf8")).toBe("ran\n");
    expect(model.asked).toHaveLength(turns.length);
    const filed = face.audit().filter(({ kind }) => kind === "approval.pending");
    expect(filed).toHaveLength(2);
    expect(face.receiptOf(request.id)).toMatchObject({
      outcome: "answered",
      decision: "approve",
      via: "cli",
    });
    expect(face.waiting()).toEqual([]);
    expect(model.elsewhere).toEqual([]);
  },
);

/** How its dialogs ended. */
function dialogsIn(face: Face): readonly AuditRecord["details"][] {
  return face.audit().flatMap(({ kind, details }) => (kind === "dialog.ended" ? [details] : []));
}

interface ToolResultBlock {
  readonly type: "tool_result";
  readonly content: string;
  readonly is_error?: boolean;
}

/** The result of the last tool call as the model was told it. */
function lastResultIn(body = "{}"): ToolResultBlock | undefined {
  const { messages } = JSON.parse(body) as { messages: readonly { readonly content: unknown }[] };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks.findLast(({ type }) => type === "tool_result");
}

/** What it says of a call of ours: this client hands on the structured part alone. */
function resultIn(body: string | undefined): ToolResult["structuredContent"] {
  return JSON.parse(lastResultIn(body)?.content ?? "null");
}
