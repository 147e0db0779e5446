import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { tempDirectory } from "../../support/temp-home.js";

function home() {
  const path = join(tempDirectory(), "home");
  const open = () => {
    const ensureHome = () => {
      if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
      return path;
    };
    return rootSecretOf({ path, ensureHome, clock: systemClock });
  };
  return { path, open, keys: join(path, "keys"), file: join(path, "keys", "root") };
}

/** A home in which the secret is made already, and a key that comes of it. */
async function made() {
  const one = home();
  return { ...one, key: await one.open().derivedKey("label") };
}

test("nothing is made before a key is asked for that must be there", async () => {
  const { path, open, file } = home();
  const secret = open();
  expect(secret.existingKey("label")).toBeNull();
  expect(existsSync(path)).toBe(false);
  const key = await secret.derivedKey("label");
  expect([statSync(file).size, statSync(file).mode & 0o7777]).toEqual([32, 0o600]);
  expect(statSync(join(path, "keys")).mode & 0o7777).toBe(0o700);
  expect(secret.existingKey("label")).toEqual(key);
});

test("a key is 32 bytes, the same for every process, another for every label, and tells nothing of the secret", async () => {
  const { open, file, key } = await made();
  expect(key).toHaveLength(32);
  expect(open().existingKey("label")).toEqual(key);
  expect(await open().derivedKey("label")).toEqual(key);
  expect(await open().derivedKey("label2")).not.toEqual(key);
  expect(Buffer.from(key)).not.toEqual(readFileSync(file));
});

test("another home has another secret", async () => {
  expect((await made()).key).not.toEqual((await made()).key);
});

test("of many that make it at once one does, and all have its keys", async () => {
  const { open, keys } = home();
  const all = await Promise.all(Array.from({ length: 20 }, () => open().derivedKey("label")));
  expect(new Set(all.map((key) => Buffer.from(key).toString("hex"))).size).toBe(1);
  expect(readdirSync(keys)).toEqual(["root"]);
});

test("a process keeps the secret that it read, whatever becomes of the file", async () => {
  const { open, file, key } = await made();
  const secret = open();
  await secret.derivedKey("other");
  writeFileSync(file, Buffer.alloc(32, 7));
  expect(secret.existingKey("label")).toEqual(key);
  rmSync(file);
  expect(await secret.derivedKey("label")).toEqual(key);
});

const tampering: readonly (readonly [string, (file: string) => void])[] = [
  ["too short", (file) => writeFileSync(file, Buffer.alloc(31))],
  ["too large", (file) => writeFileSync(file, Buffer.alloc(33))],
  ["too short", (file) => writeFileSync(file, "")],
  ["open to others", (file) => chmodSync(file, 0o640)],
  [
    "symbolic link",
    (file) => {
      writeFileSync(`${file}.other`, Buffer.alloc(32), { mode: 0o600 });
      symlinkSync(`${file}.other`, file);
    },
  ],
  ["not a regular file", (file) => mkdirSync(file)],
];

test.each(tampering)("a file that is wrong (%s) is refused, and no other is made", async (what, tamper) => {
  const { open, keys, file } = await made();
  const right = readFileSync(file);
  if (what === "symbolic link" || what === "not a regular file") rmSync(file);
  tamper(file);
  const before = readdirSync(keys).sort();
  const refusal = expect.objectContaining({
    code: "channel_unsafe",
    message: `${file}: ${what}.`,
    why: expect.stringMatching(/./),
    fix: expect.stringContaining(file),
  });
  await expect(open().derivedKey("label")).rejects.toEqual(refusal);
  expect(() => open().existingKey("label")).toThrow(refusal);
  expect(readdirSync(keys).sort()).toEqual(before);
  rmSync(file, { recursive: true });
  writeFileSync(file, right, { mode: 0o600 });
  await expect(open().derivedKey("label")).resolves.toHaveLength(32);
});

test("keys that others can reach are refused until they are closed", async () => {
  const { open, keys, key } = await made();
  chmodSync(keys, 0o755);
  await expect(open().derivedKey("label")).rejects.toMatchObject({
    code: "channel_unsafe",
    fix: `chmod 700 ${keys}`,
  });
  expect(() => open().existingKey("label")).toThrow(keys);
  chmodSync(keys, 0o700);
  expect(open().existingKey("label")).toEqual(key);
});

test("keys that are a link to another directory are refused, and nothing is made there", async () => {
  const { path, open, keys } = home();
  mkdirSync(path, { mode: 0o700 });
  const elsewhere = tempDirectory();
  symlinkSync(elsewhere, keys);
  await expect(open().derivedKey("label")).rejects.toMatchObject({ code: "channel_unsafe" });
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(keys);
  await expect(open().derivedKey("label")).resolves.toHaveLength(32);
});

test("a path that cannot be looked at is told as a fault of the disk, not of a file", () => {
  const path = join(tempDirectory(), "x".repeat(300));
  const secret = rootSecretOf({ path, ensureHome: () => path, clock: systemClock });
  expect(() => secret.existingKey("label")).toThrow(
    expect.objectContaining({
      code: "channel_unavailable",
      message: `${join(path, "keys", "root")}: cannot be read (ENAMETOOLONG).`,
    }),
  );
});
