/** A call whose directory is a link, or leads through one: it is judged, shown, remembered and run where that leads. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { afterVerdict } from "../../support/after-verdict.js";
import { connectInMemory, type MemoryServer, waitingProgress } from "../../support/mcp-server.js";
import { acceptPolicy, writeProjectPolicy } from "../../support/policy-files.js";
import type { ToolResult } from "../../support/raw-client.js";
import { tempDirectory } from "../../support/temp-home.js";

/** Leaves a file where it runs. */
const marking = { argv: ["touch", "made"] };

let root: string;
let one: string;
let other: string;
let link: string;

beforeEach(() => {
  root = tempDirectory();
  [one, other, link] = [join(root, "one"), join(root, "other"), join(root, "link")];
  mkdirSync(one);
  mkdirSync(other);
  symlinkSync(one, link);
});

function turnLink(): void {
  rmSync(link);
  symlinkSync(other, link);
}

/** The other directory takes the place of the first. */
function exchange(): void {
  renameSync(one, join(root, "moved"));
  renameSync(other, one);
}

/** Where the command ran. */
function marks(): readonly string[] {
  return ["one", "other", "moved"].filter((name) => existsSync(join(root, name, "made")));
}

async function run(server: MemoryServer, directory = link): Promise<ToolResult> {
  return server.client.resultOf(server.client.call("run_command", { ...marking, directory }));
}

/** Asked about; `meanwhile` happens before the person says yes. */
async function asked(server: MemoryServer, words = {}, meanwhile = (): void => undefined) {
  const { client, face } = server;
  const progressToken = `p${Math.random()}`;
  const call = client.call("run_command", { ...marking, directory: link }, { progressToken });
  await waitingProgress(client, progressToken);
  const request = face.only();
  meanwhile();
  face.approve(request, words);
  return { request, result: await client.resultOf(call) };
}

describe("a link that is turned", () => {
  test("between the question and the yes leads the yes nowhere else: it runs where it was shown", async () => {
    const { request, result } = await asked(await connectInMemory(), {}, turnLink);
    expect(request).toMatchObject({ subject: { directory: one } });
    expect(result.structuredContent).toMatchObject({ outcome: "approved", exitCode: 0 });
    expect(marks()).toEqual(["one"]);
  });

  test("between the verdict and the run leads what a rule lets through nowhere else", async () => {
    const server = await connectInMemory({}, { openRules: afterVerdict(turnLink) });
    await acceptPolicy(server.home, { allow: ["Bash(touch *)"] });
    writeProjectPolicy(other, { deny: ["Bash(touch *)"] });
    expect((await run(server)).structuredContent).toMatchObject({ via: "policy" });
    expect(marks()).toEqual(["one"]);
    // It leads there by now, and is judged by the rules of that project.
    expect((await run(server)).structuredContent).toMatchObject({ code: "policy_refused" });
  });

  test("leads a yes for the project to no other", async () => {
    const server = await connectInMemory();
    const { request } = await asked(server, { scope: "project" });
    expect((await run(server)).structuredContent).toMatchObject({ scope: "project", request: request.id });
    expect((await run(server, one)).structuredContent).toMatchObject({ scope: "project" });
    rmSync(join(one, "made"));
    turnLink();
    const again = await asked(server);
    expect(again.request.reasons.join()).toContain("a remembered rule does not fit: another directory");
    expect(marks()).toEqual(["other"]);
    expect((await run(server, one)).structuredContent).toMatchObject({ scope: "project" });
  });

  test("leads a yes for the session to no other", async () => {
    const server = await connectInMemory();
    await asked(server, { scope: "session" });
    expect((await run(server)).structuredContent).toMatchObject({ scope: "session" });
    turnLink();
    expect((await asked(server)).request).toMatchObject({ subject: { directory: other } });
  });
});

describe("a directory that another one takes the place of", () => {
  test("between the verdict and the run runs nothing, and the next call is judged anew", async () => {
    let change = exchange;
    const server = await connectInMemory({}, { openRules: afterVerdict(() => change()) });
    await acceptPolicy(server.home, { allow: ["Bash(touch *)"] });
    expect((await run(server)).structuredContent).toMatchObject({ outcome: "drifted" });
    expect(marks()).toEqual([]);
    change = () => undefined;
    expect((await run(server)).structuredContent).toMatchObject({ via: "policy", exitCode: 0 });
  });

  test("between the question and the yes runs nothing, and the same call is asked about again", async () => {
    const server = await connectInMemory();
    expect((await asked(server, {}, exchange)).result.structuredContent).toMatchObject({
      outcome: "drifted",
    });
    expect(marks()).toEqual([]);
    expect((await asked(server)).result.structuredContent).toMatchObject({ outcome: "approved" });
  });
});

test("a project denies in a directory that is reached by a link, and another project does not", async () => {
  const server = await connectInMemory();
  await acceptPolicy(server.home, { allow: ["Bash(touch *)"] });
  writeProjectPolicy(one, { deny: ["Bash(touch *)"] });
  mkdirSync(join(one, "below"));
  for (const directory of [link, join(link, "below"), join(link, "..", "link")]) {
    expect((await run(server, directory)).structuredContent).toMatchObject({ code: "policy_refused" });
  }
  turnLink();
  expect((await run(server)).structuredContent).toMatchObject({ via: "policy" });
});
