import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eachRecord } from "../../../src/broker/audit/read-log.js";
import { keysOf } from "../../support/audit-logs.js";
import { once, rightBefore } from "../../support/between-steps.js";
import { ProvableLog } from "../../support/provable-log.js";

/** Every record makes a file of its own. */
const tiny = { rotation: () => ({ rotateBytes: 1, keep: 1 }) };

const reading = (log: ProvableLog, keys: Parameters<typeof eachRecord>[1] = keysOf(log.home)) => {
  const kinds: string[] = [];
  const read = eachRecord(log.home, keys, ({ kind }) => void kinds.push(kind));
  return { ...read, kinds };
};

it("what the head has let go of is not told, though its file is still there", async () => {
  const log = new ProvableLog();
  await log.write(1, tiny);
  await log.write(1, tiny);
  const [oldest = ""] = log.files();
  const text = log.read(oldest);
  for (let round = 0; round < 3; round += 1) await log.write(1, tiny);
  expect(existsSync(join(log.directory, oldest))).toBe(false);
  const { records } = reading(log);
  log.put(text, oldest);
  expect(reading(log).records).toBe(records);
});

it("a file that is put aside while it is read is told once", async () => {
  const log = new ProvableLog();
  await log.write(3);
  const putAside = (): void => renameSync(log.path, join(log.directory, "log.1-3.jsonl"));
  const read = await rightBefore("readdirSync", log.directory, once(putAside), () => reading(log));
  expect(read).toMatchObject({ records: 3, refused: [] });
  expect(reading(log)).toMatchObject({ records: 3, refused: [] });
});

it("a file that is open to others is not told, and is named", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const aside = join(log.directory, "log.1-2.jsonl");
  renameSync(log.path, aside);
  await log.write(1);
  chmodSync(aside, 0o644);
  expect(reading(log)).toMatchObject({ records: 2, refused: ["log.1-2.jsonl (open to others)"] });
  chmodSync(aside, 0o600);
  expect(reading(log)).toMatchObject({ records: 4, refused: [] });
});

it.each<readonly [string, object]>([
  ["at no time", { ts: "now" }],
  ["at a time that no date can say", { ts: 8.64e15 + 2 }],
  ["at half a time", { ts: 0.5 }],
  ["with parts that are none", { details: [] }],
  ["of no session", { session: 1 }],
  ["of no kind", { kind: null }],
  ["of a call that is none", { call: 1 }],
])("a line %s is no record, whoever reads without the secret", async (_, wrong) => {
  const log = new ProvableLog();
  await log.write(1);
  const [line = ""] = log.lines();
  log.put(`${JSON.stringify({ ...JSON.parse(line), ...wrong })}\n${line}`);
  rmSync(join(log.directory, "head.json"));
  expect(reading(log, { existingKey: () => null })).toMatchObject({
    records: 1,
    unreadable: 1,
    kinds: ["approval.decided"],
  });
});
