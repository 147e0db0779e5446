/** The library as it is published: its examples over stdio with a client of each era, its page, its types, its manners. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeAcceptedConfig } from "../support/config-files.js";
import { type Places, readAtOnce, textOf } from "../support/mcp-server.js";
import { answerDialog, askedIn2026, sendLeg } from "../support/modern-client.js";
import { test } from "../support/person.js";
import { type ServerProcess, showsForms, startServer } from "../support/raw-client.js";
import { ownPlaces } from "../support/served.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");

const yes = { action: "accept", content: { decision: "approve" } };

interface Started extends Places {
  readonly server: ServerProcess;
  /** A note that lies in its directory. */
  readonly note: string;
}

/** `config` is what stands in its home, which is made for it. */
function startExample(name: string, config: unknown = null): Started {
  const places = ownPlaces();
  if (config !== null) writeAcceptedConfig(places.home, config);
  const note = join(places.work, "list.txt");
  writeFileSync(note, "milk");
  const server = startServer([process.execPath, join(root, "examples", name)], {
    directory: places.work,
    environment: { HOME: places.root, WISP_HOME: places.home },
  });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return { ...places, server, note };
}

describe.each(["v1/main.mjs", "v2/main.mjs"])("the example %s", (name) => {
  it("erases a note after a yes in the dialog of 2025, makes nothing before, and ends with its client", async () => {
    const { server, note, home } = startExample(name);
    const { client, child } = server;
    await client.initialize({ capabilities: showsForms });
    expect(existsSync(home)).toBe(false);
    const call = client.call("erase_note", { file: note });
    const dialog = await client.firstOf("elicitation/create");
    expect(existsSync(note)).toBe(true);
    client.answer(dialog, yes);
    expect(textOf(await client.resultOf(call))).toBe(`Erased ${note}.`);
    expect(existsSync(note)).toBe(false);
    child.stdin?.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.strayLines).toEqual([]);
    expect(readdirSync(join(home, "pending"))).toEqual([]);
  });

  it("keeps a note that changed after it was shown; asked again, it erases it", async () => {
    const { server, note } = startExample(name, readAtOnce);
    const { client } = server;
    await client.initialize({ capabilities: showsForms });
    const call = client.call("erase_note", { file: note });
    const dialog = await client.firstOf("elicitation/create");
    writeFileSync(note, "milk, eggs");
    client.answer(dialog, yes);
    const result = await client.resultOf(call);
    expect(result).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "replay_drift" } } });
    expect(readFileSync(note, "utf8")).toBe("milk, eggs");
    const again = client.call("erase_note", { file: note });
    client.answer(
      await client.first((one) => one.method === "elicitation/create" && one.id !== dialog.id),
      yes,
    );
    expect(textOf(await client.resultOf(again))).toBe(`Erased ${note}.`);
  });

  test("lets a person at a terminal approve for a client without dialogs", async ({ person }) => {
    const { server, note, home } = startExample(name);
    const { client } = server;
    await client.initialize();
    const call = client.call("erase_note", { file: note });
    await expect
      .poll(() => (existsSync(join(home, "pending")) ? readdirSync(join(home, "pending")) : []))
      .toEqual([expect.stringContaining(".request.json")]);
    const [file = ""] = readdirSync(join(home, "pending"));
    await person.types(home, "approvals", "approve", file.split(".")[0] ?? "");
    expect(textOf(await client.resultOf(call))).toBe(`Erased ${note}.`);
  });
});

describe("the example v2/main.mjs", () => {
  it("erases a note after a yes in the dialog of 2026", async () => {
    const { server, note } = startExample("v2/main.mjs");
    const leg = { tool: "erase_note", args: { file: note } };
    const dialog = await askedIn2026(server.client, leg);
    expect(dialog.message).toContain("erase_note");
    expect(existsSync(note)).toBe(true);
    const result = await server.client.resultOf(answerDialog(server.client, leg, dialog, yes));
    expect(textOf(result)).toBe(`Erased ${note}.`);
    expect(existsSync(note)).toBe(false);
  });

  it("keeps a note after a no in the dialog of 2026, and erases another after a yes", async () => {
    const { server, note } = startExample("v2/main.mjs", readAtOnce);
    const { client } = server;
    const leg = { tool: "erase_note", args: { file: note } };
    const dialog = await askedIn2026(client, leg);
    const no = await client.resultOf(answerDialog(client, leg, dialog, { action: "decline" }));
    expect(no._meta).toMatchObject({ "wisp/refusal": { code: "approval_declined" } });
    expect(existsSync(note)).toBe(true);
    const other = { ...leg, args: { file: join(note, "..", "other.txt") } };
    writeFileSync(other.args.file, "");
    const second = await askedIn2026(client, other);
    expect(textOf(await client.resultOf(answerDialog(client, other, second, yes)))).toContain("Erased");
  });

  it("refuses what cannot be looked at, without asking anybody", async () => {
    const { server, note } = startExample("v2/main.mjs");
    const call = sendLeg(server.client, { tool: "erase_note", args: { file: `${note}.none` } });
    const result = await server.client.resultOf(call);
    expect(result._meta).toMatchObject({ "wisp/refusal": { code: "invalid_input" } });
    expect(textOf(result)).toContain("ENOENT");
  });
});

