/**
 * The import rules, each tried with a violation of every folder and package that it names. The trees are small copies of our folders in a scratch
 * directory, under the real configuration; packages are stubs that, like most of ours, are ESM only, because
 * a rule about a package that does not resolve passes in silence.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const configuration = join(root, ".dependency-cruiser.cjs");
const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

type Tree = Readonly<Record<string, string>>;

/** Folders of src/broker that hold implementations, each with a file of its own in the clean tree. */
const implementations: Readonly<Record<string, string>> = {
  channel: "directory",
  grants: "unspent",
  policy: "evaluate",
  audit: "log",
  notify: "desktop",
  identity: "process",
  facts: "store",
  gates: "pins-file",
  state: "work-tree",
  config: "load",
};
const implementationFiles = Object.entries(implementations).map(([folder, file]) => `${folder}/${file}`);

/** Every folder does what it may do at most, so that a rule that refuses too much fails here. */
const clean: Tree = {
  ...Object.fromEntries(
    implementationFiles.map((file) => [`src/broker/${file}.ts`, `export const ${file.split("/")[1]} = 1;`]),
  ),
  "src/broker/index.ts": ["request/request", "files/publish", "approval/race", "system/clock", "system/other"]
    .concat(implementationFiles)
    .map((file) => `export * from "./${file}.js";`)
    .join("\n"),
  "src/broker/request/request.ts": `
    import { createHash } from "node:crypto";
    import canonicalize from "canonicalize";
    import { id } from "./identifier.js";
    export const request = [createHash, canonicalize, id];`,
  "src/broker/request/identifier.ts": `export const id = 1;`,
  "src/broker/system/clock.ts": `import { randomBytes } from "node:crypto"; export const clock = randomBytes;`,
  "src/broker/system/other.ts": `import { clock } from "./clock.js"; export const other = clock;`,
  "src/broker/files/publish.ts": `
    import { openSync } from "node:fs";
    import { id } from "../request/identifier.js";
    import { clock } from "../system/clock.js";
    export const publish = [openSync, id, clock];`,
  "src/broker/channel/channel.ts": `import type { request } from "../request/request.js"; export type Channel = typeof request;`,
  "src/broker/channel/directory.ts": `
    import { publish } from "../files/publish.js";
    import { clock } from "../system/clock.js";
    import type { Channel } from "./channel.js";
    export const directory = (): [Channel?] => [publish, clock] as never;`,
  "src/broker/audit/audit-log.ts": `export interface AuditLog { append(): void }`,
  "src/broker/audit/log.ts": `import type { AuditLog } from "./audit-log.js"; export const log = null as AuditLog | null;`,
  "src/broker/grants/grant-store.ts": `export interface GrantStore { claim(): void }`,
  "src/broker/grants/unspent.ts": `import type { GrantStore } from "./grant-store.js"; export const unspent = null as GrantStore | null;`,
  "src/broker/notify/notifier.ts": `export interface Notifier { post(): void }`,
  "src/broker/notify/desktop.ts": `import type { Notifier } from "./notifier.js"; export const desktop = null as Notifier | null;`,
  "src/broker/policy/verdict.ts": `export type Verdict = "ask";`,
  "src/broker/policy/evaluate.ts": `import type { Verdict } from "./verdict.js"; export const evaluate = (): Verdict => "ask";`,
  "src/broker/approval/race.ts": `
    import type { AuditLog } from "../audit/audit-log.js";
    import type { Channel } from "../channel/channel.js";
    import type { GrantStore } from "../grants/grant-store.js";
    import type { Notifier } from "../notify/notifier.js";
    import type { Verdict } from "../policy/verdict.js";
    import { id } from "../request/identifier.js";
    import { clock } from "../system/clock.js";
    export const race = (x?: [AuditLog, Channel, GrantStore, Notifier, Verdict]) => [x, id, clock];`,
  "src/server/mcp/main.ts": `
    import { McpServer } from "@modelcontextprotocol/server";
    import { request } from "../../broker/index.js";
    export const main = [McpServer, request];`,
  "src/face/card.ts": `import { request } from "../broker/index.js"; export const card = request;`,
  "src/tui/main.ts": `
    import { request } from "../broker/index.js";
    import { card } from "../face/card.js";
    import type { Manner } from "./session.js";
    import { complain } from "./terminal/complain.js";
    export const main = (manner: Manner) => [request, card, manner, complain, import("./session.js")];`,
  "src/tui/session.ts": `
    import type { Picture } from "./picture.js";
    export type Manner = Picture | null;
    export const sit = () => import("./picture.js");`,
  "src/tui/terminal/complain.ts": `export const complain = 1;`,
  "src/tui/hooks/use-screen.ts": `import { useState } from "react"; export const useScreen = useState;`,
  "src/tui/picture.tsx": `
    import { render } from "ink";
    import { useState } from "react";
    import { useScreen } from "./hooks/use-screen.js";
    export type Picture = typeof render;
    export const picture = [render, useState, useScreen];`,
  "src/cli/main.ts": `
    import { request } from "../broker/index.js";
    import { card } from "../face/card.js";
    export const main = () => [request, card, import("./program.js"), import("../server/mcp/main.js"), import("../tui/main.js")];`,
  "src/cli/program.ts": `import { Command } from "commander"; export const program = new Command();`,
};

