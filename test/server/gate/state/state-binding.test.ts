import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { BoundSpec } from "../../../../src/broker/request/state-spec.js";
import { changedTargets } from "../../../../src/server/gate/calls/state-binding.js";
import type { JsonObject } from "../../../../src/server/gate/frames/json-object.js";
import type { Probe } from "../../../../src/server/gate/state/probe.js";
import { createStateBinding } from "../../../../src/server/gate/state/state-binding.js";
import { gitIn, hasGit } from "../../../support/git-trees.js";
import { tempDirectory } from "../../../support/temp-home.js";

let root: string;
let answer: JsonObject;
let probed: string[];
beforeEach(() => {
  root = tempDirectory();
  answer = { content: [{ type: "text", text: "size 4" }] };
  probed = [];
  writeFileSync(join(root, "a.txt"), "one\n");
});

const signal = new AbortController().signal;

function binding() {
  const probe: Probe = async (tool, given) => {
    probed.push(`${tool} ${JSON.stringify(given)}`);
    return answer;
  };
  return createStateBinding({ directory: root, previewOf: () => null, probe });
}

const nothing: BoundSpec = { paths: [], git: [], probe: null };

async function look(spec: Partial<BoundSpec>, given: JsonObject) {
  return await binding().look({ ...nothing, ...spec }, { arguments: given }, signal);
}

/** What has changed between the ask and the yes, while `meanwhile` happened. */
async function drift(spec: Partial<BoundSpec>, given: JsonObject, meanwhile: () => void) {
  const before = await look(spec, given);
  meanwhile();
  return changedTargets(before, await look(spec, given));
}

const write = { path: "a.txt", text: "$.other" };
const paths = { paths: ["$.path"] };

