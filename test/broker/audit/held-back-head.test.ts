import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mostNames } from "../../../src/broker/audit/places.js";
import { type Clock, systemClock } from "../../../src/broker/system/clock.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";
import { sketched } from "../../support/sketched.js";

const event = sketched({ kind: "effect.started", call: "abcdefgh" });

/** Whenever a file is about to be written, `run` comes first. */
const clockWith = (run: () => unknown): Clock => ({
  ...systemClock,
  randomBytes(size) {
    run();
    return systemClock.randomBytes(size);
  },
});

const seqIn = (text: string): number => (JSON.parse(text) as { seq: number }).seq;
const headOf = (log: ProvableLog): number => seqIn(log.read("head.json"));
const anchorOf = ({ home }: ProvableLog): number =>
  seqIn(readFileSync(join(home, "keys", "audit-anchor"), "utf8"));

/** Whoever puts back the log with its head as they were is found, and with what was there it is good. */
function expectCutIsFound(log: ProvableLog, before: string, headBefore: string): void {
  const [now, head] = [log.read(), log.read("head.json")];
  log.put(before);
  log.put(headBefore, "head.json");
  expect(log.verify()).toMatchObject({ ok: false, fault: "head_mismatch" });
  log.put(now);
  log.put(head, "head.json");
  expect(log.verify()).toMatchObject({ ok: true });
}

test("whoever changes the times of the head again and again does not keep it from being signed", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const before = [log.read(), log.read("head.json")] as const;
  let touched = 0;
  const clock = clockWith(() => {
    touched += 1;
    utimesSync(join(log.directory, "head.json"), touched, touched);
  });
  const writing = auditLogAt(log.home, { clock });
  await writing.append([event, event, event], "durable");
  await writing.close();
  expect(touched).toBeGreaterThan(0);
  expect([headOf(log), anchorOf(log)]).toEqual([5, 5]);
  expectCutIsFound(log, ...before);
});

test("whoever puts older heads of ours in its place at each try does not either", async () => {
  const log = new ProvableLog();
  await log.write(1);
  const heads = [log.read("head.json")];
  await log.write(1);
  heads.push(log.read("head.json"));
  const before = [log.read(), log.read("head.json")] as const;
  let tries = 0;
  const clock = clockWith(() => {
    tries += 1;
    log.put(heads[tries % 2] ?? "", "head.json");
  });
  const writing = auditLogAt(log.home, { clock });
  await writing.append([event], "durable");
  await writing.close();
  // One more than those that do not hold the lock.
  expect(tries).toBeGreaterThan(5);
  expect(anchorOf(log)).toBe(3);
  // The writing of the anchor was a try as well.
  await log.write(1);
  expect(headOf(log)).toBe(4);
  expectCutIsFound(log, ...before);
});

test("whoever keeps the lock keeps back the head, which is said once, and neither the anchor nor what comes at the end", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const before = [log.read(), log.read("head.json")] as const;
  const said: string[] = [];
  let passed = 0;
  const clock: Clock = {
    ...systemClock,
    // Nobody waits for the lock in earnest.
    monotonic: () => {
      passed += 10_000;
      return passed;
    },
  };
  const writing = auditLogAt(log.home, { clock, headDelayMs: 0, say: (line) => void said.push(line) });
  const appended = writing.append([event], "durable");
  await appended;
  log.put("somebody's", "lock");
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toMatch(/^The audit log could not be signed to its end: .*lock does not say/);
  expect([headOf(log), anchorOf(log)]).toEqual([2, 3]);
  expectCutIsFound(log, ...before);
  rmSync(join(log.directory, "lock"));
  await writing.close();
  expect([headOf(log), anchorOf(log)]).toEqual([3, 3]);
  expect(said).toHaveLength(1);
  expectCutIsFound(log, ...before);
});

