import { expect, test } from "vitest";
import type { AuditRecord } from "../../src/broker/audit/chain.js";
import { ProvableLog } from "../support/provable-log.js";
import { atEachStep, type FaultAt, startWorker, type Worker } from "../support/workers.js";

function startAuditor(
  home: string,
  records: number,
  faultAt: FaultAt | null = null,
  more: Readonly<Record<string, string>> = {},
): Worker {
  return startWorker("auditor", home, { WISP_TEST_RECORDS: String(records), ...more }, faultAt);
}

/** The records that the worker was told are on disk; to be asked for once it has ended. */
function durableOf(worker: Worker): () => readonly number[] {
  const indexes: number[] = [];
  worker.child.on("message", (message) => {
    const { durable } = message as { durable?: number };
    if (durable !== undefined) indexes.push(durable);
  });
  return () => indexes;
}

/** Every record that is still kept, in order. */
function recordsIn(log: ProvableLog): readonly AuditRecord[] {
  return log
    .files()
    .flatMap((name) => log.read(name).split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as AuditRecord)
    .sort((one, other) => one.seq - other.seq);
}

/** Of process `pid`: how often each of its records stands there. */
function writtenBy(log: ProvableLog, pid: number | undefined): readonly number[] {
  return recordsIn(log)
    .filter(({ details }) => details.process === pid)
    .map(({ details }) => details.index as number);
}

test("several processes append at once: each record stands there once, in the order of its process, in one chain", async () => {
  const log = new ProvableLog();
  const WISP_TEST_AT = String(Date.now() + 1_500);
  const workers = Array.from({ length: 5 }, () => startAuditor(log.home, 40, null, { WISP_TEST_AT }));
  for (const worker of workers) {
    expect(await worker.told<string[]>("faults")).toEqual([]);
    expect(await worker.ended).toBe(0);
  }
  const expected = Array.from({ length: 40 }, (_, index) => index);
  for (const { child } of workers) expect(writtenBy(log, child.pid)).toEqual(expected);
  expect(log.verify()).toMatchObject({ ok: true, records: 200 });
  expect(recordsIn(log).some((record) => "head_fault" in record)).toBe(false);
}, 60_000);

test.each([
  ["appends", { records: 2, more: {} }],
  ["puts its file aside", { records: 4, more: { WISP_TEST_ROTATE: "1" } }],
])(
  "SIGKILL before each step of a process that %s, while another appends, loses nothing that is durable and tears no chain",
  async (_, { records, more }) => {
    const counting = startAuditor(new ProvableLog().home, records, { step: 0, fault: "SIGKILL" }, more);
    expect(await counting.told<string[]>("faults")).toEqual([]);
    expect(await counting.ended).toBe(0);
    await atEachStep(counting.steps(), async (step, where) => {
      const log = new ProvableLog();
      const victim = startAuditor(log.home, records, { step, fault: "SIGKILL" }, more);
      const durable = durableOf(victim);
      const other = startAuditor(log.home, 6);
      expect(await other.told<string[]>("faults"), where).toEqual([]);
      expect(await other.ended, where).toBe(0);
      await victim.ended;
      // Whoever comes later goes on, whatever the dead one left.
      await log.write(1);
      expect(log.verify(), where).toMatchObject({ ok: true, fault: null });
      const kept = recordsIn(log);
      expect(
        kept.some((record) => "head_fault" in record),
        where,
      ).toBe(false);
      const written = writtenBy(log, victim.child.pid);
      expect(new Set(written).size, where).toBe(written.length);
      const first = kept[0]?.seq ?? 0;
      if (first === 1) expect(written, where).toEqual(expect.arrayContaining([...durable()]));
      if (first === 1) expect(writtenBy(log, other.child.pid), where).toEqual([0, 1, 2, 3, 4, 5]);
    });
  },
  300_000,
);

test.each(["ENOSPC", "EIO"])(
  "%s at each step: what was reported durable is there, what was refused is not, and the chain is whole",
  async (fault) => {
    const counting = startAuditor(new ProvableLog().home, 2, { step: 0, fault });
    expect(await counting.ended).toBe(0);
    await atEachStep(counting.steps(), async (step, where) => {
      const log = new ProvableLog();
      const worker = startAuditor(log.home, 2, { step, fault });
      const durable = durableOf(worker);
      const faults = (await worker.told<string[]>("faults")) ?? [];
      expect(await worker.ended, where).toBe(0);
      expect(faults.length + durable().length, where).toBe(2);
      for (const code of faults) expect(code, where).toBe("audit_unavailable");
      await log.write(1);
      expect(log.verify(), where).toMatchObject({ ok: true });
      expect(writtenBy(log, worker.child.pid), where).toEqual(expect.arrayContaining([...durable()]));
    });
  },
  300_000,
);
