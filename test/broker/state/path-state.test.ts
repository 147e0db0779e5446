import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { largestHashed } from "../../../src/broker/state/file-content.js";
import { fingerprintPath } from "../../../src/broker/state/path-state.js";
import { failsWith, rightBefore, type Step } from "../../support/between-steps.js";
import { tempDirectory } from "../../support/temp-home.js";

let root: string;
let file: string;
beforeEach(() => {
  root = tempDirectory();
  file = join(root, "file");
  writeFileSync(file, "one\n");
});

async function seen(path = file): Promise<string> {
  return (await fingerprintPath(path)).fingerprint;
}

/** Each kind of thing that can take the place of a file, with how it comes there. */
const replacements: readonly (readonly [string, () => void])[] = [
  ["other bytes", () => writeFileSync(file, "two\n")],
  ["the same bytes and one more", () => writeFileSync(file, "one\n\n")],
  ["nothing", () => unlinkSync(file)],
  ["an empty file", () => truncateSync(file, 0)],
  ["a link to a file with the same bytes", () => linked("one\n")],
  ["a link to nothing", () => replacedBy(() => symlinkSync("nowhere", file))],
  ["an empty directory", () => replacedBy(() => mkdirSync(file))],
  ["a pipe", () => replacedBy(() => expect(spawnSync("mkfifo", [file]).status).toBe(0))],
];

function replacedBy(make: () => void): void {
  unlinkSync(file);
  make();
}

function linked(text: string): void {
  writeFileSync(join(root, "other"), text);
  replacedBy(() => symlinkSync("other", file));
}

describe("the fingerprint of a path", () => {
  it.each(replacements)("is another one when %s takes the place of a file", async (_, replace) => {
    const before = await seen();
    expect(await seen()).toBe(before);
    replace();
    const after = await seen();
    expect(after).not.toBe(before);
    expect(await seen()).toBe(after);
  });

  it("is the same for the same bytes, whoever writes them, when, and under which inode", async () => {
    const before = await seen();
    writeFileSync(join(root, "saved"), "one\n", { mode: 0o600 });
    renameSync(join(root, "saved"), file);
    utimesSync(file, 1, 1);
    linkSync(file, join(root, "another name"));
    expect(await seen()).toBe(before);
  });

  it("is another one when a directory on the way becomes a link, though the same file lies behind it", async () => {
    const deep = join(root, "a", "file");
    mkdirSync(join(root, "a"));
    writeFileSync(deep, "one\n");
    const before = await seen(deep);
    renameSync(join(root, "a"), join(root, "b"));
    symlinkSync("b", join(root, "a"));
    expect(await seen(deep)).not.toBe(before);
  });

  it("names where a link leads, for the person", async () => {
    linked("one\n");
    expect((await fingerprintPath(file)).target).toBe(`${file}, which leads to ${join(root, "other")}`);
    expect((await fingerprintPath(join(root, "other"))).target).toBe(join(root, "other"));
    replacedBy(() => symlinkSync("a/new", file));
    expect((await fingerprintPath(file)).target).toBe(
      `${file}, a link to ${join(root, "a/new")}, where nothing is yet`,
    );
  });

  it("tells two links to nothing apart, and sees what appears where one points", async () => {
    replacedBy(() => symlinkSync("nowhere", file));
    const before = await seen();
    replacedBy(() => symlinkSync("elsewhere", file));
    const turned = await seen();
    expect(turned).not.toBe(before);
    writeFileSync(join(root, "elsewhere"), "");
    expect(await seen()).not.toBe(turned);
  });

  it("of what is missing changes when it appears, and when its parent comes to be a link", async () => {
    const missing = join(root, "new", "file");
    const before = await seen(missing);
    expect(await seen(missing)).toBe(before);
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "new"));
    const moved = await seen(missing);
    expect(moved).not.toBe(before);
    writeFileSync(join(root, "real", "file"), "");
    expect(await seen(missing)).not.toBe(moved);
  });

  it("of a directory is of the names and kinds that lie in it, and no deeper", async () => {
    mkdirSync(join(root, "in"));
    const before = await seen(root);
    writeFileSync(file, "two\n");
    writeFileSync(join(root, "in", "deeper"), "");
    expect(await seen(root)).toBe(before);
    writeFileSync(join(root, "appeared"), "");
    const more = await seen(root);
    expect(more).not.toBe(before);
    unlinkSync(join(root, "appeared"));
    expect(await seen(root)).toBe(before);
    rmSync(join(root, "in"), { recursive: true });
    writeFileSync(join(root, "in"), "");
    expect(await seen(root)).not.toBe(before);
  });

  it("tells names apart that are not Unicode", async () => {
    const bytes = (last: number): Buffer => Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([last])]);
    writeFileSync(bytes(0xff), "");
    const before = await seen(root);
    renameSync(bytes(0xff), bytes(0xfe));
    expect(await seen(root)).not.toBe(before);
  });

  it("of a file over 64 MiB is of its size and times, and no byte of it is read", async () => {
    truncateSync(file, largestHashed + 1);
    const before = await seen();
    expect(await seen()).toBe(before);
    utimesSync(file, 1, 1);
    const touched = await seen();
    expect(touched).not.toBe(before);
    truncateSync(file, largestHashed + 2);
    expect(await seen()).not.toBe(touched);
  });

  it("of a pipe that nobody writes to, and of a socket, is there at once", async () => {
    replacedBy(() => expect(spawnSync("mkfifo", [file]).status).toBe(0));
    const pipe = await seen();
    unlinkSync(file);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    onTestFinished(() => void server.close());
    expect(await seen()).not.toBe(pipe);
    expect(await seen("/dev/null")).toBe(await seen("/dev/null"));
  });

  it.skipIf(process.geteuid?.() === 0)("of what may not be read is of its size and times", async () => {
    chmodSync(file, 0);
    const before = await seen();
    expect(await seen()).toBe(before);
    chmodSync(file, 0o600);
    const readable = await seen();
    expect(readable).not.toBe(before);
    expect(readFileSync(file, "utf8")).toBe("one\n");
  });

  it.each([
    ["below a file", () => join(file, "below")],
    ["with a name that no file has", () => join(root, "x".repeat(5_000))],
    [
      "in a circle of links",
      () => {
        symlinkSync("circle", join(root, "circle"));
        return join(root, "circle");
      },
    ],
  ])("of a path %s is there, and always the same", async (_, pathOf) => {
    const path = pathOf();
    expect(await seen(path)).toBe(await seen(path));
    expect(await seen(path)).not.toBe(await seen());
  });
});

