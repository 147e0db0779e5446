/** What a process that writes finds of what it wrote before, when others wrote, took or put there meanwhile. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AuditRecord } from "../../../src/broker/audit/chain.js";
import type { AuditLogOptions, FileAuditLog } from "../../../src/broker/audit/log.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";
import { sketches } from "../../support/sketched.js";

const event = sketches({ kind: "approval.decided", call: "abcdefgh" });
/** Every record makes a file of its own. */
const tiny = { rotation: () => ({ rotateBytes: 1, keep: 3 }) };

/** A process that has written one record and goes on to write. */
async function writing(log: ProvableLog, options: Partial<AuditLogOptions> = {}): Promise<FileAuditLog> {
  const one = auditLogAt(log.home, options);
  await one.append(event, "durable");
  onTestFinished(() => one.close());
  return one;
}

const lastOf = (log: ProvableLog): AuditRecord =>
  JSON.parse(log.read().trimEnd().split("\n").at(-1) ?? "") as AuditRecord;

test("a log of which nothing is left but somebody's files goes on after none of them, and says so", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const whole = log.read();
  rmSync(log.path);
  log.put("somebody's\n", "log.1-2.jsonl");
  await log.write(1);
  const [first] = log.lines().map((line) => JSON.parse(line) as AuditRecord);
  expect(first).toMatchObject({
    seq: 1,
    kind: "log.rotated",
    verified: { file: "log.1-2.jsonl", found: true },
    head_fault: "records_not_ours",
  });
  log.put(whole);
  rmSync(join(log.directory, "log.1-2.jsonl"));
  rmSync(join(log.home, "keys", "audit-anchor"));
  await log.write(1);
  expect(lastOf(log)).not.toHaveProperty("head_fault");
});

test("a process notices that another end of ours, no shorter, stands in the file that it wrote", async () => {
  const log = new ProvableLog();
  await log.write(1);
  const [before, head] = [log.read(), log.read("head.json")];
  await log.write(3);
  const other = log.read();
  log.put(before);
  log.put(head, "head.json");
  rmSync(join(log.home, "keys", "audit-anchor"));
  const one = await writing(log);
  const own = log.read();
  log.put(other);
  await one.append(event, "plain");
  expect(lastOf(log)).toMatchObject({ seq: 5, head_fault: "records_missing" });
  log.put(own);
  await log.write(1);
  expect(lastOf(log)).toMatchObject({ seq: 3 });
  expect(lastOf(log)).not.toHaveProperty("head_fault");
});

test("a process whose file another put aside goes on, as long as what it wrote is there or was let go of", async () => {
  const log = new ProvableLog();
  const one = await writing(log);
  await log.write(1, tiny);
  await one.append(event, "plain");
  expect(lastOf(log)).not.toHaveProperty("head_fault");
  for (let round = 0; round < 5; round += 1) await log.write(1, tiny);
  expect(log.files()).not.toContain("log.1-1.jsonl");
  await one.append(event, "plain");
  expect(lastOf(log)).not.toHaveProperty("head_fault");
  expect(log.verify()).toMatchObject({ ok: true });
});

test.each<readonly [string, (path: string) => void]>([
  ["was taken away", (path) => rmSync(path)],
  ["holds something else", (path) => writeFileSync(path, readFileSync(path, "utf8").toUpperCase())],
])("a process notices that the file it wrote was put aside and %s", async (_, spoil) => {
  const log = new ProvableLog();
  const one = await writing(log);
  await log.write(1, tiny);
  const aside = join(log.directory, "log.1-1.jsonl");
  spoil(aside);
  await one.append(event, "plain");
  expect(lastOf(log)).toMatchObject({ head_fault: "records_missing" });
  expect(log.verify()).toMatchObject({ ok: false });
});

test("a log whose next names are both taken is put aside no more, and goes on once one is free", async () => {
  const log = new ProvableLog();
  await log.write(1);
  const names = ["log.1-1.jsonl", "log.1-1.07070707.jsonl"];
  for (const name of names) log.put("somebody's\n", name);
  const clock = { ...systemClock, randomBytes: (size: number) => new Uint8Array(size).fill(7) };
  const one = await writing(log, { ...tiny, clock });
  expect(log.lines().filter((line) => line !== "")).toHaveLength(2);
  for (const name of names) expect(log.read(name)).toBe("somebody's\n");
  renameSync(join(log.directory, "log.1-1.jsonl"), join(log.home, "away"));
  await one.append(event, "plain");
  expect(log.files()).toContain("log.1-2.jsonl");
});
