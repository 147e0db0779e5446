import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  ensureSafeDirectory,
  judgeDirectory,
  judgePlaceOf,
} from "../../../src/broker/files/safe-directory.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { failsWith, once, rightBefore } from "../../support/between-steps.js";
import { tempDirectory } from "../../support/temp-home.js";

function faultOf(path: string): WispError {
  try {
    ensureSafeDirectory(path);
  } catch (error) {
    if (error instanceof WispError) return error;
    throw error;
  }
  throw new Error(`${path} was taken for safe`);
}

test("a missing directory is made with mode 0700", () => {
  const path = join(tempDirectory(), "d");
  ensureSafeDirectory(path);
  expect(statSync(path).mode & 0o7777).toBe(0o700);
});

test("a directory open to group or others is refused for every such bit, and its repair command repairs it", () => {
  for (const mode of [0o755, 0o750, 0o710, 0o720, 0o701, 0o702, 0o777]) {
    const path = join(tempDirectory(), "d");
    mkdirSync(path);
    chmodSync(path, mode);
    const fault = faultOf(path);
    expect(fault.code).toBe("channel_unsafe");
    expect(fault.message).toContain(path);
    expect(fault.message).toContain(mode.toString(8));
    expect(fault.fix).toBe(`chmod 700 ${path}`);
    expect(statSync(path).mode & 0o777).toBe(mode);
    chmodSync(path, 0o700);
    ensureSafeDirectory(path);
  }
});

test("a symbolic link to a private directory of our own is refused", () => {
  const parent = tempDirectory();
  mkdirSync(join(parent, "real"), { mode: 0o700 });
  symlinkSync(join(parent, "real"), join(parent, "link"));
  const fault = faultOf(join(parent, "link"));
  expect([fault.code, fault.message]).toEqual([
    "channel_unsafe",
    `${join(parent, "link")} is a symbolic link.`,
  ]);
  ensureSafeDirectory(join(parent, "real"));
});

test("a file where a directory belongs is refused", () => {
  const path = join(tempDirectory(), "d");
  writeFileSync(path, "");
  expect(faultOf(path).message).toContain("is not a directory");
  renameSync(path, `${path}.old`);
  ensureSafeDirectory(path);
});

test("a parent that others can write is refused unless it is sticky", () => {
  const parent = tempDirectory();
  const path = join(parent, "d");
  mkdirSync(path, { mode: 0o700 });
  chmodSync(parent, 0o777);
  expect(faultOf(path).message).toContain(parent);
  chmodSync(parent, 0o1777);
  ensureSafeDirectory(path);
});

test("a directory that does not exist is unavailable when it is only judged", () => {
  const path = join(tempDirectory(), "d");
  expect(() => judgeDirectory(path)).toThrow(expect.objectContaining({ code: "channel_unavailable" }));
  expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
});

test("a parent that does not exist is unavailable, never made", () => {
  const path = join(tempDirectory(), "no", "d");
  expect(faultOf(path).code).toBe("channel_unavailable");
  expect(lstatSync(dirname(path), { throwIfNoEntry: false })).toBeUndefined();
});

test("a path with blanks and quotes is quoted in the repair command", () => {
  const path = join(tempDirectory(), "it's here");
  mkdirSync(path);
  chmodSync(path, 0o755);
  expect(faultOf(path).fix).toBe(`chmod 700 '${path.replace("'", "'\\''")}'`);
});

test.skipIf(process.getuid?.() !== 0)("a directory of another owner is refused", () => {
  const path = join(tempDirectory(), "d");
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, 12_345, 12_345);
  expect(faultOf(path).message).toContain("belongs to user 12345");
});

test.each([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0x01021997, "9p"],
])(
  "a directory whose file system is %i (%s) is refused: its links and events cannot be relied on",
  (type, name) => {
    const path = tempDirectory();
    expect(() => judgeDirectory(path, () => type)).toThrow(
      expect.objectContaining({ code: "channel_unsafe", message: expect.stringContaining(name) }),
    );
    judgeDirectory(path, () => 0xef53);
    judgeDirectory(path);
  },
);

test("a directory that its owner cannot enter is refused, with the command that opens it", () => {
  const path = join(tempDirectory(), "d");
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o600);
  expect(faultOf(path)).toMatchObject({ code: "channel_unsafe", fix: `chmod 700 ${path}` });
});

test.each<readonly [string, (parent: string) => void, string]>([
  ["is a file", (parent) => writeFileSync(parent, ""), "is not a directory"],
  ["is missing", () => {}, "does not exist"],
  ["lies below a file", (parent) => writeFileSync(dirname(parent), ""), "ENOTDIR"],
])("a place whose parent %s is unavailable, and said", (_, make, why) => {
  const parent = join(tempDirectory(), "above", "parent");
  if (why !== "ENOTDIR") mkdirSync(dirname(parent));
  make(parent);
  expect(() => judgePlaceOf(join(parent, "home"))).toThrow(
    expect.objectContaining({ code: "channel_unavailable", message: expect.stringContaining(why) }),
  );
  judgePlaceOf(join(tempDirectory(), "home"));
});

test("a directory that somebody else makes at the same instant is judged as any other", async () => {
  const path = join(tempDirectory(), "d");
  await rightBefore(
    "mkdirSync",
    path,
    once(() => mkdirSync(path, { mode: 0o700 })),
    () => ensureSafeDirectory(path),
  );
  const other = join(tempDirectory(), "d");
  const opened = (): void => {
    mkdirSync(other);
    chmodSync(other, 0o777);
  };
  await expect(
    rightBefore("mkdirSync", other, once(opened), async () => ensureSafeDirectory(other)),
  ).rejects.toMatchObject({ code: "channel_unsafe" });
});

test("a directory that cannot be looked at is unavailable, for the system's reason", async () => {
  const path = join(tempDirectory(), "d");
  mkdirSync(path, { mode: 0o700 });
  await expect(
    rightBefore("lstatSync", path, failsWith("EIO"), async () => ensureSafeDirectory(path)),
  ).rejects.toMatchObject({ code: "channel_unavailable", message: `Cannot look at ${path} (EIO).` });
  ensureSafeDirectory(path);
});

test.skipIf(process.getuid?.() !== 0)("for an ordinary user a directory below another's is refused", () => {
  const parent = tempDirectory();
  const path = join(parent, "d");
  const ours = join(tempDirectory(), "d");
  for (const one of [path, ours]) mkdirSync(one, { mode: 0o700 });
  for (const one of [parent, path, ours, dirname(ours)]) chownSync(one, 65_534, 65_534);
  chownSync(parent, 12_345, 12_345);
  chmodSync(parent, 0o755);
  process.seteuid?.(65_534);
  try {
    expect(() => judgeDirectory(path)).toThrow(
      expect.objectContaining({
        code: "channel_unsafe",
        message: `${parent} belongs to user 12345, who could replace ${path}.`,
      }),
    );
    judgeDirectory(ours);
  } finally {
    process.seteuid?.(0);
  }
});