describe("the fingerprint of what changes while it is looked at", () => {
  /** What `step` is about to find is not what was seen before it. */
  const meanwhile = (step: Step, path: string, happens: () => void) =>
    rightBefore(step, path, happens, () => seen(path));

  it("is of why it could not be looked at, and another one than of what can be", async () => {
    const readable = await seen();
    const denied = await meanwhile("open", file, failsWith("EACCES"));
    const broken = await meanwhile("open", file, failsWith("EIO"));
    expect(new Set([readable, denied, broken]).size).toBe(3);
    mkdirSync(join(root, "in"));
    const listed = await seen(join(root, "in"));
    const closed = await meanwhile("readdir", join(root, "in"), failsWith("EACCES"));
    expect(closed).not.toBe(listed);
    expect([await seen(), await seen(join(root, "in"))]).toEqual([readable, listed]);
  });

  it.each<readonly [string, () => void]>([
    ["a link", () => symlinkSync("elsewhere", file)],
    ["a directory", () => mkdirSync(file)],
  ])("is none of a file that becomes %s, nor of what it becomes", async (_, make) => {
    const whole = await seen();
    const between = await meanwhile("open", file, () => replacedBy(make));
    expect([whole, await seen()]).not.toContain(between);
  });

  it("of what appears once it was found missing is that of what is missing, until the next look", async () => {
    unlinkSync(file);
    const missing = await seen();
    expect(await meanwhile("readlink", file, () => writeFileSync(file, "one\n"))).toBe(missing);
    expect(await seen()).not.toBe(missing);
  });

  it("of what is gone with all above it names the path as it was given", async () => {
    const path = "/nowhere/at/all";
    const gone = () => rightBefore("realpath", "/", failsWith("EACCES"), () => fingerprintPath(path));
    expect(await gone()).toEqual({ target: path, fingerprint: await seen(path) });
  });
});

it("the fingerprint of a directory is another one for each kind of thing under the same name", async () => {
  const fingerprints = [await seen(root)];
  for (const make of [
    () => mkdirSync(file),
    () => symlinkSync("elsewhere", file),
    () => expect(spawnSync("mkfifo", [file]).status).toBe(0),
  ]) {
    rmSync(file, { recursive: true });
    make();
    fingerprints.push(await seen(root));
  }
  rmSync(file);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(file, resolve));
  onTestFinished(() => void server.close());
  fingerprints.push(await seen(root));
  expect(new Set(fingerprints).size).toBe(5);
});