describe("what an approval is bound to", () => {
  it("is nothing where a rule says so, and null where nobody says what it would be", async () => {
    expect(await binding().look("none", { arguments: {} }, signal)).toBe("none");
    expect(await binding().look(null, { arguments: {} }, signal)).toBeNull();
  });

  it("names the file by its absolute path, and drifts when that is written, gone, or a link", async () => {
    const file = join(root, "a.txt");
    expect(await look(paths, write)).toEqual([
      { target: file, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(await drift(paths, write, () => {})).toEqual([]);
    expect(await drift(paths, write, () => writeFileSync(file, "one\n"))).toEqual([]);
    expect(await drift(paths, write, () => writeFileSync(file, "two\n"))).toEqual([file]);
    const turned = (): void => {
      renameSync(file, join(root, "b.txt"));
      symlinkSync("b.txt", file);
    };
    expect(await drift(paths, write, turned)).toEqual([file]);
    expect(await drift(paths, write, () => unlinkSync(file))).toEqual([
      `${file}, which leads to ${join(root, "b.txt")}`,
    ]);
    expect(await drift(paths, write, () => writeFileSync(file, ""))).toEqual([file]);
  });

  it("is every path that a rule names, each once, also one that stands for itself", async () => {
    const spec = { paths: ["$.files[*].path", "lock", "$.path"] };
    const given = { ...write, files: [{ path: "a.txt" }, { path: "b.txt" }] };
    const bound = await look(spec, given);
    const names = ["a.txt", "b.txt", "lock"].map((name) => join(root, name));
    expect(bound === null || bound === "none" ? [] : bound.map(({ target }) => target)).toEqual(names);
    expect(await drift(spec, given, () => writeFileSync(join(root, "b.txt"), ""))).toEqual([names[1]]);
    expect(await drift(spec, given, () => writeFileSync(join(root, "lock"), ""))).toEqual([names[2]]);
  });

  it.skipIf(!hasGit)("is what is checked out and staged in a work tree", async () => {
    mkdirSync(join(root, "work"));
    const tree = join(root, "work");
    gitIn(tree, "init", "-b", "main");
    gitIn(tree, "commit", "--allow-empty", "-m", "first");
    const git = { git: ["$.repo"] };
    const given = { repo: "work" };
    expect(await drift(git, given, () => gitIn(tree, "status"))).toEqual([]);
    expect(await drift(git, given, () => gitIn(tree, "commit", "--allow-empty", "-m", "second"))).toEqual([
      `HEAD of ${tree}`,
    ]);
    writeFileSync(join(tree, "file"), "");
    expect(await drift(git, given, () => gitIn(tree, "add", "file"))).toEqual([`index of ${tree}`]);
  });

  it("is what the server says when it is asked, whatever goes with its answer", async () => {
    const spec = {
      probe: { tool: "info", arguments: { path: "$.path", deep: [{ also: "$.path" }], all: true } },
    };
    const noisy = (): void => {
      answer = { ...answer, _meta: { at: 1 } };
    };
    expect(await drift(spec, write, noisy)).toEqual([]);
    expect(probed).toEqual(Array(2).fill('info {"path":"a.txt","deep":[{"also":"a.txt"}],"all":true}'));
    const said = 'what info says of {"path":"a.txt","deep":[{"also":"a.txt"}],"all":true}';
    const other = (): void => {
      answer = { content: [{ type: "text", text: "size 5" }] };
    };
    expect(await drift(spec, write, other)).toEqual([said]);
    const structured = (): void => {
      answer = { ...answer, structuredContent: { size: 5 } };
    };
    expect(await drift(spec, write, structured)).toEqual([said]);
  });

  it.each([
    ["is missing", {}],
    ["is no text", { path: 1 }],
    ["is empty", { path: "" }],
    ["begins with ~, which servers read in ways of their own", { path: "~/a.txt" }],
    ["leads up, which a link makes another place", { path: "in/../a.txt" }],
    ["holds a NUL", { path: "a\0b" }],
    ["is not Unicode", { path: "\ud800" }],
  ])("is refused where the argument %s, and is there where it is a path", async (_, given) => {
    await expect(look(paths, given)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(look({ git: ["$.path"] }, given)).rejects.toMatchObject({ code: "invalid_input" });
    expect(await look(paths, { path: "a.txt" })).toHaveLength(1);
  });

  it("is refused where a path is relative and only the server knows to what; the same as an absolute one is bound", async () => {
    const probe: Probe = async () => answer;
    const states = createStateBinding({ directory: null, previewOf: () => null, probe });
    const bound = (path: string) => states.look({ ...nothing, ...paths }, { arguments: { path } }, signal);
    await expect(bound("a.txt")).rejects.toMatchObject({ code: "invalid_input" });
    expect(await bound(join(root, "a.txt"))).toEqual(await look(paths, write));
  });

  it("is refused where a list names nothing, or more than anybody looks at", async () => {
    const spec = { paths: ["$.paths[*]"] };
    const many = Array.from({ length: 501 }, (_, index) => `file-${index}`);
    await expect(look(spec, { paths: [] })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(look(spec, { paths: many })).rejects.toMatchObject({ code: "invalid_input" });
    expect(await look(spec, { paths: many.slice(1) })).toHaveLength(500);
  });

  it("is looked at no further once the call was cancelled, nor where the look itself is refused", async () => {
    const gone = AbortSignal.abort("gone");
    await expect(binding().look({ ...nothing, ...paths }, { arguments: write }, gone)).rejects.toBe("gone");
    const spec = { probe: { tool: "info", arguments: { path: "$.paths[*]" } } };
    await expect(look(spec, { paths: ["a", "b"] })).rejects.toMatchObject({ code: "invalid_input" });
    answer = { content: [{ type: "text", text: "\ud800" }] };
    await expect(look(spec, { paths: ["a"] })).rejects.toMatchObject({ code: "upstream_unavailable" });
    answer = { content: [] };
    expect(await look(spec, { paths: ["a"] })).toHaveLength(1);
  });
});
