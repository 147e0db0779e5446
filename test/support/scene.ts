/** A home with its configuration, and built servers on it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { runBare, wispOn, wispProgram } from "./built.js";
import { writeAcceptedConfig } from "./config-files.js";
import { startServer } from "./raw-client.js";
import { tempDirectory } from "./temp-home.js";

/** A directory in which commands run, and a home. */
export interface Scene {
  readonly directory: string;
  readonly home: Home;
}

/** A home in which requests are asked as `approval` says. */
export function scene(approval: object): Scene {
  const directory = tempDirectory();
  const home = homeAt(join(directory, "home"), false);
  mkdirSync(home.path, { mode: 0o700 });
  writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
  writeAcceptedConfig(home.path, { approval });
  return { directory, home };
}

/** A server of its own, greeted; what it is asked to run it runs in the scene's directory. */
export async function serve({ directory, home }: Scene, ...words: readonly string[]) {
  const environment = { HOME: directory, WISP_HOME: home.path };
  const server = startServer([process.execPath, wispProgram, "mcp", ...words], { directory, environment });
  const kill = async (): Promise<void> => {
    server.child.kill("SIGKILL");
    await server.ended;
  };
  onTestFinished(kill);
  await server.client.initialize();
  const run = async (...argv: readonly string[]) => {
    const { structuredContent } = await server.client.resultOf(server.client.call("run_command", { argv }));
    return structuredContent ?? {};
  };
  return { run, kill };
}

/** What `wisp approvals` with `words` lists. */
export async function listed(
  { home }: Scene,
  ...words: readonly string[]
): Promise<readonly ApprovalRequest[]> {
  const { out } = await runBare(wispOn(home, "approvals", ...words, "--json"));
  const { requests, grants } = JSON.parse(out);
  return requests ?? grants;
}
