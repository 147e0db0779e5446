/** Which entries start this very program: a name proves nothing. Each ends with a change that still works. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { desk, entry, ownProgram, put, run, stillWorks, textAt } from "../../support/gate-installing.js";

const ofProject = { at: "project", path: [".mcp.json"] } as const;

it("takes no command for the gate that only has its words", async () => {
  const at = desk();
  const text = '{"mcpServers": {"fs": {"command": "/tmp/evil", "args": ["/x/wisp", "gate", "--", "y"]}}}\n';
  const path = put(at, { ...ofProject, text });
  await run(at, "uninstall", "fs");
  expect(textAt(path)).toBe(text);
  const { exit, out } = await run(at, "install", "fs");
  expect([exit, out]).toEqual([0, expect.not.stringContaining("already")]);
  expect(textAt(path)).toContain('"--name", "fs", "--", "/tmp/evil", "/x/wisp", "gate", "--", "y"');
});

describe("an entry that starts what is called wisp", () => {
  /** Of a program called `wisp` that lies in a directory of its own, whether or not that is on PATH. */
  const textOf = (words: readonly string[]) =>
    JSON.stringify({ mcpServers: { fs: { command: words[0], args: words.slice(1) } } });
  const behind = ["--", "npx", "server"];

  it.each<readonly [string, readonly string[]]>([
    ["a program of another path", ["/tmp/evil/wisp", "gate", ...behind]],
    ["a program that only its client finds", ["wisp", "gate", ...behind]],
    ["a script by a relative path", ["node", "./wisp.cjs", "gate", ...behind]],
    ["a script of another path", ["node", "/tmp/evil/wisp.cjs", "gate", ...behind]],
    ["our script in another Node", ["/tmp/evil/node", ownProgram.script, "gate", ...behind]],
    ["a package of another name", ["npx", "-y", "wisp", "gate", ...behind]],
    ["our package by another runner", ["/tmp/evil/npx", "wisp-broker", "gate", ...behind]],
    ["no gate", ["/tmp/evil/wisp", "mcp"]],
  ])("is not known to be ours, and nothing is said to be done: %s", async (_what, words) => {
    const at = desk();
    const path = put(at, { ...ofProject, text: textOf(words) });
    const { exit, out, err, asked } = await run(at, "install", "fs");
    expect([exit, out, asked]).toEqual([2, "", 0]);
    expect(err).toContain("is not known to be this program");
    expect(textAt(path)).toBe(textOf(words));
    const good = put(at, { ...ofProject, text: entry("fs") });
    await stillWorks(at, good);
  });

  it.each<readonly [string, readonly string[]]>([
    ["this program", [ownProgram.execPath, ownProgram.script, "gate", ...behind]],
    ["this program in the Node of the PATH", ["node", ownProgram.script, "gate", ...behind]],
    ["our package", ["npx", "-y", "wisp-broker@1.0.0", "gate", ...behind]],
  ])("is behind the gate already where it is %s", async (_what, words) => {
    const at = desk();
    put(at, { ...ofProject, text: textOf(words) });
    const { exit, out, asked } = await run(at, "install", "fs");
    expect([exit, asked]).toEqual([0, 0]);
    expect(out).toContain("fs is behind the gate already");
  });

  it("is behind the gate already where the word leads to this program by the PATH", async () => {
    const at = desk();
    const [bin, script] = [join(at.project, "bin"), join(at.project, "wisp.cjs")];
    mkdirSync(bin);
    writeFileSync(script, "", { mode: 0o755 });
    symlinkSync(script, join(bin, "wisp"));
    put(at, { ...ofProject, text: textOf(["wisp", "gate", ...behind]) });
    const program = { ...ownProgram, script };
    const { out } = await run(at, "install", "fs", {}, { program, environment: { PATH: bin } });
    expect(out).toContain("fs is behind the gate already");
  });
});