describe("docs/library.md", () => {
  const blocks = [...read("docs/library.md").matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);

  it("shows the example and its test as they stand, the server in at most forty lines", () => {
    const shown = ["notes.mjs", "main.mjs", "notes.test.mjs"];
    expect(blocks).toEqual(shown.map((name) => read(`examples/v2/${name}`)));
    expect(blocks[0]?.trim().split("\n").length).toBeLessThanOrEqual(40);
  });

  it("says how to install every package that these import, and this one by the name that it is packed under", () => {
    const { name, version } = JSON.parse(read("package.json")) as Record<"name" | "version", string>;
    const lines =
      read("docs/library.md")
        .match(/^npm install .*$/gm)
        ?.join(" ") ?? "";
    const installed = lines.split(" ").map((word) => word.replace(/(?<=.)@.*$/, "").replace(/^.*\//, "/"));
    expect(lines).toContain(`/${name}-${version}.tgz`);
    const imported = blocks.flatMap((code) => [...(code ?? "").matchAll(/from "((?:@[\w-]+\/)?[\w-]+)/g)]);
    const packages = new Set(imported.map(([, found = ""]) => found).filter((found) => found !== "node"));
    expect(packages.size).toBeGreaterThan(3);
    for (const one of packages) {
      if (one !== name) expect(installed, one).toContain(one.includes("/") ? one.replace(/^.*\//, "/") : one);
    }
  });

  it("shows a test that passes", () => {
    const output = execFileSync(process.execPath, ["--test", join(root, "examples/v2/notes.test.mjs")], {
      encoding: "utf8",
    });
    expect(output).toMatch(/^# pass 1$/m);
    expect(output).toMatch(/^# fail 0$/m);
  });
});

describe("the types", () => {
  it("fit servers of both majors, read as strictly as there is", () => {
    const directory = mkdtempSync(join(tmpdir(), "wisp-types-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const packages = join(directory, "node_modules");
    mkdirSync(packages);
    symlinkSync(root, join(packages, "wisp-broker"));
    for (const name of ["@modelcontextprotocol", "@types", "zod"]) {
      symlinkSync(join(root, "node_modules", name), join(packages, name));
    }
    writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
    const files = ["v1/main.mjs", "v2/notes.mjs"].map((name) => {
      const file = join(directory, `${name.replace("/", "-")}.ts`);
      writeFileSync(file, read(`examples/${name}`));
      return file;
    });
    const program = ts.createProgram(files, {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ["node"],
      typeRoots: [join(packages, "@types")],
    });
    const faults = ts.getPreEmitDiagnostics(program).map(({ messageText, file }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    expect(faults).toEqual([]);
  });
});

describe("a process that uses the library", () => {
  it("keeps its mask, its signals and its standard output, and ends when all is closed", () => {
    const { root: directory, home } = ownPlaces();
    const program = `
      import { createWisp } from "wisp-broker/mcp";
      process.umask(0o022);
      const names = ["SIGTERM", "SIGINT", "SIGHUP", "exit", "uncaughtException"];
      const counts = () => names.map((name) => process.listenerCount(name));
      const before = counts();
      const { write } = process.stdout;
      const client = { getClientCapabilities: () => ({}), getClientVersion: () => ({ name: "raw", version: "1" }) };
      const wisp = createWisp({ name: "notes", server: client, say: () => {} });
      const { signal } = new AbortController();
      const context = { signal, sendRequest: async () => ({}), sendNotification: async () => {} };
      const asking = wisp.ask(context, { tool: "erase", arguments: {} }, () => "done");
      setTimeout(() => wisp.close(), 300);
      const result = await asking;
      const added = counts().map((count, index) => count - before[index]);
      const isOwn = process.stdout.write === write;
      console.log(JSON.stringify({ umask: process.umask(), added, isOwn, code: result._meta["wisp/refusal"].code }));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: directory, WISP_HOME: home },
      timeout: 60_000,
    });
    const added = [0, 0, 0, 0, 0];
    expect(JSON.parse(output)).toEqual({ umask: 0o022, added, isOwn: true, code: "approval_withdrawn" });
  });
});
