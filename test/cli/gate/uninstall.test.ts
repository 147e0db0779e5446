/** What is undone where the file, the entry or the backup is not what it was. */
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Desk, desk, ownProgram, put, run, textAt } from "../../support/gate-installing.js";

const claude = { at: "home", path: [".claude.json"] } as const;
const text = `{
  "mcpServers": {
    "fs": {
      "command": "npx",
      "args": ["-y", "server"]
    }
  }
}
`;

const backupsOf = ({ home }: Desk): string => join(home.path, "backups");

describe("wisp gate uninstall", () => {
  it("keeps what was written into the entry since", async () => {
    const at = desk();
    const path = put(at, { ...claude, text });
    await run(at, "install", "fs");
    const withMore = (from: string) => from.replace('"command"', '"timeout": 3,\n      "command"');
    writeFileSync(path, withMore(textAt(path)));
    const { exit, err } = await run(at, "uninstall", "fs");
    expect([exit, err]).toEqual([0, expect.stringContaining("only this entry is undone.")]);
    expect(textAt(path)).toBe(withMore(text));
  });

  it("goes by the words of the gate where they were changed since, and says so", async () => {
    const at = desk();
    const path = put(at, { ...claude, text });
    await run(at, "install", "fs");
    writeFileSync(
      path,
      textAt(path).replace('"--name"', '"--read-only", "--name"').replace('"server"', '"other"'),
    );
    const { exit, err } = await run(at, "uninstall", "fs");
    expect([exit, err]).toEqual([0, expect.stringContaining("by what the words of the gate say")]);
    expect(textAt(path)).toBe(text.replace('"server"', '"other"'));
  });

  it.each<[string, (at: Desk) => void]>([
    ["are gone", (at) => rmSync(backupsOf(at), { recursive: true })],
    [
      "hold nothing that can be read",
      (at) => {
        for (const name of readdirSync(backupsOf(at))) writeFileSync(join(backupsOf(at), name), "{}");
      },
    ],
    [
      "can be read by others",
      (at) => {
        for (const name of readdirSync(backupsOf(at))) chmodSync(join(backupsOf(at), name), 0o644);
      },
    ],
  ])("goes by the words of the gate where the backups %s", async (_, change) => {
    const at = desk();
    const path = put(at, { ...claude, text });
    await run(at, "install", "fs");
    change(at);
    expect((await run(at, "uninstall", "fs")).err).toContain("No backup fits what stands there");
    expect(textAt(path)).toBe(text);
  });

  it("never puts another text in place of the file than the one that was kept", async () => {
    const at = desk();
    const path = put(at, { ...claude, text });
    await run(at, "install", "fs");
    const kept = readdirSync(backupsOf(at)).find((name) => name.endsWith(".original")) ?? "";
    writeFileSync(join(backupsOf(at), kept), '{"mcpServers": {"fs": {"command": "evil"}}}');
    const { err } = await run(at, "uninstall", "fs");
    expect(err).not.toContain("evil");
    expect(err).toContain(
      "A backup of it is not as it was kept: it counts for nothing. Only this entry is undone.\n",
    );
    expect(textAt(path)).toBe(text);
  });

  it("undoes nothing by a record that somebody changed, and says so", async () => {
    const at = desk();
    const path = put(at, { ...claude, text });
    await run(at, "install", "fs");
    const kept = readdirSync(backupsOf(at)).find((name) => name.endsWith(".json")) ?? "";
    const record = textAt(join(backupsOf(at), kept));
    writeFileSync(join(backupsOf(at), kept), record.replace("npx", "evil"));
    const { exit, err } = await run(at, "uninstall", "fs");
    expect([exit, err]).toEqual([0, expect.stringContaining("it counts for nothing. No backup fits")]);
    expect(textAt(path)).toBe(text);
  });

  it("takes an address out of the words where no backup is there", async () => {
    const at = desk();
    const before =
      '{"mcpServers": {"web": {"type": "http", "url": "https://example.invalid/a?b=c", "timeout": 3}}}';
    const path = put(at, { ...claude, text: before });
    await run(at, "install", "web");
    expect(JSON.parse(textAt(path))).toMatchObject({ mcpServers: { web: { type: "stdio", timeout: 3 } } });
    rmSync(backupsOf(at), { recursive: true });
    await run(at, "uninstall", "web");
    expect(textAt(path)).toBe(before);
  });

  it("undoes what a person wrote there by hand", async () => {
    const at = desk();
    const args = ["-y", "wisp-broker", "gate", "--name=fs", "--", "uvx", "server", "--", "gate"];
    const path = put(at, {
      ...claude,
      text: JSON.stringify({ mcpServers: { fs: { command: "npx", args } } }),
    });
    expect((await run(at, "uninstall", "fs")).exit).toBe(0);
    expect(JSON.parse(textAt(path))).toEqual({
      mcpServers: { fs: { command: "uvx", args: ["server", "--", "gate"] } },
    });
  });
});

