/** What a yes rests on, and what becomes of it where that changes between the ask and the yes: through the whole gate. */
import { existsSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createGatePolicy } from "../../../src/server/gate/calls/create-gate-policy.js";
import { createPins } from "../../../src/server/gate/state/gate-pins.js";
import { createStateBinding } from "../../../src/server/gate/state/state-binding.js";
import { revisions } from "../../support/era-call.js";
import { gitIn, hasGit } from "../../support/git-trees.js";
import { makePlaces, waitingProgress } from "../../support/mcp-server.js";
import { gatedServer, type MemoryGate, openGateIn } from "../../support/memory-gate.js";
import { PinsHome } from "../../support/pins-home.js";
import { acceptPolicy } from "../../support/policy-files.js";
import { done, writeFile } from "../../support/scripted-upstream.js";

type State = Readonly<Record<string, unknown>>;

const writing = "mcp__fs__write_file";

/** A gate whose rules bind `write_file` to `state`, before a home and a directory with the file `a`. */
async function boundGate(revision: (typeof revisions)[number], state: State, allow: readonly unknown[] = []) {
  const places = makePlaces();
  const { work } = places;
  const file = join(work, "a");
  writeFileSync(file, "one\n");
  await acceptPolicy(places.home, { ask: [{ rule: writing, state }], allow });
  const home = new PinsHome(places.home);
  const pins = createPins(home.open());
  const policy = createGatePolicy({
    ...{ server: gatedServer, preset: null, isReadOnly: false, directory: work, pins },
    areHintsTrusted: () => false,
  });
  const previewOf = () => ({ target: "$.path", content: "$.content" });
  const memory = await openGateIn(revision, {
    ...{ capabilities: {}, places, policy, pins },
    states: (probe) => createStateBinding({ directory: work, previewOf, probe }),
  });
  return { memory, work, file, home };
}

/** Asks, does `meanwhile`, says yes, and gives what the caller gets. */
async function approved(memory: MemoryGate, given: object, meanwhile: () => void, token = "p") {
  const call = memory.call(given as Readonly<Record<string, unknown>>, token);
  await waitingProgress(memory.client, token);
  const asked = memory.face.only();
  meanwhile();
  memory.face.approve(asked);
  return { asked, result: await call.result() };
}

const given = { path: "a", content: "two\n" };

/** What happens to the file, and how it is told. */
const changes: readonly (readonly [string, (file: string) => void])[] = [
  ["is written", (file) => writeFileSync(file, "other\n")],
  ["is replaced by a link to a file with the same bytes", (file) => linked(file)],
  ["is gone", (file) => unlinkSync(file)],
];

function linked(file: string): void {
  renameSync(file, `${file}.moved`);
  symlinkSync(`${file}.moved`, file);
}

describe.each(revisions)("in %s", (revision) => {
  test.each(changes)(
    "a call is not sent when its file %s before the yes; asked anew it is",
    async (_, change) => {
      const { memory, file } = await boundGate(revision, { paths: ["$.path"] });
      const { asked, result } = await approved(memory, given, () => change(file));
      expect(asked.subject).toMatchObject({ state: { bound: [{ target: file }] } });
      expect(result).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "replay_drift" } } });
      expect(JSON.stringify(result.content)).toContain(file);
      expect(memory.upstream.calls).toEqual([]);
      expect((await approved(memory, given, () => {}, "q")).result).toEqual(done);
      expect(memory.upstream.calls).toHaveLength(1);
    },
  );
});

