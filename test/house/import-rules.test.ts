/**
 * The import rules, each tried with a violation. The trees are small copies of our folders in a scratch
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

/** Every folder does what it may do at most, so that a rule that refuses too much fails here. */
const clean: Tree = {
  "src/broker/index.ts": `
    export * from "./request/request.js";
    export * from "./files/publish.js";
    export * from "./channel/directory.js";
    export * from "./audit/log.js";
    export * from "./approval/race.js";
    export * from "./system/clock.js";
    export * from "./policy/evaluate.js";
    export * from "./notify/desktop.js";`,
  "src/broker/request/request.ts": `
    import { createHash } from "node:crypto";
    import canonicalize from "canonicalize";
    import * as z from "zod/mini";
    import { id } from "./identifier.js";
    export const request = [createHash, canonicalize, z, id];`,
  "src/broker/request/identifier.ts": `export const id = 1;`,
  "src/broker/system/clock.ts": `import { randomBytes } from "node:crypto"; export const clock = randomBytes;`,
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
  "src/broker/notify/notifier.ts": `export interface Notifier { post(): void }`,
  "src/broker/notify/desktop.ts": `import type { Notifier } from "./notifier.js"; export const desktop = null as Notifier | null;`,
  "src/broker/policy/verdict.ts": `export type Verdict = "ask";`,
  "src/broker/policy/evaluate.ts": `import type { Verdict } from "./verdict.js"; export const evaluate = (): Verdict => "ask";`,
  "src/broker/approval/race.ts": `
    import type { AuditLog } from "../audit/audit-log.js";
    import type { Channel } from "../channel/channel.js";
    import type { Notifier } from "../notify/notifier.js";
    import type { Verdict } from "../policy/verdict.js";
    import { id } from "../request/identifier.js";
    import { clock } from "../system/clock.js";
    export const race = (x?: [AuditLog, Channel, Notifier, Verdict]) => [x, id, clock];`,
  "src/server/mcp/main.ts": `
    import { McpServer } from "@modelcontextprotocol/server";
    import { request } from "../../broker/index.js";
    export const main = [McpServer, request];`,
  "src/tui/main.tsx": `
    import { render } from "ink";
    import { useState } from "react";
    import { request } from "../broker/index.js";
    export const main = [render, useState, request];`,
  "src/cli/main.ts": `
    import { request } from "../broker/index.js";
    export const main = () => [request, import("./program.js"), import("../server/mcp/main.js"), import("../tui/main.js")];`,
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

const plants: readonly Plant[] = [
  {
    ...planted("no-cycles", "src/broker/request/circle.ts", "./circle-back.js"),
    beside: { "src/broker/request/circle-back.ts": `export * from "./circle.js";` },
  },
  planted("request-is-pure", "src/broker/request/pure-1.ts", "../system/clock.js"),
  planted("request-is-pure", "src/broker/request/pure-2.ts", "zodiac"),
  planted("request-does-no-io", "src/broker/request/io.ts", "node:fs"),
  planted("system-stands-alone", "src/broker/system/alone.ts", "../request/identifier.js"),
  planted("files-know-only-requests", "src/broker/files/upwards-1.ts", "../channel/channel.js"),
  planted("files-know-only-requests", "src/broker/files/upwards-2.ts", "../approval/race.js"),
  planted("approval-knows-interfaces-only", "src/broker/approval/inside-1.ts", "../channel/directory.js"),
  planted("approval-knows-interfaces-only", "src/broker/approval/inside-2.ts", "../audit/log.js"),
  planted("approval-knows-interfaces-only", "src/broker/approval/inside-3.ts", "../files/publish.js"),
  planted("implementations-stand-alone", "src/broker/channel/beside-1.ts", "../audit/audit-log.js"),
  planted("implementations-stand-alone", "src/broker/audit/beside-2.ts", "../approval/race.js"),
  planted("implementations-stand-alone", "src/broker/notify/beside-3.ts", "../channel/channel.js"),
  planted("broker-knows-no-face", "src/broker/face-1.ts", "../server/mcp/main.js"),
  planted("broker-knows-no-face", "src/broker/face-2.ts", "@modelcontextprotocol/server"),
  planted("broker-knows-no-face", "src/broker/face-3.ts", "ink"),
  planted("broker-knows-no-face", "src/broker/face-4.ts", "commander"),
  planted("broker-by-its-door", "src/server/mcp/window-1.ts", "../../broker/channel/channel.js"),
  planted("broker-by-its-door", "src/cli/window-2.ts", "../broker/request/identifier.js"),
  planted("broker-by-its-door", "src/tui/window-3.tsx", "../broker/system/clock.js"),
  planted("faces-do-not-know-each-other", "src/server/neighbour-1.ts", "../cli/program.js"),
  planted("faces-do-not-know-each-other", "src/tui/neighbour-2.tsx", "../server/mcp/main.js"),
  {
    rule: "cli-only-starts-other-faces",
    from: "src/cli/uses.ts",
    source: `export const used = import("../server/mcp/peer.js");`,
    beside: { "src/server/mcp/peer.ts": `import { main } from "./main.js"; export const peer = main;` },
  },
  planted("cli-starts-other-faces-by-import-call", "src/cli/eager.ts", "../server/mcp/main.js"),
  planted("mcp-sdk-only-in-server", "src/cli/client.ts", "@modelcontextprotocol/server"),
  planted("mcp-sdk-only-in-server", "src/tui/client.tsx", "@modelcontextprotocol/server"),
  planted("ink-only-in-tui", "src/cli/screen-1.ts", "ink"),
  planted("ink-only-in-tui", "src/server/screen-2.ts", "react"),
  planted("commander-only-in-cli", "src/server/mcp/options.ts", "commander"),
  planted("nothing-for-developers-ships", "src/server/mcp/old.ts", "fast-check"),
  planted("everything-resolves", "src/server/mcp/missing.ts", "./not-there.js"),
  { rule: "no-orphans", from: "src/cli/alone.ts", source: `export const nobody = 1;` },
];

/** Packages by name; each offers its files to `import` only. */
const dependencies = [
  "@modelcontextprotocol/server",
  "canonicalize",
  "commander",
  "ink",
  "react",
  "zod",
  "zodiac",
];
const devDependencies = ["fast-check"];

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
  const directory = mkdtempSync(join(tmpdir(), "wisp-rules-"));
  scratch.push(directory);
  for (const tree of [packageFiles(), ...trees]) {
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
  for (const name of [...dependencies, ...devDependencies]) {
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

  it("every rule of the configuration has a planted violation", () => {
    const { forbidden } = createRequire(import.meta.url)(configuration) as { forbidden: { name: string }[] };
    const names = forbidden.map((rule) => rule.name).sort();
    expect([...new Set(plants.map((plant) => plant.rule))].sort()).toEqual(names);
  });
});