describe("wisp gate install", () => {
  it("writes paths for one person, whose client may have a short PATH, whatever the shell has", async () => {
    const at = desk();
    const path = put(at, { ...claude, text });
    const [bin, script] = ["bin", "wisp.cjs"].map((name) => join(at.person, name));
    mkdirSync(bin ?? "");
    writeFileSync(script ?? "", "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync(script ?? "", join(bin ?? "", "wisp"));
    const options = { program: { ...ownProgram, script: join(bin ?? "", "wisp") } };
    const { err } = await run(at, "install", "fs", {}, { ...options, environment: { PATH: bin ?? "" } });
    expect(JSON.parse(textAt(path))).toMatchObject({
      mcpServers: {
        fs: { command: "/opt/node", args: [script, "gate", "--name", "fs", "--", "npx", "-y", "server"] },
      },
    });
    expect(err).not.toContain("belongs to the project");
    await run(at, "uninstall", "fs");
    expect(textAt(path)).toBe(text);
  });

  it("writes the link called node where the file of Node has another name, and takes that away again", async () => {
    const at = desk();
    const path = put(at, { ...claude, text });
    const [bin, node] = [join(at.person, "bin"), join(at.person, "node-20")];
    mkdirSync(bin);
    writeFileSync(node, "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync(node, join(bin, "node"));
    const options = { program: { ...ownProgram, execPath: node }, environment: { PATH: bin } };
    await run(at, "install", "fs", {}, options);
    expect(textAt(path)).toContain(`"command": "${join(bin, "node")}"`);
    expect((await run(at, "uninstall", "fs", {}, options)).exit).toBe(0);
    expect(textAt(path)).toBe(text);
  });

  it("writes wisp for a project where that word leads here, else its path, and says what others need", async () => {
    const at = desk();
    const path = put(at, { at: "project", path: [".mcp.json"], text });
    const [bin, script, other] = ["bin", "wisp.cjs", "other"].map((name) => join(at.person, name));
    mkdirSync(bin ?? "");
    for (const one of [script, other]) writeFileSync(one ?? "", "#!/bin/sh\n", { mode: 0o755 });
    const program = { ...ownProgram, script: script ?? "" };
    const options = { program, environment: { PATH: bin ?? "" } };
    symlinkSync(script ?? "", join(bin ?? "", "wisp"));
    expect((await run(at, "install", "fs", {}, options)).err).toContain(
      "This file belongs to the project: everybody who has it needs wisp on the PATH of their client",
    );
    expect(JSON.parse(textAt(path))).toEqual({
      mcpServers: {
        fs: {
          command: "wisp",
          args: ["gate", "--name", "fs", "--", "npx", "-y", "server"],
          env: { WISP_HOME: at.home.path },
        },
      },
    });
    await run(at, "uninstall", "fs");
    rmSync(join(bin ?? "", "wisp"));
    symlinkSync(other ?? "", join(bin ?? "", "wisp"));
    expect((await run(at, "install", "fs", {}, options)).err).toContain("name a path of this machine");
    expect(textAt(path)).toContain(`"args": ["${script}", "gate", `);
    await run(at, "uninstall", "fs");
    expect(textAt(path)).toBe(text);
  });

  it("shows the lines that go and those that come, and no more than two around them", async () => {
    const at = desk();
    const secret = '"env": { "KEY": "do-not-show" }';
    const path = put(at, {
      ...claude,
      text: `{\n${secret.replace('"env"', '"x"')},\n"a": 1,\n"b": 2,\n${text.slice(2)}`,
    });
    const { err } = await run(at, "install", "fs");
    expect(err).toBe(
      `Claude Code (user): ${path}
@@ line 5 @@
   "mcpServers": {
     "fs": {
-      "command": "npx",
-      "args": ["-y", "server"]
+      "command": "/opt/node",
+      "args": ["/opt/wisp/dist/wisp.cjs", "gate", "--name", "fs", "--", "npx", "-y", "server"],
+      "env": { "WISP_HOME": "${at.home.path}" }
     }
   }
`,
    );
  });

  it("shows an indented line as it stands there, and cuts one that is longer than a screen", async () => {
    const at = desk();
    const args = ["x".repeat(5_000), "\u202e"];
    put(at, {
      ...claude,
      text: JSON.stringify({ mcpServers: { fs: { command: "npx", args } } }, null, "\t\t\t"),
    });
    const { err } = await run(at, "install", "fs", { answer: "n" });
    expect(err).toContain('\n-                  "command": "npx",\n');
    expect(err).toMatch(/\n {25}"x{399}… \(4603 more\)\n/);
  });

  it("gives any words back as they were", async () => {
    const words = fc.array(fc.string({ unit: "binary" }), { maxLength: 5 });
    const indent = fc.constantFrom(undefined, 1, 4, "\t");
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        words,
        indent,
        fc.boolean(),
        async (program, args, space, isKept) => {
          const at = desk();
          const server = { command: program, ...(args.length > 3 ? {} : { args }), other: [args] };
          const before = JSON.stringify(
            { a: args, mcpServers: { one: server, fs: server }, z: {} },
            null,
            space,
          );
          const path = put(at, { ...claude, text: before });
          fc.pre((await run(at, "install", "fs")).exit === 0);
          const installed = JSON.parse(textAt(path)) as {
            mcpServers: Record<string, { args: readonly string[] }>;
          };
          const { fs, ...others } = installed.mcpServers;
          expect(others).toEqual({ one: server });
          expect(fs?.args.slice(6)).toEqual(server.args ?? []);
          if (!isKept) rmSync(backupsOf(at), { recursive: true });
          expect((await run(at, "uninstall", "fs")).exit).toBe(0);
          if (isKept) expect(textAt(path)).toBe(before);
          else
            expect(JSON.parse(textAt(path))).toEqual({
              ...JSON.parse(before),
              mcpServers: { one: server, fs: { ...server, args: server.args ?? [] } },
            });
        },
      ),
      { numRuns: 40 },
    );
  });
});
