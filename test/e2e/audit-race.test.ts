import { cpSync } from "node:fs";
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

/** What came of one job of a worker that is told what to do. */
interface Did {
  readonly durable: readonly number[];
  readonly faults: readonly string[];
}

/** A worker that appends where it is told: to start one for each would take most of the time. */
function startServing(faultAt: FaultAt | null) {
  const worker = startAuditor("", 0, faultAt, { WISP_TEST_SERVE: "1" });
  worker.child.setMaxListeners(0);
  let jobs = 0;
  return {
    worker,
    /** Appends so many records in the home at `path`; with `step` that step fails there. */
    async appends(path: string, count: number, step: number | null = null): Promise<Did | null> {
      jobs += 1;
      worker.child.send({ job: `job ${jobs}`, path, count, step });
      return await worker.told<Did>(`job ${jobs}`);
    },
  };
}

/** A home of its own for each victim: a new one, or one with a log of one record, whose keys are made. */
async function homes(isNew: boolean): Promise<() => ProvableLog> {
  if (isNew) return () => new ProvableLog();
  const first = new ProvableLog();
  await first.write(1);
  return () => {
    const log = new ProvableLog();
    cpSync(first.home, log.home, { recursive: true });
    return log;
  };
}

test.each([
  ["appends for the first time", { isNew: true, more: {} }],
  ["puts its file aside", { isNew: false, more: { WISP_TEST_ROTATE: "1" } }],
])(
  "SIGKILL before each step of a process that %s, while another appends, loses nothing that is durable and tears no chain",
  async (_, { isNew, more }) => {
    const logOf = await homes(isNew);
    const counting = startAuditor(logOf().home, 2, { step: 0, fault: "SIGKILL" }, more);
    expect(await counting.told<string[]>("faults")).toEqual([]);
    expect(await counting.ended).toBe(0);
    const other = startServing(null);
    const pid = other.worker.child.pid;
    await atEachStep(counting.steps(), async (step, where) => {
      const log = logOf();
      const victim = startAuditor(log.home, 2, { step, fault: "SIGKILL" }, more);
      const durable = durableOf(victim);
      await victim.told("begins");
      expect(await other.appends(log.home, 6), where).toMatchObject({ faults: [] });
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
      expect(written, where).toEqual(expect.arrayContaining([...durable()]));
      // What was there before the second file that was put aside is let go of.
      const others = writtenBy(log, pid);
      expect(others, where).toEqual([0, 1, 2, 3, 4, 5].slice(6 - others.length));
      if (kept[0]?.seq === 1) expect(others, where).toHaveLength(6);
    });
  },
  300_000,
);

test.each(["ENOSPC", "EIO"])(
  "%s at each step: what was reported durable is there, what was refused is not, and the chain is whole",
  async (fault) => {
    const counting = startAuditor(new ProvableLog().home, 2, { step: 0, fault });
    expect(await counting.ended).toBe(0);
    const { worker, appends } = startServing({ step: 0, fault });
    for (const [index, name] of counting.steps().entries()) {
      const where = `step ${index + 1} ${name}`;
      const log = new ProvableLog();
      const { durable, faults } = (await appends(log.home, 2, index + 1)) ?? { durable: [], faults: [] };
      expect(faults.length + durable.length, where).toBe(2);
      for (const code of faults) expect(code, where).toBe("audit_unavailable");
      // The same process goes on, and gives back what it could not remove; then another does.
      expect(await appends(log.home, 1, 0), where).toMatchObject({ faults: [] });
      await log.write(1);
      expect(log.verify(), where).toMatchObject({ ok: true });
      expect(writtenBy(log, worker.child.pid), where).toEqual(expect.arrayContaining([...durable]));
    }
  },
  120_000,
);
