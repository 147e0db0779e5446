import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { verifyLog } from "../../../src/broker/audit/verify.js";
import { auditLogAt, keysOf } from "../../support/audit-logs.js";
import { once, rightBefore } from "../../support/between-steps.js";
import { ProvableLog, rewritten } from "../../support/provable-log.js";
import { sketches } from "../../support/sketched.js";
import { tempDirectory } from "../../support/temp-home.js";

const many = 1_000;

describe("a log of a thousand records", () => {
  let log: ProvableLog;
  let lines: readonly string[];
  let bytes: Buffer;

  beforeAll(async () => {
    log = new ProvableLog(mkdtempSync(join(tmpdir(), "wisp-test-")));
    await log.write(many);
    lines = log.lines();
    bytes = Buffer.from(lines.join(""));
  }, 60_000);
  afterAll(() => rmSync(log.home, { recursive: true }));

  /** What is found where `changed` stands in its place; the log is as before when this returns. */
  function found(changed: string | Uint8Array) {
    log.put(changed);
    const verification = log.verify();
    log.put(bytes);
    return verification;
  }

  function flipped(at: number, by: number): Buffer {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ by;
    return copy;
  }

  it("is good as it was written", () => {
    expect(log.verify()).toEqual({ ok: true, records: many, firstBad: null, fault: null });
  });

  it("shows a change of any byte, of any line", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        expect(found(flipped(at, by))).toMatchObject({ ok: false });
      }),
      { numRuns: 100 },
    );
    expect(log.verify().ok).toBe(true);
  });

  it.each([0, many / 2, many - 1])("names line %i + 1 where it was changed", (index) => {
    const start = lines.slice(0, index).join("").length;
    const { fault, firstBad, records } = found(flipped(start + 20, 1));
    expect({ fault, firstBad, records }).toEqual({
      fault: "hash_mismatch",
      firstBad: { file: "log.jsonl", line: index + 1, seq: index + 1 },
      records: index,
    });
  });

  it("shows a line that is missing, there twice, or elsewhere", () => {
    fc.assert(
      fc.property(fc.nat(many - 1), fc.nat(many - 1), (one, other) => {
        const without = lines.filter((_, index) => index !== one);
        expect(found(without.join(""))).toMatchObject({
          fault: one === many - 1 ? "head_mismatch" : "seq_gap",
          firstBad: { line: one + 1 },
        });
        const twice = lines.flatMap((line, index) => (index === one ? [line, line] : [line]));
        expect(found(twice.join(""))).toMatchObject({ fault: "seq_gap", firstBad: { line: one + 2 } });
        const moved = [...without.slice(0, other), lines[one] ?? "", ...without.slice(other)];
        if (one !== other) expect(found(moved.join("")).ok).toBe(false);
      }),
      { numRuns: 20 },
    );
    expect(log.verify().ok).toBe(true);
  });

  it("shows a line that was written anew under its right hash: the next one does not follow, or the head is another's", () => {
    fc.assert(
      fc.property(fc.nat(many - 1), (index) => {
        const anew = rewritten(lines[index] ?? "", (body) => body.replace("git push", "git pull"));
        const isLast = index === many - 1;
        expect(found(lines.map((line, at) => (at === index ? anew : line)).join(""))).toMatchObject({
          fault: isLast ? "head_mismatch" : "chain_break",
          firstBad: { line: isLast ? many : index + 2 },
        });
      }),
      { numRuns: 20, examples: [[0], [many / 2], [many - 2], [many - 1]] },
    );
    expect(log.verify().ok).toBe(true);
  });

  it("shows that its end was cut off, by any number of bytes", () => {
    for (const gone of [1, 2, 100, lines.at(-1)?.length ?? 0, bytes.length - 1, bytes.length]) {
      expect(found(bytes.subarray(0, bytes.length - gone))).toMatchObject({
        ok: false,
        fault: "head_mismatch",
      });
    }
    expect(found(bytes.subarray(0, -1)).firstBad).toEqual({ file: "log.jsonl", line: many, seq: many });
  });

  it("shows that another home's log stands in its place", async () => {
    const other = new ProvableLog(tempDirectory());
    await other.write(3);
    expect(found(other.read())).toMatchObject({ fault: "head_mismatch", records: 3 });
    expect(verifyLog(other.home, keysOf(log.home))).toMatchObject({ ok: true });
  });
});