interface Plant {
  readonly rule: string;
  readonly from: string;
  /** The text of `from`, a new file that the tree's folder would otherwise allow. */
  readonly source: string;
  /** What the plant needs beside it. */
  readonly beside?: Tree;
}

/** A file that imports `module`, which is the violation. */
const planted = (rule: string, from: string, module: string): Plant => ({
  rule,
  from,
  source: `import * as planted from "${module}"; export const used = planted;`,
});

/** A violation for each of `targets`, from a file of its own in `folder`. */
const plantedEach = (rule: string, folder: string, targets: readonly string[]): readonly Plant[] =>
  targets.map((target, index) => planted(rule, `${folder}/${rule}-${index + 1}.ts`, target));

const toImplementations = implementationFiles.map((file) => `../${file}.js`);

const plants: readonly Plant[] = [
  {
    ...planted("no-cycles", "src/broker/request/circle.ts", "./circle-back.js"),
    beside: { "src/broker/request/circle-back.ts": `export * from "./circle.js";` },
  },
  ...plantedEach("request-is-pure", "src/broker/request", [
    "../system/clock.js",
    "../files/publish.js",
    "../approval/race.js",
    ...toImplementations,
    "zod",
    "zod/mini",
    "zodiac",
  ]),
  ...plantedEach("request-does-no-io", "src/broker/request", [
    ...["fs", "node:fs", "node:fs/promises", "node:net", "node:tls", "node:dgram", "node:dns", "node:http"],
    ...["node:https", "node:http2", "node:child_process", "node:worker_threads", "node:cluster", "node:os"],
    ...["node:process", "node:vm", "node:timers", "node:tty"],
  ]),
  ...plantedEach("system-stands-alone", "src/broker/system", [
    "../request/identifier.js",
    "../files/publish.js",
  ]),
  ...plantedEach("files-know-only-requests", "src/broker/files", [
    "../channel/channel.js",
    "../approval/race.js",
    "../system/other.js",
    ...toImplementations,
  ]),
  ...plantedEach("approval-knows-interfaces-only", "src/broker/approval", [
    "../files/publish.js",
    "../system/other.js",
    ...toImplementations,
  ]),
  // Each implementation reaches for the next.
  ...Object.keys(implementations).map((folder, index) =>
    planted(
      "implementations-stand-alone",
      `src/broker/${folder}/beside.ts`,
      toImplementations.at(index - 1) ?? "",
    ),
  ),
  planted("implementations-stand-alone", "src/broker/channel/claims.ts", "../audit/audit-log.js"),
  planted("implementations-stand-alone", "src/broker/audit/asks.ts", "../approval/race.js"),
  ...plantedEach("broker-knows-no-face", "src/broker", [
    ...["../server/mcp/main.js", "../cli/program.js", "../tui/main.js", "../face/card.js"],
    ...["@modelcontextprotocol/server", "@modelcontextprotocol/client", "ink", "react", "commander"],
  ]),
  planted("broker-by-its-door", "src/server/mcp/window-1.ts", "../../broker/channel/channel.js"),
  planted("broker-by-its-door", "src/cli/window-2.ts", "../broker/request/identifier.js"),
  planted("broker-by-its-door", "src/tui/window-3.tsx", "../broker/system/clock.js"),
  planted("broker-by-its-door", "src/face/window-4.ts", "../broker/channel/channel.js"),
  ...plantedEach("face-knows-no-face", "src/face", [
    ...["../cli/program.js", "../server/mcp/main.js", "../tui/main.js"],
  ]),
  planted("server-shares-nothing-with-faces", "src/server/mcp/shows.ts", "../../face/card.js"),
  ...plantedEach("faces-do-not-know-each-other", "src/server", ["../cli/program.js", "../tui/main.js"]),
  ...plantedEach("faces-do-not-know-each-other", "src/tui", ["../cli/program.js", "../server/mcp/main.js"]),
  {
    rule: "cli-only-starts-other-faces",
    from: "src/cli/uses-1.ts",
    source: `export const used = import("../server/mcp/peer.js");`,
    beside: { "src/server/mcp/peer.ts": `import { main } from "./main.js"; export const peer = main;` },
  },
  {
    rule: "cli-only-starts-other-faces",
    from: "src/cli/uses-2.ts",
    source: `export const used = import("../tui/app.js");`,
    beside: { "src/tui/app.tsx": `import { main } from "./main.js"; export const app = main;` },
  },
  ...plantedEach("cli-starts-other-faces-by-import-call", "src/cli", [
    "../server/mcp/main.js",
    "../tui/main.js",
  ]),
  planted("mcp-sdk-only-in-server", "src/cli/client-1.ts", "@modelcontextprotocol/server"),
  planted("mcp-sdk-only-in-server", "src/tui/client-2.tsx", "@modelcontextprotocol/client"),
  ...plantedEach("ink-only-in-tui", "src/cli", ["ink", "react"]),
  ...plantedEach("ink-only-in-tui", "src/server", ["ink", "react"]),
  ...plantedEach("ink-only-in-what-draws", "src/tui/state", ["ink", "react"]),
  ...plantedEach("what-draws-is-loaded-to-draw", "src/tui/terminal", [
    "../picture.js",
    "../hooks/use-screen.js",
  ]),
  {
    rule: "tui-starts-with-its-checks",
    from: "src/tui/main.ts",
    source: `import { sit } from "./session.js"; export const main = sit;`,
  },
  planted("commander-only-in-cli", "src/server/mcp/options-1.ts", "commander"),
  planted("commander-only-in-cli", "src/tui/options-2.tsx", "commander"),
  planted("nothing-for-developers-ships", "src/server/mcp/old-1.ts", "fast-check"),
  planted("nothing-for-developers-ships", "src/server/mcp/old-2.ts", "stowaway"),
  planted("everything-resolves", "src/server/mcp/missing.ts", "./not-there.js"),
  { rule: "no-orphans", from: "src/cli/alone.ts", source: `export const nobody = 1;` },
];

