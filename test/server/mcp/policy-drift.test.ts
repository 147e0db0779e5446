/** What was judged or approved, and is another file when it is to run. */
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { afterVerdict } from "../../support/after-verdict.js";
import {
  connectInMemory,
  type MemoryServer,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { acceptPolicy } from "../../support/policy-files.js";
import type { ToolResult } from "../../support/raw-client.js";
import { tempDirectory } from "../../support/temp-home.js";

async function run(server: MemoryServer, args: Record<string, unknown>): Promise<ToolResult> {
  return server.client.resultOf(server.client.call("run_command", args));
}

/** A program that says which one it is. */
function write(directory: string, says: string): void {
  const path = join(directory, "greet");
  rmSync(path, { force: true });
  writeFileSync(path, `#!/bin/sh\ntouch ran-${says}\necho ${says}\n`);
  chmodSync(path, 0o755);
}

/** Two directories on PATH, the program in the second; `afterVerdict` happens between the verdict and the run. */
async function greeting() {
  const hook = { afterVerdict: (): void => undefined };
  const [before, bin] = [tempDirectory(), tempDirectory()];
  write(bin, "first");
  const environment = { PATH: `${before}:${bin}:${process.env.PATH}` };
  const server = await connectInMemory(
    {},
    { environment, openRules: afterVerdict(() => hook.afterVerdict()) },
  );
  return { server, before, bin, hook };
}

const forms: readonly (readonly [string, Record<string, unknown>])[] = [
  ["words", { argv: ["greet"] }],
  ["a line of one command", { line: "greet" }],
];

describe.each(forms)("%s that a rule allows", (_what, args) => {
  test.each<readonly [string, (place: { before: string; bin: string }) => void]>([
    ["is another file", ({ bin }) => write(bin, "second")],
    ["is gone", ({ bin }) => rmSync(join(bin, "greet"))],
  ])("run nothing where the program %s by then; the next call is judged anew", async (_how, change) => {
    const { server, hook, ...place } = await greeting();
    await acceptPolicy(server.home, { allow: ["Bash(greet)"] });
    hook.afterVerdict = () => change(place);
    const drifted = await run(server, args);
    expect(drifted).toMatchObject({ isError: true, structuredContent: { outcome: "drifted" } });
    expect(existsSync(join(server.work, "ran-first"))).toBe(false);
    expect(existsSync(join(server.work, "ran-second"))).toBe(false);
    expect(server.face.audit().at(-1)).toMatchObject({
      kind: "effect.finished",
      details: { ending: "drifted" },
    });
    hook.afterVerdict = () => undefined;
    write(place.bin, "third");
    expect((await run(server, args)).structuredContent).toMatchObject({ via: "policy", stdout: "third\n" });
  });
});

test("a line that a person approved runs nothing where its word leads to another file by then", async () => {
  const { server, before } = await greeting();
  const { client, face } = server;
  const call = client.call("run_command", { line: "greet" }, withProgress);
  await waitingProgress(client);
  write(before, "planted");
  face.approve(face.only());
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "drifted" });
  expect(existsSync(join(server.work, "ran-planted"))).toBe(false);
  const again = client.call("run_command", { line: "greet" }, { progressToken: "again" });
  await waitingProgress(client, "again");
  face.approve(face.only());
  expect((await client.resultOf(again)).structuredContent).toMatchObject({ stdout: "planted\n" });
});

test("a yes for the session for a line is for the file that its word led to", async () => {
  const { server, bin } = await greeting();
  const { client, face } = server;
  const call = client.call("run_command", { line: "greet" }, withProgress);
  await waitingProgress(client);
  face.approve(face.only(), { scope: "session" });
  await client.resultOf(call);
  expect((await run(server, { line: "greet" })).structuredContent).toMatchObject({ scope: "session" });
  write(bin, "second");
  const again = client.call("run_command", { line: "greet" }, { progressToken: "again" });
  await waitingProgress(client, "again");
  face.approve(face.only());
  expect((await client.resultOf(again)).structuredContent).toMatchObject({ stdout: "second\n" });
});
