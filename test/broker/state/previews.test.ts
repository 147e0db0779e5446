import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/broker/request/long-text.js";
import { largestHashed } from "../../../src/broker/state/file-content.js";
import {
  deletePreview,
  editPreview,
  movePreviews,
  writePreview,
} from "../../../src/broker/state/previews.js";
import { failsWith, rightBefore } from "../../support/between-steps.js";
import { tempDirectory } from "../../support/temp-home.js";

const most = 1_024;
let root: string;
let file: string;
beforeEach(() => {
  root = tempDirectory();
  file = join(root, "a.txt");
  writeFileSync(file, "one\n");
});

const side = (text: string) => ({ bytes: Buffer.byteLength(text), sha256: sha256Hex(text), text });

/** What keeps a file from being read, whoever reads. */
const unread: readonly (readonly [string, <T>(run: () => Promise<T>) => Promise<T>])[] = [
  ["that is not ours to read", (run) => rightBefore("open", file, failsWith("EACCES"), run)],
  [
    "in a directory that is not ours to enter",
    (run) => rightBefore("realpath", file, failsWith("EACCES"), run),
  ],
];

describe("the file that a call would write, take away or move", () => {
  it.each(unread)("%s is told without its content, and with it once it can be read", async (_, meanwhile) => {
    const hidden = { target: file, before: null };
    const there = { target: file, before: side("one\n") };
    const write = () => writePreview(file, "two\n", most);
    expect(await meanwhile(write)).toEqual({ ...hidden, kind: "replace", after: side("two\n") });
    expect(await write()).toEqual({ ...there, kind: "replace", after: side("two\n") });
    const remove = () => deletePreview(file, most);
    expect(await meanwhile(remove)).toEqual({ ...hidden, kind: "delete", after: null });
    expect(await remove()).toEqual({ ...there, kind: "delete", after: null });
    const to = join(root, "b.txt");
    const moved = () => movePreviews(file, to, most);
    const create = { target: to, kind: "create", before: null };
    expect(await meanwhile(moved)).toEqual({
      files: [
        { ...hidden, kind: "delete", after: null },
        { ...create, after: null },
      ],
      notes: [],
    });
    expect((await moved()).files.at(1)).toEqual({ ...create, after: side("one\n") });
  });

  it("is a directory that goes, without a content", async () => {
    mkdirSync(join(root, "in"));
    const target = join(root, "in");
    expect(await deletePreview(target, most)).toEqual({ target, kind: "delete", before: null, after: null });
  });

  it("says that a directory would be replaced, and counts no more than 10,000 entries", async () => {
    const to = join(root, "in");
    mkdirSync(to);
    writeFileSync(join(to, "0"), "");
    expect(await movePreviews(file, to, most)).toMatchObject({
      files: [
        { target: file, kind: "delete" },
        { target: to, kind: "replace", before: null, after: side("one\n") },
      ],
      notes: ["would replace a directory with 1 entry"],
    });
    for (let count = 1; count <= 10_000; count += 1) symlinkSync("0", join(to, `${count}`));
    expect((await movePreviews(to, file, most)).notes).toEqual([
      "moves a directory with more than 10000 entries",
    ]);
  });
});

describe("the file that a call would edit", () => {
  const edited = (edits = [{ oldText: "one", newText: "two" }]) => editPreview(file, edits, most);

  it.each(unread)("%s is told in words, and shown once it can be read", async (_, meanwhile) => {
    expect(await meanwhile(edited)).toEqual({
      files: [],
      notes: ["the file cannot be read, so no edit applies"],
    });
    expect(await edited()).toMatchObject({ files: [{ after: side("two\n") }], notes: [] });
  });

  it("is none where a directory is", async () => {
    expect(await editPreview(root, [], most)).toEqual({
      files: [],
      notes: ["there is no regular file, so no edit applies"],
    });
  });

  it("is too large where it is larger than what is hashed, and no byte of it is read", async () => {
    truncateSync(file, largestHashed + 1);
    expect((await edited()).notes).toEqual([
      "the file is too large, so what the edits make of it is not shown",
    ]);
  });

  it("is not shown where the edits are too many", async () => {
    const edits = Array(1_001).fill({ oldText: "one", newText: "one" });
    expect(await edited(edits)).toEqual({
      files: [],
      notes: ["the edits are too many or too long, so what the edits make of it is not shown"],
    });
    expect((await edited(edits.slice(1))).files).toHaveLength(1);
  });
});
