import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseStat } from "../../../src/broker/identity/proc.js";
import { startedAtOf } from "../../../src/broker/identity/process.js";
import { parseBootTime, parsePsLine, systemTools } from "../../../src/broker/identity/system-tools.js";

const hasPs = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(process.pid)]).status === 0;

test.each([
  ["Ss   Sun Nov 29 19:31:00 2026    \n", "Sun Nov 29 19:31:00 2026"],
  ["S+   Mon Jan  5 08:00:01 2026\n", "Mon Jan  5 08:00:01 2026"],
  ["Z    Sun Nov 29 19:31:00 2026\n", null],
  ["", null],
  [null, null],
])("where there is no /proc, the line %j of ps means a start at %j", (line, started) => {
  expect(parsePsLine(line)).toBe(started);
});

test("where there is no /proc, the boot is told by its second", () => {
  expect(parseBootTime("{ sec = 1795980660, usec = 123456 } Sun Nov 29 19:31:00 2026\n")).toBe("1795980660");
  expect(parseBootTime("unknown oid")).toBe("");
  expect(parseBootTime(null)).toBe("");
});

test.skipIf(!hasPs)(
  "ps tells a living process by a start that stays, and says nothing of one that is not there",
  () => {
    expect(systemTools.startedAt(process.pid)).toMatch(/\d{4}$/);
    expect(systemTools.startedAt(process.pid)).toBe(systemTools.startedAt(process.pid));
    expect(systemTools.startedAt(2 ** 22 + 1)).toBeNull();
    expect(startedAtOf(process.pid)).not.toBeNull();
  },
);

test("a tool that is missing or knows nothing of the boot says nothing, and stops nobody", () => {
  expect(systemTools.boot()).toMatch(/^\d*$/);
});

test("there are no pid namespaces where there is no /proc", () => {
  expect(systemTools.namespace()).toBe("");
});

test.each([
  ["4711 (node) S 1 4711 4711 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 11 0 364399 1 1", "364399"],
  ["4711 (a) b (c) R 1 4711 4711 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 11 0 364399 1 1", "364399"],
  ["4711 (node) Z 1 4711 4711 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 11 0 364399 1 1", null],
  ["4711 (node) X 1 4711 4711 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 11 0 364399 1 1", null],
  ["4711 (node) S 1", null],
])("the line %j of /proc means a start at %j", (line, started) => {
  expect(parseStat(line)).toBe(started);
});
