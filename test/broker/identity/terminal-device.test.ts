import { expect, it } from "vitest";
import { pseudoTerminalName, terminalName } from "../../../src/broker/identity/terminal-device.js";

/** As the kernel packs a device into 32 bits, and libraries into 64: makedev(3). */
function packed(major: number, minor: number): number {
  return (minor & 0xff) + (major & 0xfff) * 2 ** 8 + (minor & 0xfff00) * 2 ** 12;
}

it.each([
  [0, null],
  [packed(136, 3), "/dev/pts/3"],
  [packed(136, 255), "/dev/pts/255"],
  [packed(136, 256), "/dev/pts/256"],
  [packed(136, 70_000), "/dev/pts/70000"],
  [packed(4, 1), "/dev/tty1"],
  [packed(4, 64), "4:64"],
  [packed(5, 0), "/dev/tty"],
  [packed(5, 1), "5:1"],
  [packed(188, 0), "188:0"],
])("device number %i is %s", (device, name) => {
  expect(terminalName(device)).toBe(name);
});

it("a number that /proc writes with a sign is the one that stat writes without", () => {
  const device = packed(136, 0x80003);
  expect(terminalName(device)).toBe(pseudoTerminalName(0x80003));
  expect(terminalName(device | 0)).toBe(pseudoTerminalName(0x80003));
  expect(device | 0).toBeLessThan(0);
});

it("a number beyond 32 bits is not taken for the terminal that its low half names", () => {
  expect(terminalName(packed(136, 3) + 2 ** 44)).not.toBe("/dev/pts/3");
});
