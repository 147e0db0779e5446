import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Head } from "../../../src/broker/audit/head.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";
import { sketches } from "../../support/sketched.js";

/** Every record makes a file of its own. */
const tiny = { rotation: () => ({ rotateBytes: 1, keep: 3 }) };

test("a log that is longer than its limit is put aside under the numbers of its records, and the chain goes on", async () => {
  const log = new ProvableLog();
  const rotation = () => ({ rotateBytes: 2_000, keep: 20 });
  await log.write(12, { rotation });
  const files = log.files();
  expect(files.length).toBeGreaterThan(2);
  expect(files).toContain("log.jsonl");
  expect(log.verify()).toMatchObject({ ok: true });
  const first = JSON.parse(log.lines()[0] ?? "") as { kind: string; verified: { file: string } };
  expect(first.kind).toBe("log.rotated");
  expect(files).toContain(first.verified.file);
});

test("of the files that were put aside so many are kept, and what is left is good", async () => {
  const log = new ProvableLog();
  for (let round = 0; round < 6; round += 1) await log.write(1, tiny);
  expect(log.files()).toEqual(["log.4-5.jsonl", "log.6-7.jsonl", "log.8-9.jsonl", "log.jsonl"]);
  expect(log.verify()).toMatchObject({ ok: true, records: 8 });
});

test("a file that somebody removes or swaps shows, and whole again it is good", async () => {
  const log = new ProvableLog();
  for (let round = 0; round < 4; round += 1) await log.write(1, tiny);
  const [one = "", two = ""] = log.files();
  const away = join(log.home, "away");
  renameSync(join(log.directory, one), away);
  expect(log.verify()).toMatchObject({ fault: "seq_gap", firstBad: { file: two, line: 1 } });
  renameSync(away, join(log.directory, one));
  const texts = [log.read(one), log.read(two)] as const;
  log.put(texts[1], one);
  log.put(texts[0], two);
  expect(log.verify()).toMatchObject({ fault: "seq_gap", firstBad: { file: one, line: 1 } });
  log.put(texts[0], one);
  log.put(texts[1], two);
  expect(log.verify().ok).toBe(true);
  log.put(texts[1].slice(0, -1), two);
  expect(log.verify()).toMatchObject({ fault: "hash_mismatch", firstBad: { file: two, line: 2 } });
  log.put(texts[1], two);
  expect(log.verify().ok).toBe(true);
});

test("what the head has let go of is no part of the log any more, and goes with the next rotation", async () => {
  const log = new ProvableLog();
  await log.write(1, tiny);
  await log.write(1, tiny);
  const [oldest = ""] = log.files();
  const text = log.read(oldest);
  for (let round = 0; round < 4; round += 1) await log.write(1, tiny);
  expect(existsSync(join(log.directory, oldest))).toBe(false);
  // As a crash between the two leaves it.
  log.put(text, oldest);
  expect(log.verify().ok).toBe(true);
  await log.write(1, tiny);
  expect(existsSync(join(log.directory, oldest))).toBe(false);
});

test("a process that died between putting a file aside and writing the next one leaves a good log", async () => {
  const log = new ProvableLog();
  await log.write(3);
  renameSync(log.path, join(log.directory, "log.1-3.jsonl"));
  expect(log.verify()).toMatchObject({ ok: true, records: 3 });
  await log.write(1);
  const kinds = log.lines().map((line) => line && (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(["log.rotated", "approval.decided"]);
  expect(log.verify()).toMatchObject({ ok: true, records: 5 });
});

test("a head that was put back with an older start, and the files it let go of, is noticed by the anchor in keys/", async () => {
  const log = new ProvableLog();
  const many = { rotation: () => ({ rotateBytes: 1, keep: 20 }) };
  for (let round = 0; round < 5; round += 1) await log.write(1, many);
  // Two write at once: the one that keeps fewer files signs last, and no record more.
  const few = auditLogAt(log.home, tiny);
  await few.append(sketches({ kind: "approval.decided", call: "abcdefgh" }), "plain");
  await log.write(1, many);
  const old = ["head.json", ...log.files()].map((name) => [name, log.read(name)] as const);
  await few.close();
  const head = log.read("head.json");
  const [[, before] = ["", ""]] = old;
  const [was, is] = [before, head].map((text) => JSON.parse(text) as Head);
  expect(is?.seq).toBe(was?.seq);
  expect(is?.start.seq).toBeGreaterThan(was?.start.seq ?? 0);
  for (const [name, text] of old) log.put(text, name);
  expect(log.verify()).toMatchObject({ ok: false, fault: "head_mismatch", firstBad: { file: "head.json" } });
  log.put(head, "head.json");
  expect(log.verify()).toMatchObject({ ok: true });
});
