/** When it is written down that a call went by, and what follows where that cannot be done. */
import { expect, test } from "vitest";
import type { AuditEvent } from "../../../../src/broker/index.js";
import { createPassedLog } from "../../../../src/server/gate/calls/passed-log.js";
import { FakeClock } from "../../../support/fake-clock.js";
import { MemoryAuditLog } from "../../../support/memory-audit-log.js";

function passing() {
  const clock = new FakeClock();
  const audit = new MemoryAuditLog();
  const log = createPassedLog(() => audit, clock);
  const passedBy = (tool: string): AuditEvent => ({
    kind: "call.passed",
    call: null,
    verified: { server: "fs", tool, arguments: "0".repeat(64) },
    selfReported: { client: null, thread: null },
    details: { rule: "allow" },
  });
  const written = () =>
    audit.appended.map(({ events, durability }) => [
      durability,
      ...events.map((event) => (event as EventWithTool).verified.tool),
    ]);
  /** As a gate does it. */
  const pass = async (tool: string): Promise<void> => {
    const writing = log.ready(() => passedBy(tool));
    if (writing === null) log.add(passedBy(tool));
    else await writing;
  };
  return { clock, audit, log, pass, passedBy, written };
}

/** All that waits for nothing else is done. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

type EventWithTool = AuditEvent & { readonly verified: { readonly tool: string } };

test("the first call is on disk before it goes by, and those after it are written within 250 ms, together", async () => {
  const { clock, pass, written } = passing();
  await pass("a");
  expect(written()).toEqual([["durable", "a"]]);
  await pass("b");
  clock.advance(249);
  await pass("c");
  expect(written()).toHaveLength(1);
  clock.advance(1);
  expect(written()).toEqual([
    ["durable", "a"],
    ["plain", "b", "c"],
  ]);
});

test("the first call is on disk itself, also where something else was written before", async () => {
  const { clock, log, pass, written, passedBy } = passing();
  log.add(passedBy("what is no call"));
  clock.advance(250);
  await Promise.resolve();
  await pass("a");
  expect(written()).toEqual([
    ["plain", "what is no call"],
    ["durable", "a"],
  ]);
});

test("none goes by while the first is written, and each is on disk then", async () => {
  const { audit, pass, written } = passing();
  audit.holding = "durable";
  let count = 0;
  const both = ["a", "b"].map((tool) => pass(tool).then(() => (count += 1)));
  await Promise.resolve();
  expect(count).toBe(0);
  audit.release();
  await Promise.all(both);
  expect(written()).toEqual([
    ["durable", "a"],
    ["durable", "b"],
  ]);
});

test("none goes by while the log cannot be written, from the first on, and none of these stands there later", async () => {
  const { clock, audit, log, pass, written } = passing();
  audit.failing = "all";
  await expect(pass("a")).rejects.toMatchObject({ code: "audit_unavailable" });
  await expect(pass("b")).rejects.toMatchObject({ code: "audit_unavailable" });
  clock.advance(1_000);
  await log.close();
  audit.failing = "none";
  await pass("c");
  expect(written()).toEqual([["durable", "c"]]);
});

test("after a write that failed the next waits for one that is good, and what had gone by is in it", async () => {
  const { clock, audit, pass, written } = passing();
  await pass("a");
  await pass("b");
  audit.failing = "all";
  clock.advance(250);
  await Promise.resolve();
  await Promise.resolve();
  await expect(pass("c")).rejects.toMatchObject({ code: "audit_unavailable" });
  audit.failing = "none";
  await pass("d");
  await pass("e");
  clock.advance(250);
  expect(written()).toEqual([
    ["durable", "a"],
    ["durable", "b", "d"],
    ["plain", "e"],
  ]);
});

test("of several writes that fail in turn none lets a call go by without what had gone by before it", async () => {
  const { clock, audit, pass, written } = passing();
  await pass("a");
  const ends: (() => void)[] = [];
  const append = audit.append.bind(audit);
  audit.failing = "plain";
  audit.append = async (events, durability) => {
    await new Promise<void>((resolve) => ends.push(resolve));
    await append(events, durability);
  };
  await pass("b");
  clock.advance(250);
  await pass("c");
  clock.advance(250);
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await settled();
  };
  await endOne();
  let isGone = false;
  const d = pass("d").then(() => {
    isGone = true;
  });
  await settled();
  while (!isGone) await endOne();
  await d;
  expect(written()).toEqual([
    ["durable", "a"],
    ["durable", "b", "c", "d"],
  ]);
});

test("what could not be written is tried again by itself, until the gate ends", async () => {
  const { clock, audit, log, pass, written } = passing();
  await pass("a");
  await pass("b");
  audit.failing = "plain";
  clock.advance(250);
  await settled();
  audit.failing = "none";
  clock.advance(250);
  await settled();
  expect(written()).toEqual([
    ["durable", "a"],
    ["plain", "b"],
  ]);
  await pass("c");
  expect(written().at(-1)).toEqual(["durable", "c"]);
  await pass("d");
  audit.failing = "plain";
  await log.close();
  audit.failing = "none";
  clock.advance(1_000);
  await settled();
  expect(written()).toHaveLength(3);
});

test("what is left is written when the gate ends, and many are written before their time", async () => {
  const { log, pass, written } = passing();
  for (let call = 0; call < 258; call += 1) await pass(`${call}`);
  expect(written().map(({ length }) => length - 1)).toEqual([1, 256]);
  await log.close();
  expect(written().map(({ length }) => length - 1)).toEqual([1, 256, 1]);
});

test("what is written of a call is worked out once, when it is over or when it is written", async () => {
  const { clock, log, pass, passedBy, written } = passing();
  await pass("a");
  const worked: string[] = [];
  const workOf = (tool: string) => () => {
    worked.push(tool);
    return passedBy(tool);
  };
  const over = log.addUnder(workOf("b"));
  log.addUnder(workOf("c"));
  expect(worked).toEqual([]);
  over();
  over();
  expect(worked).toEqual(["b"]);
  clock.advance(250);
  expect(worked).toEqual(["b", "c"]);
  expect(written()).toEqual([
    ["durable", "a"],
    ["plain", "b", "c"],
  ]);
});