describe("a call", () => {
  const last = "2025-11-25";

  test("shows the file that it would replace, and is sent when that is saved with the same bytes", async () => {
    const { memory, file } = await boundGate(last, { paths: ["$.path"] });
    const { asked, result } = await approved(memory, given, () => {
      writeFileSync(`${file}.new`, "one\n");
      renameSync(`${file}.new`, file);
    });
    expect(asked.subject).toMatchObject({
      preview: [{ target: file, kind: "replace", before: { text: "one\n" }, after: { text: "two\n" } }],
    });
    expect(result).toEqual(done);
  });

  test("is not sent when a file appears where none was", async () => {
    const { memory, work } = await boundGate(last, { paths: ["$.path"] });
    const made = { ...given, path: "new" };
    const { asked, result } = await approved(memory, made, () => writeFileSync(join(work, "new"), ""));
    expect(asked.subject).toMatchObject({ preview: [{ kind: "create", before: null }] });
    expect(JSON.stringify(result)).toContain("replay_drift");
    expect(memory.upstream.calls).toEqual([]);
    expect((await approved(memory, made, () => {}, "q")).result).toEqual(done);
  });

  test.skipIf(!hasGit)("is not sent when something else is checked out", async () => {
    const { memory, work } = await boundGate(last, { git: "$.repo" });
    gitIn(work, "init", "-b", "main");
    gitIn(work, "commit", "--allow-empty", "-m", "first");
    const wanted = { repo: work };
    const commit = (): void => gitIn(work, "commit", "--allow-empty", "-m", "second");
    const { result } = await approved(memory, wanted, commit);
    expect(JSON.stringify(result)).toContain(`HEAD of ${work}`);
    expect((await approved(memory, wanted, () => gitIn(work, "status"), "q")).result).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
  });

  test.skipIf(!hasGit)("asks and is sent without that anything of its repository is run", async () => {
    const { memory, work } = await boundGate(last, { git: "$.repo" });
    const program = join(work, "run.sh");
    const mark = join(work, "ran");
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    gitIn(work, "init", "-b", "main");
    gitIn(work, "add", "a");
    gitIn(work, "commit", "-m", "first");
    for (const key of ["fsmonitor", "sshCommand", "pager", "editor"]) {
      gitIn(work, "config", `core.${key}`, program);
    }
    gitIn(work, "config", "filter.x.clean", program);
    gitIn(work, "config", "alias.rev-parse", `!${program}`);
    gitIn(work, "config", "core.hooksPath", work);
    writeFileSync(join(work, ".gitattributes"), "* filter=x diff=x\n");
    writeFileSync(join(work, "post-index-change"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const { result } = await approved(memory, { repo: work }, () => undefined);
    expect(result).toEqual(done);
    expect(existsSync(mark)).toBe(false);
    // The same configuration does run it where git is asked as anybody asks it.
    gitIn(work, "status");
    expect(existsSync(mark)).toBe(true);
  });

  test("is not sent when the server says something else of what it is about", async () => {
    const probe = { tool: "read_file", args: { path: "$.path" } };
    const { memory } = await boundGate(last, probe, ["mcp__fs__read_file"]);
    let size = 4;
    memory.upstream.onCall = ({ params }) =>
      params?.name === "read_file" ? { content: [{ type: "text", text: `${size} bytes` }] } : done;
    const sent = () => memory.upstream.calls.map(({ params }) => params?.name);
    const { result } = await approved(memory, given, () => {
      size = 5;
    });
    expect(JSON.stringify(result)).toContain("what read_file says of");
    expect(sent()).toEqual(["read_file", "read_file"]);
    expect((await approved(memory, given, () => {}, "q")).result).toEqual(done);
    expect(sent().at(-1)).toBe("write_file");
  });

  test("has each look at what it is about written down as a call, and none is made while that cannot be", async () => {
    const probe = { tool: "read_file", args: { path: "$.path" } };
    const { memory } = await boundGate(last, probe, ["mcp__fs__read_file"]);
    memory.failing = "durable";
    const refused = await memory.call(given, "p").result();
    expect(refused).toMatchObject({ _meta: { "wisp/refusal": { code: "audit_unavailable" } } });
    expect(memory.upstream.calls).toEqual([]);
    memory.failing = "none";
    expect((await approved(memory, given, () => {}, "q")).result).toEqual(done);
    await memory.gate.close("the test looks at the log");
    const passed = memory.face.audit().filter(({ kind }) => kind === "call.passed");
    const looked = { verified: { server: "fs", tool: "read_file" }, selfReported: { client: null } };
    expect(passed).toMatchObject([looked, looked]);
  });

  test.each([
    ["asks for more first", { resultType: "input_required", inputRequests: {}, requestState: "s" }],
    ["is a task", { task: { taskId: "t", status: "working" } }],
  ])("is refused where the answer that would say what it is about %s", async (_what, answer) => {
    const probe = { tool: "read_file", args: { path: "$.path" } };
    const { memory } = await boundGate(last, probe, ["mcp__fs__read_file"]);
    let isWhole = false;
    memory.upstream.onCall = ({ params }) => (params?.name === "write_file" || isWhole ? done : answer);
    const refused = await memory.call(given, "p").result();
    expect(refused).toMatchObject({ _meta: { "wisp/refusal": { code: "upstream_unavailable" } } });
    expect(memory.face.waiting()).toEqual([]);
    isWhole = true;
    expect((await approved(memory, given, () => {}, "q")).result).toEqual(done);
  });

  test("is refused where no rule lets through what would say what it is about; nobody is asked", async () => {
    const probe = { tool: "read_file", args: { path: "$.path" } };
    const { memory, home } = await boundGate(last, probe);
    const refused = await memory.call(given, "p").result();
    expect(refused).toMatchObject({ _meta: { "wisp/refusal": { code: "policy_refused" } } });
    expect(memory.face.waiting()).toEqual([]);
    expect(memory.upstream.calls).toEqual([]);
    await acceptPolicy(home.path, { ask: [{ rule: writing, state: probe }], allow: ["mcp__fs__read_file"] });
    expect((await approved(memory, given, () => {}, "q")).result).toEqual(done);
  });

  test("that a rule allows asks once its server says something else of the tool, shows both, and then passes", async () => {
    const { memory, home } = await boundGate(last, { paths: ["$.path"] });
    await acceptPolicy(home.path, { allow: [writing] });
    expect(await memory.call(given, "p").result()).toEqual(done);
    memory.upstream.tools = [{ ...writeFile, description: "Writes a file, and sends it away." }];
    memory.upstream.says(JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
    await memory.client.first(({ method }) => method === "notifications/tools/list_changed");
    const { asked, result } = await approved(memory, given, () => {}, "q");
    expect(asked.subject).toMatchObject({
      definition: {
        before: expect.stringContaining("Writes a file."),
        after: expect.stringContaining("sends it away"),
      },
    });
    expect(result).toEqual(done);
    expect(await memory.call(given, "r").result()).toEqual(done);
  });

  test("that a rule allows asks once somebody changed what is pinned, and then passes", async () => {
    const { memory, home } = await boundGate(last, { paths: ["$.path"] });
    await acceptPolicy(home.path, { allow: [writing] });
    expect(await memory.call(given, "p").result()).toEqual(done);
    home.write(home.text().replace("Writes a file.", "Writes no file."));
    const { asked, result } = await approved(memory, given, () => {}, "q");
    expect(asked.reasons.join()).toContain("gates/fs.json: its seal is not ours");
    expect(result).toEqual(done);
    expect(await memory.call(given, "r").result()).toEqual(done);
  });
});