test("a change of any byte of a line is named with its line, whatever the byte stands for", async () => {
  const log = new ProvableLog();
  await log.write(3);
  const [first = "", line = "", last = ""] = log.lines();
  for (let at = 0; at < line.length; at += 1) {
    const copy = Buffer.from(line);
    copy[at] = (copy[at] ?? 0) ^ 1;
    log.put(`${first}${copy.toString("latin1")}${last}`);
    expect(log.verify(), `byte ${at}`).toMatchObject({
      fault: "hash_mismatch",
      firstBad: { file: "log.jsonl", line: 2, seq: 2 },
    });
  }
  log.put(`${first}${line}${last}`);
  expect(log.verify().ok).toBe(true);
});

test("a change of any byte of the head is named", async () => {
  const log = new ProvableLog();
  await log.write(1);
  const head = log.read("head.json");
  for (let at = 0; at < head.length - 1; at += 1) {
    const copy = Buffer.from(head);
    copy[at] = (copy[at] ?? 0) ^ 1;
    log.put(copy, "head.json");
    expect(log.verify(), `byte ${at}`).toMatchObject({
      fault: "bad_signature",
      firstBad: { file: "head.json", line: 1, seq: null },
    });
  }
  log.put(head, "head.json");
  expect(log.verify().ok).toBe(true);
});

test("a log that is put back together with its head of before is named, and as it was it is good", async () => {
  const log = new ProvableLog();
  const writing = auditLogAt(log.home, { headDelayMs: 1 });
  const write = async (): Promise<void> => {
    const before = log.read("head.json");
    await writing.append(sketches({ kind: "approval.decided", call: "abcdefgh" }), "durable");
    await expect.poll(() => log.read("head.json")).not.toBe(before);
  };
  await log.write(1);
  await write();
  const [text, head] = [log.read(), log.read("head.json")];
  await write();
  await write();
  await writing.close();
  const [last, lastHead] = [log.read(), log.read("head.json")];
  log.put(text);
  log.put(head, "head.json");
  expect(log.verify()).toMatchObject({ ok: false, fault: "head_mismatch", firstBad: { seq: 3 } });
  log.put(last);
  log.put(lastHead, "head.json");
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
});

test("records past the head are good if they are ours, and a line without an end is a crash's", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const head = log.read("head.json");
  await log.write(2);
  log.put(head, "head.json");
  rmSync(join(log.home, "keys", "audit-anchor"));
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
  log.put(`${log.read()}{"v":1,"seq":5,"to`);
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
});

test("a record past the head that was written without our secret is named", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const head = log.read("head.json");
  await log.write(1);
  log.put(head, "head.json");
  const keys = join(log.home, "keys");
  renameSync(join(keys, "root"), join(keys, "root.old"));
  expect(log.verify()).toMatchObject({
    fault: "bad_signature",
    firstBad: { file: "log.jsonl", line: 3, seq: 3 },
  });
  renameSync(join(keys, "root.old"), join(keys, "root"));
  // What is wrong now is that the anchor knows of a later head.
  expect(log.verify()).toMatchObject({ fault: "head_mismatch", firstBad: { file: "head.json" } });
});

test("a log that was put back together with its head is noticed by the anchor in keys/", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const [before, head] = [log.read(), log.read("head.json")];
  await log.write(2);
  const [after, headAfter] = [log.read(), log.read("head.json")];
  log.put(before);
  log.put(head, "head.json");
  expect(log.verify()).toMatchObject({ fault: "head_mismatch", firstBad: { line: 3, seq: 3 } });
  rmSync(log.directory, { recursive: true });
  expect(log.verify()).toMatchObject({ fault: "head_mismatch", records: 0 });
  await log.write(1);
  expect(log.read()).toContain('"head_fault":"records_missing"');
  expect(log.verify().ok).toBe(false);
  // With all that was there it is good again.
  rmSync(log.directory, { recursive: true });
  const back = new ProvableLog(log.home);
  mkdirSync(log.directory, { mode: 0o700 });
  back.put(after);
  back.put(headAfter, "head.json");
  expect(back.verify()).toMatchObject({ ok: true, records: 4 });
});

