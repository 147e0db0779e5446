import { expect, it } from "vitest";
import { parseStat } from "../../../src/broker/identity/proc-stat.js";

const rest = "4194560 1 0 0 0 0 0 0 0 20 0 11 0 364399 1 1";

it.each([
  [`4711 (node) S 1 4711 4711 0 -1 ${rest}`, { name: "node", isSessionLeader: true, terminal: null }],
  [
    `4711 (a) b (c) R 1 4711 204 34819 4711 ${rest}`,
    { name: "a) b (c", isSessionLeader: false, terminal: "/dev/pts/3" },
  ],
  [`4711 (x) S 0 1 (y) R 1 4711 204 1025 -1 ${rest}`, { name: "x) S 0 1 (y", terminal: "/dev/tty1" }],
  [`4711 (two\nlines) S 1 1 1 34816 -1 ${rest}`, { name: "two\nlines", terminal: "/dev/pts/0" }],
])("the line %j of /proc is read from its last parenthesis on", (line, facts) => {
  expect(parseStat(line)).toMatchObject({
    pid: 4711,
    parent: 1,
    startedAt: "364399",
    isZombie: false,
    ...facts,
  });
});

it.each(["Z", "X"])("state %s is that of a process which has ended but for its number", (state) => {
  expect(parseStat(`4711 (node) ${state} 1 4711 4711 0 -1 ${rest}`)).toMatchObject({ isZombie: true });
});

it.each(["", "4711 (node) S 1", "4711 node S 1 4711"])("a line that is not whole is none: %j", (line) => {
  expect(parseStat(line)).toBeNull();
});
