import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AuditRecord } from "../../../src/broker/audit/chain.js";
import { ProvableLog } from "../../support/provable-log.js";

/** As a server has it whose log is far from its limit. */
const roomy = { rotation: () => ({ rotateBytes: 1024 * 1024, keep: 3 }) };
/** Every record makes a file of its own. */
const tiny = { rotation: () => ({ rotateBytes: 1, keep: 3 }) };

const startOf = (log: ProvableLog): number =>
  (JSON.parse(log.read("head.json")) as { start: { seq: number } }).start.seq;

const firstOf = (log: ProvableLog): AuditRecord => JSON.parse(log.lines()[0] ?? "") as AuditRecord;

/** What rotation lets go of is let go of as ever. */
async function expectRotationGoesOn(log: ProvableLog): Promise<void> {
  const before = startOf(log);
  for (let round = 0; round < 6; round += 1) await log.write(1, tiny);
  expect(startOf(log)).toBeGreaterThan(before);
  expect(log.verify()).toMatchObject({ ok: true });
}

test("copies of our records under the names of files that were put aside let go of nothing, and are told", async () => {
  const log = new ProvableLog();
  await log.write(12, roomy);
  const copied = log.lines().slice(-3).join("");
  const planted = [1, 2, 3, 4, 5, 6].map((index) => `log.9000${index}-9000${index}.jsonl`);
  for (const name of planted) log.put(copied, name);
  await log.write(1, roomy);
  expect(startOf(log)).toBe(1);
  expect(log.verify()).toMatchObject({ ok: false, fault: "seq_gap", firstBad: { file: planted[0] } });
  for (const name of planted) rmSync(join(log.directory, name));
  expect(log.verify()).toMatchObject({ ok: true, records: 13 });
  const whole = log.read();
  log.put(log.lines().slice(9).join(""));
  expect(log.verify()).toMatchObject({ ok: false });
  log.put(whole);
  await expectRotationGoesOn(log);
});

test("a log that somebody else cuts into files of whole records lets go of nothing", async () => {
  const log = new ProvableLog();
  await log.write(12, roomy);
  const lines = log.lines();
  for (const [index, line] of lines.slice(0, 9).entries())
    log.put(line, `log.${index + 1}-${index + 1}.jsonl`);
  log.put(lines.slice(9).join(""));
  await log.write(1, roomy);
  expect(startOf(log)).toBe(1);
  expect(log.verify()).toMatchObject({ ok: true, records: 13 });
  const rest = log.lines();
  for (const name of log.files()) rmSync(join(log.directory, name));
  log.put([...lines.slice(0, 9), ...rest].join(""));
  await expectRotationGoesOn(log);
});

test("a log that somebody else puts aside again and again lets go of nothing but whole turns of ours", async () => {
  const log = new ProvableLog();
  await log.write(3, roomy);
  for (let round = 0; round < 6; round += 1) {
    const last = log.lines().length;
    renameSync(log.path, join(log.directory, `log.${firstOf(log).seq}-${firstOf(log).seq + last - 1}.jsonl`));
    await log.write(1, roomy);
  }
  expect(firstOf(log)).toMatchObject({ kind: "log.rotated", verified: { found: true } });
  expect(startOf(log)).toBe(1);
  expect(log.verify()).toMatchObject({ ok: true, records: 15 });
  await expectRotationGoesOn(log);
});

test("a planted file with a higher name is not what the log goes on from", async () => {
  const log = new ProvableLog();
  await log.write(5, roomy);
  renameSync(log.path, join(log.directory, "log.1-5.jsonl"));
  const [first = ""] = log.read("log.1-5.jsonl").split(/(?<=\n)/);
  log.put(first, "log.9000-9000.jsonl");
  await log.write(1, roomy);
  expect(firstOf(log)).toMatchObject({ seq: 6, verified: { file: "log.1-5.jsonl" } });
  rmSync(join(log.directory, "log.9000-9000.jsonl"));
  expect(log.verify()).toMatchObject({ ok: true, records: 7 });
});

test("a file whose name is taken gets another one, and the record of it says so", async () => {
  const log = new ProvableLog();
  await log.write(2);
  log.put("somebody's\n", "log.1-2.jsonl");
  await log.write(1, tiny);
  expect(log.read("log.1-2.jsonl")).toBe("somebody's\n");
  const { verified } = firstOf(log);
  expect(verified).toEqual({
    file: expect.stringMatching(/^log\.1-2\.[0-9a-f]{8}\.jsonl$/),
    taken: "log.1-2.jsonl",
  });
  expect(readdirSync(log.directory)).toContain(verified.file);
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { file: "log.1-2.jsonl" } });
  rmSync(join(log.directory, "log.1-2.jsonl"));
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
  await expectRotationGoesOn(log);
});
