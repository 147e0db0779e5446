import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sha256Hex } from "../../../src/broker/request/long-text.js";
import { largestHashed, readContent } from "../../../src/broker/state/file-content.js";
import { failsWith, rightBefore } from "../../support/between-steps.js";
import { tempDirectory } from "../../support/temp-home.js";

let root: string;
let file: string;
beforeEach(() => {
  root = tempDirectory();
  file = join(root, "file");
  writeFileSync(file, "one\n");
});

const content = (text: string, bytes: Buffer | null) => ({
  kind: "content",
  content: { size: Buffer.byteLength(text), sha256: sha256Hex(text), bytes },
});

/** Each kind of thing that can come to stand where the file was, after it was looked at. */
const replacements: readonly (readonly [string, () => void, object])[] = [
  ["a link", () => symlinkSync("elsewhere", file), { kind: "no file" }],
  ["a directory", () => mkdirSync(file), { kind: "no file" }],
  ["a pipe that nobody writes to", () => void spawnSync("mkfifo", [file]), { kind: "no file" }],
  ["nothing", () => {}, { kind: "unread", errno: "ENOENT" }],
  ["another file", () => writeFileSync(file, "two\n"), content("two\n", Buffer.from("two\n"))],
];

describe("what a file holds", () => {
  it("is its bytes, its size and their hash; of a longer one than is asked for no bytes", async () => {
    expect(await readContent(file, 4)).toEqual(content("one\n", Buffer.from("one\n")));
    expect(await readContent(file, 3)).toEqual(content("one\n", null));
    writeFileSync(file, "");
    expect(await readContent(Buffer.from(file), 0)).toEqual(content("", Buffer.alloc(0)));
  });

  it.each(replacements)(
    "is of what is opened, where %s takes its place after the look",
    async (_, make, read) => {
      const replace = (): void => {
        unlinkSync(file);
        make();
      };
      expect(await rightBefore("open", file, replace, () => readContent(file, 4))).toEqual(read);
    },
  );

  it("is not read of a socket that takes its place after the look", async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    const replace = (): void => {
      unlinkSync(file);
      renameSync(join(root, "socket"), file);
    };
    expect(await rightBefore("open", file, replace, () => readContent(file, 4))).toEqual({ kind: "no file" });
  });

  it("is unread for the system's reason, and is read once that is gone", async () => {
    const read = await rightBefore("open", file, failsWith("EACCES"), () => readContent(file, 4));
    expect(read).toEqual({ kind: "unread", errno: "EACCES" });
    expect(await readContent(file, 4)).toMatchObject({ kind: "content" });
  });

  it("is known by its size where it grows past what is hashed while it is read", async () => {
    const opened = await open(file);
    onTestFinished(() => opened.close());
    const handle = Object.getPrototypeOf(opened);
    const read = vi.spyOn(handle, "read").mockImplementationOnce(async () => {
      truncateSync(file, largestHashed + 1);
      return { bytesRead: largestHashed + 1 };
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await readContent(file, 4)).toMatchObject({
      kind: "large",
      stats: { size: BigInt(largestHashed + 1) },
    });
    expect(read).toHaveBeenCalledOnce();
    truncateSync(file, 4);
    expect(await readContent(file, 4)).toMatchObject({ kind: "content" });
  });
});