test("a home without a log has nothing to say, and that is good", () => {
  expect(new ProvableLog().verify()).toEqual({ ok: true, records: 0, firstBad: null, fault: null });
});

test("a log that is put aside while it is read is read once, under either name", async () => {
  const log = new ProvableLog();
  await log.write(3);
  const aside = join(log.directory, "log.1-3.jsonl");
  const verified = await rightBefore("readdirSync", log.directory, once(putAside), () => log.verify());
  expect(verified).toMatchObject({ ok: true, records: 3 });
  expect(log.verify()).toMatchObject({ ok: true, records: 3 });
  // The same, of one that is not what it was.
  log.put(log.read("log.1-3.jsonl").replace("git push 1", "git pull 1"));
  rmSync(aside);
  const spoiled = await rightBefore("readdirSync", log.directory, once(putAside), () => log.verify());
  expect(spoiled).toMatchObject({ fault: "hash_mismatch", firstBad: { file: "log.1-3.jsonl", line: 2 } });

  function putAside(): void {
    renameSync(log.path, aside);
  }
});

test("a file that goes while the log is read is missing from it", async () => {
  const log = new ProvableLog();
  await log.write(2);
  renameSync(log.path, join(log.directory, "log.1-2.jsonl"));
  await log.write(1);
  const aside = join(log.directory, "log.1-2.jsonl");
  const away = join(log.home, "away");
  const verified = await rightBefore(
    "openSync",
    aside,
    once(() => renameSync(aside, away)),
    () => log.verify(),
  );
  expect(verified).toMatchObject({ fault: "seq_gap", firstBad: { file: "log.jsonl", line: 1 } });
  renameSync(away, aside);
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
});

test.each<readonly [string, (path: string) => void, string]>([
  ["is open to others", (path) => chmodSync(path, 0o644), "chmod 600 "],
  ["is a link", (path) => linkedTo(`${path}.real`, path), "Move "],
])("a log of which a file %s is not read, and is once that is put right", async (_, spoil, fix) => {
  const log = new ProvableLog();
  await log.write(2);
  const aside = join(log.directory, "log.1-2.jsonl");
  renameSync(log.path, aside);
  await log.write(1);
  for (const path of [aside, log.path]) {
    const bytes = readFileSync(path);
    spoil(path);
    expect(() => log.verify()).toThrow(
      expect.objectContaining({ code: "audit_unavailable", fix: expect.stringContaining(`${fix}${path}`) }),
    );
    rmSync(path);
    writeFileSync(path, bytes, { mode: 0o600 });
  }
  expect(log.verify()).toMatchObject({ ok: true, records: 4 });
});

function linkedTo(real: string, path: string): void {
  renameSync(path, real);
  symlinkSync(real, path);
}

test("a log that is bad is looked at again while its head moves on, and then no more", async () => {
  const log = new ProvableLog();
  await log.write(1);
  const [first, firstHead] = [log.read(), log.read("head.json")];
  await log.write(1);
  const heads = [firstHead, log.read("head.json")];
  const { existingKey } = keysOf(log.home);
  let looks = 0;
  const moving = {
    existingKey(label: string) {
      looks += 1;
      log.put(heads[(looks + 1) % 2] ?? "", "head.json");
      return existingKey(label);
    },
  };
  const whole = log.read();
  log.put(first);
  expect(verifyLog(log.home, moving)).toMatchObject({ ok: false });
  expect(looks).toBe(6);
  log.put(whole);
  log.put(heads[1] ?? "", "head.json");
  expect(log.verify()).toMatchObject({ ok: true, records: 2 });
});
