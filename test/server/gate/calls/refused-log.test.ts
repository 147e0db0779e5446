import { expect, test } from "vitest";
import type { AuditEvent } from "../../../../src/broker/index.js";
import { createRefusedLog } from "../../../../src/server/gate/calls/refused-log.js";
import { FakeClock } from "../../../support/fake-clock.js";

function logged() {
  const clock = new FakeClock();
  const events: AuditEvent[] = [];
  const log = createRefusedLog({ add: (event) => void events.push(event) }, "fs", clock);
  const told = () => events.map(({ details }) => details);
  return { clock, log, events, told };
}

test("a message that goes nowhere is in the log at once, with why", () => {
  const { log, events } = logged();
  log.add("a message is an object");
  expect(events).toEqual([
    {
      kind: "frame.refused",
      call: null,
      verified: { server: "fs" },
      details: { why: "a message is an object", count: 1 },
    },
  ]);
});

test("more of them are one record a second, which says how many and why the first", () => {
  const { clock, log, told } = logged();
  log.add("a");
  for (let second = 0; second < 3; second += 1) {
    log.add(`first of ${second}`);
    for (let more = 0; more < 9_999; more += 1) log.add("b");
    clock.advance(999);
    expect(told()).toHaveLength(1 + second);
    clock.advance(1);
  }
  expect(told()).toEqual([
    { why: "a", count: 1 },
    { why: "first of 0", count: 10_000 },
    { why: "first of 1", count: 10_000 },
    { why: "first of 2", count: 10_000 },
  ]);
  clock.advance(1_000);
  clock.advance(60_000);
  expect(told()).toHaveLength(4);
  log.add("c");
  expect(told().at(-1)).toEqual({ why: "c", count: 1 });
});

test("what was only counted is in the log when the gate ends, and nothing comes after", () => {
  const { clock, log, told } = logged();
  log.add("a");
  log.add("b");
  log.add("c");
  log.close();
  expect(told()).toEqual([
    { why: "a", count: 1 },
    { why: "b", count: 2 },
  ]);
  clock.advance(60_000);
  log.close();
  expect(told()).toHaveLength(2);
});
