import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBytes, readJson, readOpened } from "../../../src/broker/files/read.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { tempDirectory } from "../../support/temp-home.js";

const good = '{"a":1}';

function plant(text: string | Uint8Array = good): string {
  const path = join(tempDirectory(), "file");
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function objectionTo(path: string, limit = 1_000): string | null {
  const result = readJson(path, limit);
  return result.kind === "refused" ? result.objection : null;
}

test("a private regular file is read whole", () => {
  const result = readJson(plant(), 1_000);
  expect(result.kind === "value" && result.value).toEqual({ a: 1 });
});

test("a missing file, and a path below a file, are missing, not errors", () => {
  const path = plant();
  expect(readJson(`${path}.no`, 10).kind).toBe("missing");
  expect(readJson(join(path, "below"), 10).kind).toBe("missing");
});

test("a FIFO is refused without blocking, and the file beside it is still read", () => {
  const path = plant();
  execFileSync("mkfifo", ["-m", "600", `${path}.fifo`]);
  expect(objectionTo(`${path}.fifo`)).toBe("not a regular file");
  expect(readJson(path, 1_000).kind).toBe("value");
});

test("a directory, a device and a socket are not regular files", async () => {
  const path = plant();
  mkdirSync(`${path}.d`, { mode: 0o700 });
  expect(objectionTo(`${path}.d`)).toBe("not a regular file");
  expect(objectionTo("/dev/null")).toBe("not a regular file");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.s`, resolve));
  expect(objectionTo(`${path}.s`)).toBe("not a regular file");
  await new Promise((resolve) => server.close(resolve));
});

test("a symbolic link is refused wherever it points, also to itself", () => {
  const path = plant();
  symlinkSync(path, `${path}.link`);
  symlinkSync(`${path}.loop`, `${path}.loop`);
  symlinkSync(`${path}.nowhere`, `${path}.dangling`);
  for (const name of ["link", "loop", "dangling"])
    expect(objectionTo(`${path}.${name}`)).toBe("symbolic link");
});

test("a second hard link to our own file is read: the slot itself is one", () => {
  const path = plant();
  linkSync(path, `${path}.second`);
  expect(readJson(`${path}.second`, 1_000).kind).toBe("value");
});

test("a file open to group or others is refused for every such bit", () => {
  for (const mode of [0o640, 0o620, 0o610, 0o604, 0o602, 0o601]) {
    const path = plant();
    chmodSync(path, mode);
    expect(objectionTo(path)).toBe("open to others");
    chmodSync(path, 0o600);
    expect(objectionTo(path)).toBeNull();
  }
});

test("a file of 1 GB is refused by its size alone; one of exactly the limit is read", () => {
  const path = plant();
  truncateSync(path, 2 ** 30);
  expect(objectionTo(path, 256 * 1024)).toBe("too large");
  expect(objectionTo(plant(), good.length)).toBeNull();
  expect(objectionTo(plant(), good.length - 1)).toBe("too large");
});

test.skipIf(process.platform !== "linux")("a file that holds more than its size said is refused", () => {
  // The kernel writes this one while it is read; its size is told as 0.
  const path = "/proc/self/environ";
  expect(readBytes(path, 1_000_000)).toMatchObject({
    kind: "refused",
    objection: "changed while it was read",
  });
});

test("what is not strict JSON is refused with the parser's own reason", () => {
  expect(objectionTo(plant(new Uint8Array([0x22, 0xff, 0x22])))).toBe("not valid UTF-8");
  expect(objectionTo(plant("\ufeff{}"))).toBe("byte order mark");
  expect(objectionTo(plant('{"a":1,"a":2}'))).toBe("duplicate key");
  expect(objectionTo(plant('{"a"'))).toBe("not JSON");
  expect(objectionTo(plant(""))).toBe("not JSON");
});

test("bytes come back as they are", () => {
  const bytes = new Uint8Array([0, 255, 10]);
  const result = readBytes(plant(bytes), 3);
  expect(result.kind === "bytes" && [...result.bytes]).toEqual([0, 255, 10]);
});

test.skipIf(process.getuid?.() !== 0)("a file of another owner is refused", async () => {
  const { chownSync } = await import("node:fs");
  const path = plant();
  chownSync(path, 12_345, 12_345);
  expect(objectionTo(path)).toBe("another owner");
});

test("of what goes wrong while an open file is used the system's refusal is told, and all else is thrown on", () => {
  const path = plant();
  const used = (error: Error) =>
    readOpened(path, 1_000, () => {
      throw error;
    });
  const broken = Object.assign(new Error("broken"), { code: "EIO" });
  expect(used(broken)).toMatchObject({ kind: "refused", objection: "cannot be read (EIO)" });
  const other = new WispError("audit_unavailable", "Another file is open to others.");
  expect(() => used(other)).toThrow(other);
  expect(readOpened(path, 1_000, () => "read")).toBe("read");
});
