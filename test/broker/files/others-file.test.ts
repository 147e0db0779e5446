/** Files of other programs: which are read, and when one is replaced. */
import {
  chmodSync,
  chownSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type OthersFile, readOthersFile, replaceOthersFile } from "../../../src/broker/files/others-file.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { tempDirectory } from "../../support/temp-home.js";

const limit = 1_000;

function made(text: string | Uint8Array = "one\r\n") {
  const directory = tempDirectory();
  const path = join(directory, "file");
  writeFileSync(path, text);
  return { directory, path };
}

function readAt(path: string): OthersFile {
  const read = readOthersFile(path, limit);
  if (read.kind !== "file") throw new Error(`not read: ${read.kind}`);
  return read;
}

describe("a file of another program", () => {
  it("is read with its byte order mark and its line ends, whoever else may read it", () => {
    const { path } = made("\ufeffone\r\n");
    chmodSync(path, 0o666);
    expect(readAt(path).text).toBe("\ufeffone\r\n");
  });

  it("is missing where nothing stands", () => {
    expect(readOthersFile(join(tempDirectory(), "file"), limit)).toEqual({ kind: "missing" });
  });

  it.each<[objection: string, make: (path: string, directory: string) => string]>([
    [
      "symbolic link",
      (path, directory) => {
        symlinkSync(path, join(directory, "link"));
        return join(directory, "link");
      },
    ],
    ["not a regular file", (_, directory) => directory],
    [
      "another name leads to it as well",
      (path, directory) => {
        linkSync(path, join(directory, "second"));
        return path;
      },
    ],
    [
      "not valid UTF-8",
      (path) => {
        writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
        return path;
      },
    ],
    [
      "too large",
      (path) => {
        writeFileSync(path, "x".repeat(limit + 1));
        return path;
      },
    ],
  ])("is refused as: %s", (objection, make) => {
    const { directory, path } = made();
    expect(readOthersFile(make(path, directory), limit)).toEqual({ kind: "refused", objection });
    expect(readAt(made().path).text).toBe("one\r\n");
  });

  it.runIf(process.geteuid?.() === 0)("of another owner is refused", () => {
    const { path } = made();
    chownSync(path, 12_345, 12_345);
    expect(readOthersFile(path, limit)).toEqual({ kind: "refused", objection: "another owner" });
    expect(readAt(made().path).text).toBe("one\r\n");
  });

  it.each([0o600, 0o644, 0o664, 0o400])("is replaced whole and keeps mode %o", async (mode) => {
    const { directory, path } = made();
    chmodSync(path, mode);
    expect(await replaceOthersFile(readAt(path), "two", systemClock)).toBe(true);
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["two", mode]);
    expect(readdirSync(directory)).toEqual(["file"]);
  });

  it.runIf(process.geteuid?.() === 0)("keeps its group", async () => {
    const { path } = made();
    chownSync(path, 0, 12_345);
    await replaceOthersFile(readAt(path), "two", systemClock);
    expect(statSync(path).gid).toBe(12_345);
  });

  it("that says something else by now stays as it is", async () => {
    const { directory, path } = made();
    const file = readAt(path);
    writeFileSync(path, "one\n");
    expect(await replaceOthersFile(file, "two", systemClock)).toBe(false);
    writeFileSync(path, "one\r\n and more");
    expect(await replaceOthersFile(file, "two", systemClock)).toBe(false);
    expect([readFileSync(path, "utf8"), readdirSync(directory)]).toEqual(["one\r\n and more", ["file"]]);
    expect(await replaceOthersFile(readAt(path), "two", systemClock)).toBe(true);
  });

  it("whose directory is gone is told of as channel_unavailable", async () => {
    const file = { ...readAt(made().path), path: join(tempDirectory(), "no", "file") };
    await expect(replaceOthersFile(file, "two", systemClock)).rejects.toMatchObject({
      code: "channel_unavailable",
    });
    expect(await replaceOthersFile(readAt(made().path), "two", systemClock)).toBe(true);
  });
});