test("a log whose head was removed goes on, and is found when it is put back with that head", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const before = [log.read(), log.read("head.json")] as const;
  rmSync(join(log.directory, "head.json"));
  await log.write(3);
  expect(log.read()).toContain('"head_fault":"head_missing"');
  log.put(before[0]);
  log.put(before[1], "head.json");
  expect(log.verify()).toMatchObject({ ok: false, fault: "head_mismatch" });
  rmSync(join(log.home, "keys", "audit-anchor"));
  expect(log.verify()).toMatchObject({ ok: true, records: 2 });
});

test("in a directory with too many names nothing is put away, which is said, and the head is signed all the same", async () => {
  const log = new ProvableLog();
  const tiny = { rotation: () => ({ rotateBytes: 1, keep: 1 }) };
  await log.write(1, tiny);
  await log.write(1, tiny);
  const names = Array.from({ length: mostNames }, (_, index) => join(log.directory, `x${index}`));
  log.put("", "x");
  for (const name of names) linkSync(join(log.directory, "x"), name);
  const said: string[] = [];
  await log.write(1, { ...tiny, say: (line) => void said.push(line) });
  expect(said[0]).toContain(`holds more than ${mostNames} names`);
  expect(log.files()).toContain("log.1-1.jsonl");
  expect(headOf(log)).toBe(seqIn(log.lines().at(-1) ?? ""));
  for (const name of names) rmSync(name);
  await log.write(1, tiny);
  expect(log.files()).toHaveLength(2);
  expect(log.verify()).toMatchObject({ ok: true });
});

test("whoever puts the very head in its place that is due has it stand, and nothing else is written", async () => {
  const log = new ProvableLog();
  await log.write(1);
  const older = log.read("head.json");
  await log.write(1);
  const newer = log.read("head.json");
  const others = [
    () => log.sign(3),
    ...[newer, older, newer, older].map((head) => () => log.put(head, "head.json")),
  ];
  const clock = clockWith(() => isClosing && others.pop()?.());
  let isClosing = false;
  const writing = auditLogAt(log.home, { clock });
  await writing.append([event], "durable");
  const { ino } = statSync(join(log.directory, "head.json"));
  isClosing = true;
  await writing.close();
  expect(others).toEqual([]);
  expect([headOf(log), anchorOf(log)]).toEqual([3, 3]);
  expect(statSync(join(log.directory, "head.json")).ino).toBe(ino);
  expect(log.verify()).toMatchObject({ ok: true, records: 3 });
});

test("an anchor that another process has written meanwhile is left as it is, whoever keeps the lock", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const anchor = join(log.home, "keys", "audit-anchor");
  const due = readFileSync(anchor, "utf8").replace('"seq":2', '"seq":3');
  const clock: Clock = {
    ...clockWith(() => {
      // The head is prepared first.
      if (isClosing && prepared === 1) writeFileSync(anchor, due, { mode: 0o600 });
      if (isClosing) prepared += 1;
    }),
    monotonic: () => {
      passed += 10_000;
      return passed;
    },
  };
  let passed = 0;
  let prepared = 0;
  let isClosing = false;
  const said: string[] = [];
  const writing = auditLogAt(log.home, { clock, say: (line) => void said.push(line) });
  await writing.append([event], "durable");
  log.put("somebody's", "lock");
  isClosing = true;
  await writing.close();
  expect(said).toHaveLength(1);
  expect(readFileSync(anchor, "utf8")).toBe(due);
  expect(headOf(log)).toBe(2);
  rmSync(join(log.directory, "lock"));
  await log.write(1);
  expect([headOf(log), anchorOf(log)]).toEqual([4, 4]);
});

test("a head that is found broken when it is due is left as it is, and the next record says so", async () => {
  const log = new ProvableLog();
  await log.write(1);
  const writing = auditLogAt(log.home);
  await writing.append([event], "durable");
  log.put("{", "head.json");
  await writing.close();
  expect(log.read("head.json")).toBe("{");
  expect(log.read()).not.toContain("head_fault");
  await writing.append([event], "durable");
  await writing.close();
  expect(log.lines()[2]).toContain('"head_fault":"head_unreadable"');
});
