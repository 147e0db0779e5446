import { appendFileSync, readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordedOf } from "../../../src/broker/audit/decisions.js";
import { eachRecord } from "../../../src/broker/audit/read-log.js";
import { keysOf } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";

const mebibyte = 1024 * 1024;
/** No disk holds it, and no reading of all of it ends in time. */
const sparse = 256 * 1024 * mebibyte;

test("a log that was made as long as one likes is read no further than a line can be", async () => {
  const log = new ProvableLog();
  await log.write(3);
  const text = log.read();
  truncateSync(log.path, sparse);
  expect(log.verify()).toMatchObject({ ok: false, fault: "hash_mismatch" });
  expect(eachRecord(log.home, keysOf(log.home), () => undefined)).toMatchObject({
    records: 3,
    refused: ["log.jsonl (too large)"],
  });
  expect(recordedOf(log.home, "abcdefgh", keysOf(log.home))).toBeNull();
  log.put(text);
  expect(log.verify()).toMatchObject({ ok: true, records: 3 });
  expect(recordedOf(log.home, "abcdefgh", keysOf(log.home))).not.toBeNull();
});

test("a log that ends in more than a crash leaves is put aside unread, records go on and say so, and put back it is good", async () => {
  const log = new ProvableLog();
  await log.write(3);
  const bytes = log.read().length;
  truncateSync(log.path, sparse);
  await log.write(1);
  const name = readdirSync(log.directory).find((one) => one.startsWith("foreign.")) ?? "";
  expect(log.lines().map((line) => JSON.parse(line))).toMatchObject([
    {
      kind: "log.repaired",
      verified: { bytes: sparse, sha256: null, file: name },
      head_fault: "records_not_ours",
    },
    { kind: "approval.decided", head_fault: "records_not_ours" },
  ]);
  expect(log.verify().ok).toBe(false);
  rmSync(log.path);
  const aside = join(log.directory, name);
  renameSync(aside, log.path);
  truncateSync(log.path, bytes);
  await log.write(1);
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
});

test("a rest of less is cut off, as a crash leaves it", async () => {
  const log = new ProvableLog();
  await log.write(1);
  appendFileSync(log.path, Buffer.alloc(mebibyte));
  await log.write(1);
  expect(log.verify()).toMatchObject({ ok: true, records: 3 });
});
