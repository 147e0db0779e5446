/** An entry whose env would take the gate away that stands in it. */
import { expect, it } from "vitest";
import { desk, entry, ownProgram, put, run, stillWorks } from "../../support/gate-installing.js";

const ofProject = { at: "project", path: [".mcp.json"] } as const;

function gateText(more: object): string {
  const args = [ownProgram.script, "gate", "--name", "fs", "--", "npx", "server"];
  return JSON.stringify({ mcpServers: { fs: { command: ownProgram.execPath, args, ...more } } });
}

it.each<readonly [string, object]>([
  ["NODE_OPTIONS", { env: { NODE_OPTIONS: "-r ./evil.js" } }],
  ["NODE_PATH", { env: { NODE_PATH: "/tmp" } }],
  ["LD_PRELOAD", { env: { LD_PRELOAD: "/tmp/evil.so" } }],
  ["DYLD_INSERT_LIBRARIES", { env: { DYLD_INSERT_LIBRARIES: "/tmp/evil.dylib" } }],
  ["HOME", { env: { HOME: "/tmp/evil" } }],
  ["WISP_HOME", { env: { WISP_HOME: "/tmp/evil" } }],
  ["envFile", { envFile: "evil.env" }],
])("is not said to be behind the gate where it sets %s, and is told so by name", async (name, more) => {
  const at = desk();
  put(at, { ...ofProject, text: gateText(more) });
  const { exit, out, err, asked } = await run(at, "install", "fs");
  expect([exit, out, asked]).toEqual([2, "", 0]);
  expect(err).toContain(`The entry fs starts the gate, and sets ${name} for it.`);
  const good = put(at, { ...ofProject, text: entry("fs") });
  await stillWorks(at, good);
});

it("is behind the gate with the home that is in use, and with variables of its server", async () => {
  const at = desk();
  put(at, { ...ofProject, text: gateText({ env: { WISP_HOME: at.home.path, NODE_ENV: "production" } }) });
  const { exit, out } = await run(at, "install", "fs");
  expect([exit, out]).toEqual([0, expect.stringContaining("fs is behind the gate already")]);
});

it("gets a gate all the same, and is told what stays set for it", async () => {
  const at = desk();
  const env = (name: string, value: string) => entry("fs", `, "env": {"${name}": "${value}"}`);
  put(at, { ...ofProject, text: env("NODE_OPTIONS", "-r ./evil.js") });
  const told = await run(at, "install", "fs");
  expect(told).toMatchObject({ exit: 0, asked: 1 });
  expect(told.err).toContain("The entry sets NODE_OPTIONS, for the gate as well");
  for (const text of [env("WISP_HOME", "/tmp/evil"), env("TOKEN", "x")]) {
    put(at, { ...ofProject, text });
    const { exit, err } = await run(at, "install", "fs");
    // The home in use is not the usual one, so it is written over that one.
    expect([exit, err]).toEqual([0, expect.not.stringContaining("for the gate as well")]);
  }
});
