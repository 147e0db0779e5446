import { generateKeyPairSync } from "node:crypto";
import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { existingSigner, madeSigner } from "../../../src/broker/audit/signing-key.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { rightBefore } from "../../support/between-steps.js";
import { tempDirectory } from "../../support/temp-home.js";

let home: string;
let path: string;
beforeEach(async () => {
  home = tempDirectory();
  path = join(home, "keys", "audit");
  await madeSigner(home, systemClock);
});

const anotherKind = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" });

it.each<readonly [string, () => void, string]>([
  ["a link", () => symlinkSync(`${path}.old`, path), "mv "],
  ["a file that is open to others", () => openedTo(readFileSync(`${path}.old`)), "chmod 600 "],
  ["a key of another kind", () => writeFileSync(path, anotherKind(), { mode: 0o600 }), "mv "],
  ["no key", () => writeFileSync(path, "no key\n", { mode: 0o600 }), "mv "],
])(
  "%s in the place of the key signs nothing, and no other is made; the key itself does",
  async (_, put, fix) => {
    const own = existingSigner(home)?.fingerprint;
    renameSync(path, `${path}.old`);
    put();
    const refusal = { code: "channel_unsafe", fix: expect.stringContaining(`${fix}${path}`) };
    expect(() => existingSigner(home)).toThrow(expect.objectContaining(refusal));
    await expect(madeSigner(home, systemClock)).rejects.toMatchObject(refusal);
    renameSync(`${path}.old`, path);
    chmodSync(path, 0o600);
    expect((await madeSigner(home, systemClock)).fingerprint).toBe(own);
  },
);

function openedTo(bytes: Uint8Array): void {
  writeFileSync(path, bytes);
  chmodSync(path, 0o644);
}

it("a key that is gone again once it was made signs nothing, and the next one does", async () => {
  rmSync(path);
  let looks = 0;
  const removed = (): void => {
    looks += 1;
    if (looks === 2) rmSync(path);
  };
  await expect(
    rightBefore("openSync", path, removed, () => madeSigner(home, systemClock)),
  ).rejects.toMatchObject({
    code: "channel_unavailable",
  });
  const made = await madeSigner(home, systemClock);
  expect(made.hasSigned("text", made.sign("text"))).toBe(true);
});
