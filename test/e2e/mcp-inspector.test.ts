/** `wisp mcp` under the MCP inspector's command line: a client of somebody else that shows no dialogs. */
import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { runBare, wispProgram } from "../support/built.js";
import { type Face, openFace } from "../support/face.js";
import { personAt } from "../support/fact-server.js";
import { makePlaces, type Places } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import type { ToolResult } from "../support/raw-client.js";
import type { Ran } from "../support/run-verb.js";

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve("@modelcontextprotocol/inspector/package.json"));
const inspector = join(folder, "clients/launcher/build/index.js");

let places: Places;
let face: Face;
beforeEach(() => {
  places = makePlaces();
  face = openFace(places.home);
  const { PATH = "" } = process.env;
  const wisp = {
    type: "stdio",
    command: process.execPath,
    args: [wispProgram, "mcp"],
    cwd: places.work,
    env: { PATH, HOME: places.root, WISP_HOME: places.home },
  };
  writeFileSync(join(places.root, "inspector.json"), JSON.stringify({ mcpServers: { wisp } }));
});
afterEach(() => places.remove());

/** Runs the inspector with a configuration of its own, so that it makes none at home, and without a keychain. */
function inspect(...words: readonly string[]): Promise<Ran> {
  const config = ["--config", join(places.root, "inspector.json"), "--server", "wisp"];
  const { PATH = "" } = process.env;
  return runBare([process.execPath, inspector, "--cli", ...config, ...words], {
    env: { PATH, HOME: places.root, MCP_INSPECTOR_SECRET_STORE: "memory" },
    cwd: places.root,
  });
}

/** Calls the tool, and waits until a person is asked. */
async function call(argv: readonly string[]) {
  const words = ["--method", "tools/call", "--tool-name", "run_command"];
  const calling = inspect(...words, "--tool-arg", `argv=${JSON.stringify(argv)}`);
  await expect.poll(() => face.waiting().length, { timeout: 30_000 }).toBe(1);
  return { calling, request: face.only() };
}

describe("the inspector", () => {
  test("finds no error in our tools when it is strict, and leaves nothing", async () => {
    const { exit, out, err } = await inspect("--method", "tools/list", "--strict");
    expect(err).toContain("0 errors, ");
    expect(exit).toBe(0);
    const names = JSON.parse(out).tools.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(["run_command", "ask_person", "read_answer", "notify", "keep_fact", "read_facts"]);
    expect(readdirSync(places.root).sort()).toEqual(["inspector.json", "work"]);
  });

  test("proposes a fact and leaves, and reads what was kept", async () => {
    const calls = ["--method", "tools/call", "--tool-name"];
    const words = ["subject=api", "name=tests", "value=npm test"].flatMap((one) => ["--tool-arg", one]);
    const asked = await inspect(...calls, "keep_fact", ...words);
    expect(asked.exit).toBe(0);
    const [request, ...others] = personAt(places).waiting();
    expect(others).toEqual([]);
    expect((JSON.parse(asked.out) as ToolResult).structuredContent).toMatchObject({
      outcome: "pending",
      request: request?.id,
      expiresAt: request?.expiresAt,
    });
    const { id } = await personAt(places).kept();
    const told = await inspect(...calls, "read_facts");
    expect((JSON.parse(told.out) as ToolResult).structuredContent).toMatchObject({
      facts: [{ id }],
      requests: [],
    });
    const read = await inspect("--method", "resources/read", "--uri", "wisp://facts");
    const { contents } = JSON.parse(read.out) as { readonly contents: readonly { readonly text: string }[] };
    expect(JSON.parse(contents[0]?.text ?? "")).toMatchObject({ facts: [{ id }], truncated: false });
  });

  test("waits without a dialog until a person at a terminal approves, and the command runs once", async ({
    person,
  }) => {
    const { calling, request } = await call(["sh", "-c", "echo ran >> effect; cat effect"]);
    expect(request.client).toMatchObject({ name: "inspector-cli" });
    await person.approves(places.home, request);
    const { exit, out } = await calling;
    expect(exit).toBe(0);
    expect((JSON.parse(out) as ToolResult).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
      stdout: "ran\n",
    });
    expect(face.receiptOf(request.id)).toMatchObject({
      outcome: "answered",
      decision: "approve",
      via: "cli",
    });
    expect(readdirSync(places.root).sort()).toEqual(["home", "inspector.json", "work"]);
  });

  test("is told the person's no, in the person's words, and nothing runs", async ({ person }) => {
    const { calling, request } = await call(["touch", "ran"]);
    await person.denies(places.home, request, "not today");
    const { exit, out } = await calling;
    expect(exit).not.toBe(0);
    expect(out).toContain("not today");
    expect(readdirSync(places.work)).toEqual([]);
  });
});
