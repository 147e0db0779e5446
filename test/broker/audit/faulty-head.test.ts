import { createHash } from "node:crypto";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AuditRecord } from "../../../src/broker/audit/chain.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";
import { sketches } from "../../support/sketched.js";

const event = { kind: "approval.decided", call: "abcdefgh" } as const;

const recordsOf = (log: ProvableLog): readonly AuditRecord[] =>
  log.lines().map((line) => JSON.parse(line) as AuditRecord);

interface Harm {
  readonly what: string;
  readonly harm: (log: ProvableLog) => void;
  readonly stamp: string;
  readonly fault: string;
}

const harms: readonly Harm[] = [
  {
    what: "is missing",
    harm: ({ directory }) => rmSync(join(directory, "head.json")),
    stamp: "head_missing",
    fault: "head_mismatch",
  },
  {
    what: "cannot be read",
    harm: (log) => log.put("{", "head.json"),
    stamp: "head_unreadable",
    fault: "bad_signature",
  },
  {
    what: "says more than was signed",
    harm: (log) => log.put(log.read("head.json").replace('"seq":3', '"seq":2'), "head.json"),
    stamp: "head_not_signed",
    fault: "bad_signature",
  },
  {
    what: "has more records than the log",
    harm: (log) => log.put(log.lines().slice(0, 2).join("")),
    stamp: "records_missing",
    fault: "head_mismatch",
  },
  {
    what: "begins before the log does",
    harm: (log) => log.put(log.lines().slice(1).join("")),
    stamp: "records_missing",
    fault: "seq_gap",
  },
  {
    what: "stands beside a last line that is not ours",
    harm: ({ path }) => appendFileSync(path, "{}\n"),
    stamp: "records_not_ours",
    fault: "hash_mismatch",
  },
];

test.each(harms)(
  "a head that $what is left alone, and records go on and say so",
  async ({ harm, stamp, fault }) => {
    const log = new ProvableLog();
    await log.write(3);
    const whole = [log.read(), log.read("head.json")] as const;
    harm(log);
    const head = log.verify().ok ? "" : log.read.call(log, "log.jsonl");
    expect(head).not.toBe("");
    await log.write(1);
    await log.write(1);
    expect(log.read()).toContain(`"head_fault":"${stamp}","mac"`);
    expect(
      log
        .lines()
        .slice(-2)
        .every((line) => line.includes(`"head_fault":"${stamp}"`)),
    ).toBe(true);
    expect(log.verify()).toMatchObject({ ok: false, fault });
    // Records were written since, whatever their head says: what was there before is no whole log.
    log.put(whole[0]);
    log.put(whole[1], "head.json");
    expect(log.verify()).toMatchObject({ ok: false, fault: "head_mismatch" });
    // Without the anchor it is good, and goes on without a stamp.
    rmSync(join(log.home, "keys", "audit-anchor"));
    await log.write(1);
    expect(log.verify()).toMatchObject({ ok: true, records: 4 });
    expect(log.read()).not.toContain("head_fault");
  },
);

test("a stamp stays when the head is put right by somebody else", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const head = log.read("head.json");
  log.put("{", "head.json");
  await log.write(1);
  log.put(head, "head.json");
  await log.write(1);
  expect(recordsOf(log).map((record) => record.head_fault)).toEqual([
    undefined,
    undefined,
    "head_unreadable",
    "head_unreadable",
  ]);
  expect(log.verify()).toMatchObject({ fault: "head_mismatch", firstBad: { line: 3, seq: 3 } });
});

test("a process that writes notices that the log was put back together with its head", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const [before, head] = [log.read(), log.read("head.json")];
  const writing = auditLogAt(log.home);
  await writing.append(sketches(event, event), "durable");
  await writing.append(sketches(event), "durable");
  log.put(before);
  log.put(head, "head.json");
  rmSync(join(log.home, "keys", "audit-anchor"));
  await writing.append(sketches(event), "durable");
  expect(recordsOf(log).map((record) => record.head_fault)).toEqual([
    undefined,
    undefined,
    "records_missing",
  ]);
  await writing.close();
});

test("a process that writes notices that another wrote over what it had written", async () => {
  const log = new ProvableLog();
  const writing = auditLogAt(log.home);
  await writing.append(sketches(event, event), "durable");
  const other = new ProvableLog();
  await other.write(4);
  log.put(other.read());
  await writing.append(sketches(event), "durable");
  expect(log.lines().at(-1)).toContain('"head_fault"');
  log.put("");
  await writing.append(sketches(event), "durable");
  expect(log.lines().at(-1)).toContain('"head_fault"');
});

test("a torn last line is cut off, and what it was is recorded", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const torn = '{"v":1,"seq":3,"ts":17';
  appendFileSync(log.path, torn);
  await log.write(1);
  const [repaired, decided] = recordsOf(log).slice(2);
  expect(repaired).toMatchObject({
    kind: "log.repaired",
    verified: { bytes: torn.length, sha256: createHash("sha256").update(torn).digest("hex") },
  });
  expect(decided).toMatchObject({ seq: 4, kind: "approval.decided" });
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
});

interface Forked {
  readonly log: ProvableLog;
  /** Of the two records that the head names. */
  readonly signed: readonly string[];
  /** Two others of ours, the first in the place of the second one. */
  readonly other: readonly string[];
  /** The one that follows what was signed. */
  readonly next: string;
}

/** A log whose head is behind, and what was written after its first record at another time. */
async function forked(): Promise<Forked> {
  const log = new ProvableLog();
  const anchor = join(log.home, "keys", "audit-anchor");
  await log.write(1);
  const first = [log.read(), log.read("head.json")] as const;
  await log.write(1);
  const [signed, head] = [log.lines(), log.read("head.json")];
  await log.write(1);
  const next = log.lines()[2] ?? "";
  log.put(first[0]);
  log.put(first[1], "head.json");
  rmSync(anchor);
  const writing = auditLogAt(log.home);
  await writing.append(sketches({ ...event, call: "bbbbbbbb" }, { ...event, call: "cccccccc" }), "plain");
  await writing.close();
  const other = log.lines().slice(1, 3);
  rmSync(anchor);
  log.put(head, "head.json");
  return { log, signed: signed.slice(0, 2), other, next };
}

test.each<readonly [string, (made: Forked) => void]>([
  ["comes after another record than the head names", put(({ signed, other }) => [signed[0], ...other])],
  ["does not follow the one that the head names", put(({ signed, other }) => [...signed, other[1]])],
  [
    "does not follow what was put aside",
    ({ log, signed, other }) => {
      log.put(signed.join(""), "log.1-2.jsonl");
      log.put(other[1] ?? "");
    },
  ],
])(
  "a record of ours past the head that %s is no way to go on from, and the next one says so",
  async (_what, spoil) => {
    const made = await forked();
    const { log, signed, next } = made;
    spoil(made);
    await log.write(1);
    expect(recordsOf(log).at(-1)?.head_fault).toBe("records_not_ours");
    rmSync(join(log.directory, "log.1-2.jsonl"), { force: true });
    log.put([...signed, next].join(""));
    // What was written meanwhile is anchored, and missing from what is put back.
    rmSync(join(log.home, "keys", "audit-anchor"));
    await log.write(1);
    expect(recordsOf(log).at(-1)).toMatchObject({ seq: 4 });
    expect(recordsOf(log).at(-1)?.head_fault).toBeUndefined();
  },
);

function put(lines: (made: Forked) => readonly (string | undefined)[]): (made: Forked) => void {
  return (made) => made.log.put(lines(made).join(""));
}
