import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { startedAtOf } from "../../../src/broker/identity/process.js";
import { lookAtPs, lookByTool } from "../../../src/broker/identity/ps-look.js";
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

test("where there is no /proc, one table answers every question of a look", () => {
  let tables = 0;
  const look = lookByTool(() => {
    tables += 1;
    return [
      "    1     0 ??       Ss   Mon Jan  5 08:00:01 2026 /sbin/launchd",
      "  500     1 ttys003  Ss   Mon Jan  5 08:00:02 2026 -zsh",
      "  501   500 ttys003  S+   Mon Jan  5 08:00:03 2026 node",
    ].join("\n");
  });
  expect(look.read(501)).toMatchObject({ parent: 500, terminal: "/dev/ttys003" });
  expect(look.read(502)).toBeNull();
  expect(look.all().map(({ pid }) => pid)).toEqual([1, 500, 501]);
  expect(look.masters(500)).toBeNull();
  expect(look.isWithinOther(501, "")).toBe(false);
  expect(look.all().map((one) => look.input(one).kind)).toEqual(["other", "untold", "untold"]);
  expect(tables).toBe(1);
});

test("where ps is missing a look says so, instead of finding nobody", () => {
  expect(() => lookByTool(() => null).read(1)).toThrow("ps does not tell");
});

test.skipIf(!hasPs)("ps tells of this process who started it", () => {
  const look = lookAtPs();
  expect(look.read(process.pid)).toMatchObject({
    parent: process.ppid,
    startedAt: systemTools.startedAt(process.pid),
    isZombie: false,
  });
});