/** Packages by name; each offers its files to `import` only. */
const dependencies = [
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "canonicalize",
  "commander",
  "ink",
  "react",
  "zod",
  "zodiac",
];
const devDependencies = ["fast-check"];
/** Installed, and in no list: another package brought it. */
const undeclared = ["stowaway"];

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
  /** Only of a cycle: the files on it. It is reported for one of them. */
  readonly cycle?: readonly { readonly name: string }[];
}

const scratch: string[] = [];
afterAll(() => {
  for (const directory of scratch) rmSync(directory, { recursive: true, force: true });
});

function cruise(...trees: readonly Tree[]): readonly Violation[] {
  return cruiseOver(packageFiles(), ...trees);
}

function cruiseOver(...trees: readonly Tree[]): readonly Violation[] {
  const directory = mkdtempSync(join(tmpdir(), "wisp-rules-"));
  scratch.push(directory);
  for (const tree of trees) {
    for (const [name, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
  }
  cpSync(join(root, "tsconfig.json"), join(directory, "tsconfig.json"));
  const output = execFileSync(
    process.execPath,
    // The exit code of this reporter is 0 whatever it found.
    [program, "--config", configuration, "--output-type", "json", "src"],
    { cwd: directory, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
}

function packageFiles(): Tree {
  const version = "1.0.0";
  const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, version]));
  const files: Record<string, string> = {
    "package.json": JSON.stringify({
      name: "scratch",
      type: "module",
      dependencies: versions(dependencies),
      devDependencies: versions(devDependencies),
    }),
  };
  for (const name of [...dependencies, ...devDependencies, ...undeclared]) {
    const exports = { ".": { import: "./index.js" }, "./mini": { import: "./index.js" } };
    files[`node_modules/${name}/package.json`] = JSON.stringify({ name, version, type: "module", exports });
    files[`node_modules/${name}/index.js`] = "export {};";
  }
  return files;
}

describe("import rules", () => {
  let violations: readonly Violation[] = [];
  beforeAll(() => {
    violations = cruise(clean, ...plants.map(({ from, source, beside }) => ({ ...beside, [from]: source })));
  });

  it("a tree that keeps the rules is accepted", () => {
    expect(cruise(clean)).toEqual([]);
  });

  it.each(plants)("$rule refuses $from", ({ rule, from }) => {
    const found = violations.filter(
      (violation) => violation.from === from || violation.cycle?.some((file) => file.name === from),
    );
    expect(found.map((violation) => violation.rule.name)).toEqual([rule]);
  });

  it("without a manifest every package is refused, for nobody can say which of them ship", () => {
    const { "package.json": _manifest, ...rest } = packageFiles();
    const names = cruiseOver(rest, clean).map(({ rule, from }) => `${rule.name} ${from}`);
    expect(names).toContain("nothing-for-developers-ships src/cli/program.ts");
  });

  it("every rule of the configuration has a planted violation", () => {
    const { forbidden } = createRequire(import.meta.url)(configuration) as { forbidden: { name: string }[] };
    const names = forbidden.map((rule) => rule.name).sort();
    expect([...new Set(plants.map((plant) => plant.rule))].sort()).toEqual(names);
  });
});
