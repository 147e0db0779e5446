import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../../../src/broker/request/long-text.js";
import type { PreviewSpec } from "../../../../src/broker/request/preview-spec.js";
import { largestHashed } from "../../../../src/broker/state/file-content.js";
import { previewsOf as previewed } from "../../../../src/server/gate/state/preview.js";
import { tempDirectory } from "../../../support/temp-home.js";

let root: string;
let file: string;
beforeEach(() => {
  root = tempDirectory();
  file = join(root, "a.txt");
  writeFileSync(file, "one\n");
});

const previewsOf = async (...asked: Parameters<typeof previewed>) => {
  const { files } = await previewed(...asked);
  return files.length === 0 ? null : files;
};

const writing: PreviewSpec = { target: "$.path", content: "$.content" };
const deleting: PreviewSpec = { target: "$.path", content: null };
const moving: PreviewSpec = { source: "$.path", target: "$.to" };

const editing: PreviewSpec = { target: "$.path", edits: "$.edits[*]" };

const side = (text: string) => ({ bytes: Buffer.byteLength(text), sha256: sha256Hex(text), text });
const given = { path: "a.txt", content: "two\n", to: "b.txt" };

describe("what a call would make of files", () => {
  it("is the text that is replaced beside the new one, also where a link leads to it", async () => {
    const replace = { target: file, kind: "replace", before: side("one\n"), after: side("two\n") };
    expect(await previewsOf(writing, given, root)).toEqual([replace]);
    symlinkSync("a.txt", join(root, "link"));
    const linked = { ...replace, target: join(root, "link") };
    expect(await previewsOf(writing, { ...given, path: "link" }, root)).toEqual([linked]);
  });

  it("is a new file where there is none, and a file that goes", async () => {
    const target = join(root, "b.txt");
    expect(await previewsOf(writing, { ...given, path: "b.txt" }, root)).toEqual([
      { target, kind: "create", before: null, after: side("two\n") },
    ]);
    expect(await previewsOf(deleting, given, root)).toEqual([
      { target: file, kind: "delete", before: side("one\n"), after: null },
    ]);
    expect(await previewsOf(deleting, { path: "b.txt" }, root)).toBeNull();
  });

  it("is both ends of a move, and the file that it would replace", async () => {
    const gone = { target: file, kind: "delete", before: side("one\n"), after: null };
    const target = join(root, "b.txt");
    const create = { target, kind: "create", before: null, after: side("one\n") };
    expect(await previewsOf(moving, given, root)).toEqual([gone, create]);
    writeFileSync(target, "there\n");
    expect(await previewsOf(moving, given, root)).toEqual([
      gone,
      { ...create, kind: "replace", before: side("there\n") },
    ]);
  });

  it("tells what is no text, and what would not fit a request, by size and hash", async () => {
    const bytes = Buffer.from([0xff, 0x00]);
    writeFileSync(file, bytes);
    const [binary] = (await previewsOf(writing, given, root)) ?? [];
    expect(binary?.before).toMatchObject({ bytes: 2, text: null });
    writeFileSync(file, "a\0b");
    const [nul] = (await previewsOf(writing, given, root)) ?? [];
    expect(nul?.before).toEqual({ ...side("a\0b"), text: null });
    const long = "x".repeat(40_000);
    writeFileSync(file, long);
    const [large] = (await previewsOf(writing, { ...given, content: long }, root)) ?? [];
    expect([large?.before, large?.after]).toEqual(Array(2).fill({ ...side(long), text: null }));
    truncateSync(file, 65 * 1024 * 1024);
    const [huge] = (await previewsOf(writing, given, root)) ?? [];
    expect(huge).toMatchObject({ kind: "replace", before: null, after: { text: "two\n" } });
  });

  it("leaves room for arguments that fill the request", async () => {
    const content = "y".repeat(150 * 1024);
    writeFileSync(file, "z".repeat(10_000));
    const [one] = (await previewsOf(writing, { ...given, content }, root)) ?? [];
    expect([one?.before?.text, one?.after?.text]).toEqual([null, null]);
    const [short] = (await previewsOf(writing, given, root)) ?? [];
    expect(short?.before?.text).toHaveLength(10_000);
  });

  it.each([
    ["the path is missing", { content: "two\n" }],
    ["the path is none", { path: "~/a.txt", content: "two\n" }],
    ["the text is none", { path: "a.txt", content: 1 }],
    ["a directory is there", { path: "in", content: "two\n" }],
  ])("is unknown where %s", async (_, other) => {
    mkdirSync(join(root, "in"));
    expect(await previewsOf(writing, other, root)).toBeNull();
    expect(await previewsOf(writing, given, root)).toHaveLength(1);
  });

  it("is a file as edits leave it", async () => {
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two\n", newText: "two\nthree\n" },
    ];
    expect(await previewed(editing, { path: "a.txt", edits }, root)).toEqual({
      files: [{ target: file, kind: "replace", before: side("one\n"), after: side("two\nthree\n") }],
      notes: [],
    });
  });

  it("says which edit does not match, and what keeps it from being told", async () => {
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "one", newText: "three" },
    ];
    const noted = async (given: object) => await previewed(editing, { path: "a.txt", edits, ...given }, root);
    expect(await noted({})).toEqual({
      files: [],
      notes: ["edit 2 of 2 does not match the file as it is now, so nothing would change"],
    });
    expect((await noted({ path: "missing" })).notes).toEqual(["there is no file, so no edit applies"]);
    expect((await noted({ edits: [{ oldText: "one" }] })).files).toEqual([]);
    writeFileSync(file, Buffer.from([0xff, 0xfe]));
    expect((await noted({})).notes).toEqual([
      "the file is no text, so what the edits make of it is not shown",
    ]);
    writeFileSync(file, "x".repeat(1024 * 1024 + 1));
    expect((await noted({})).notes).toEqual([
      "the file is too large, so what the edits make of it is not shown",
    ]);
    writeFileSync(file, "one one\n");
    expect(await noted({})).toMatchObject({ files: [{ after: side("two three\n") }], notes: [] });
  });

  it("says how much is in a directory that is moved, and that nothing is there", async () => {
    mkdirSync(join(root, "in"));
    writeFileSync(join(root, "in/a"), "");
    writeFileSync(join(root, "in/b"), "");
    const moved = async (path: string) => await previewed(moving, { path, to: "out" }, root);
    expect(await moved("in")).toMatchObject({
      files: [{ kind: "delete", before: null }, { kind: "create" }],
      notes: ["moves a directory with 2 entries"],
    });
    expect(await moved("missing")).toEqual({ files: [], notes: ["nothing is there to be moved"] });
  });
});

describe("a file of which nothing can be shown", () => {
  it("is said to be there, with each call that would replace it, take it away or move it", async () => {
    const note = "what is there now is not shown: it is too large, or cannot be read";
    truncateSync(file, largestHashed + 1);
    for (const [spec, call] of [
      [writing, given],
      [deleting, given],
      [moving, given],
      [moving, { path: "c.txt", to: "a.txt" }],
    ] as const) {
      writeFileSync(join(root, "c.txt"), "");
      expect((await previewed(spec, call, root)).notes, JSON.stringify(call)).toEqual([note]);
    }
    mkdirSync(join(root, "in"));
    expect((await previewed(moving, { path: "in", to: "b.txt" }, root)).notes).toEqual([
      "moves a directory with 0 entries",
    ]);
    truncateSync(file, 1);
    expect((await previewed(writing, given, root)).notes).toEqual([]);
  });
});
