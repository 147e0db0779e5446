import { describe, expect, it } from "vitest";
import type { Master, ProcessFacts } from "../../../src/broker/identity/source.js";
import { holderAmong, type SoughtTerminal } from "../../../src/broker/identity/terminal-holder.js";
import { type Processes, processesOf, type Row } from "../../support/process-tree.js";

const rows: readonly Row[] = [
  { pid: 1, parent: 0, name: "systemd" },
  { pid: 20, parent: 1, name: "kitty", masters: [{ terminal: "/dev/pts/1", place: null }] },
  { pid: 50, parent: 20, name: "claude" },
  { pid: 51, parent: 50, name: "bash" },
  { pid: 52, parent: 51, name: "python3" },
];

const inner = "/dev/pts/0";
const inSandbox: Master = { terminal: inner, place: 40 };

function holderIn(system: Processes, terminal: string, place: number | null = null) {
  const look = system.source.look();
  const members = [50].map((pid) => look.read(pid) as ProcessFacts);
  return holderAmong([{ members, isRefused: true }], { name: terminal, place, above: [] }, look);
}

function at(name: string): SoughtTerminal {
  return { name, place: null, above: [] };
}

function holding(...masters: readonly Master[]): Processes {
  const system = processesOf(rows);
  system.rows.set(52, { pid: 52, parent: 51, name: "python3", masters });
  return system;
}

describe("the other end of a terminal", () => {
  it("that a process below the client holds is found, however deep, and no other", () => {
    const system = holding({ terminal: "/dev/pts/6", place: null }, { terminal: "/dev/pts/7", place: null });
    expect(holderIn(system, "/dev/pts/7")).toMatchObject({ holder: { pid: 52 }, unchecked: [] });
    expect(holderIn(system, "/dev/pts/70").holder).toBeNull();
  });

  it("that the client itself holds is found", () => {
    const system = processesOf(rows);
    system.rows.set(50, { pid: 50, parent: 20, masters: [{ terminal: "/dev/pts/7", place: null }] });
    expect(holderIn(system, "/dev/pts/7")).toMatchObject({ holder: { pid: 50 } });
  });

  it("that a person's emulator holds is nobody's business, though the client was started in it", () => {
    expect(holderIn(processesOf(rows), "/dev/pts/1").holder).toBeNull();
  });

  it.each<[string, Master, number | null, Row["masters"], boolean]>([
    ["another where an ancestor holds that number", inSandbox, 26, [{ terminal: inner, place: null }], false],
    ["another where an ancestor holds it there", inSandbox, 26, [{ terminal: inner, place: 26 }], false],
    ["the same where no ancestor holds that number", inSandbox, 26, [], true],
    [
      "the same where an ancestor holds another",
      inSandbox,
      26,
      [{ terminal: "/dev/pts/1", place: 26 }],
      true,
    ],
    ["the same where an ancestor holds it elsewhere", inSandbox, 26, [{ terminal: inner, place: 40 }], true],
    ["the same where an ancestor's files cannot be seen", inSandbox, 26, null, true],
    ["the same where too many files were read", inSandbox, 26, "spent", true],
    ["the same in that place", inSandbox, 40, [{ terminal: inner, place: null }], true],
    ["the same where the place of one is not known", inSandbox, null, [{ terminal: inner, place: 26 }], true],
    [
      "the same where its own is not",
      { terminal: inner, place: null },
      26,
      [{ terminal: inner, place: 26 }],
      true,
    ],
  ])("in a sandbox that bears the number of one outside is %s", (_what, master, place, masters, isHeld) => {
    const system = holding(master);
    system.rows.set(20, { pid: 20, parent: 1, name: "kitty", ...(masters === undefined ? {} : { masters }) });
    const look = system.source.look();
    const groups = [{ members: [look.read(50) as ProcessFacts], isRefused: true }];
    const above = [20, 1].map((pid) => look.read(pid) as ProcessFacts);
    expect(holderAmong(groups, { name: inner, place, above }, look).holder !== null).toBe(isHeld);
  });

  it("is not found to be nobody's where there was too much to look through among those who are refused", () => {
    const system = holding({ terminal: "/dev/pts/7", place: null });
    system.rows.set(51, { pid: 51, parent: 50, masters: "spent" });
    expect(holderIn(system, "/dev/pts/8")).toEqual({
      holder: null,
      isRefused: false,
      isCutShort: true,
      unchecked: ["open files of process 51"],
    });
    expect(holderIn(system, "/dev/pts/7")).toMatchObject({ holder: { pid: 52 }, isRefused: true });
    const look = system.source.look();
    const taken = [{ members: [look.read(50) as ProcessFacts], isRefused: false }];
    expect(holderAmong(taken, at("/dev/pts/8"), look)).toMatchObject({ holder: null, isCutShort: false });
    expect(holderIn(holding(), "/dev/pts/8").isCutShort).toBe(false);
  });

  it("is looked for past processes whose files cannot be seen, and those are named", () => {
    const system = holding({ terminal: "/dev/pts/7", place: null });
    system.rows.set(51, { pid: 51, parent: 50, masters: null });
    expect(holderIn(system, "/dev/pts/7")).toMatchObject({
      holder: { pid: 52 },
      unchecked: ["open files of process 51"],
    });
  });

  it("is looked for among the real members, not among those that have their numbers now", () => {
    const system = processesOf(rows);
    const members = [system.source.look().read(50) as ProcessFacts];
    system.rows.set(50, {
      pid: 50,
      parent: 20,
      startedAt: "later",
      masters: [{ terminal: "/dev/pts/7", place: null }],
    });
    const groups = [{ members, isRefused: true }];
    expect(holderAmong(groups, at("/dev/pts/7"), system.source.look()).holder).toBeNull();
  });

  it("is found in the first group that holds it; what could not be seen in several is named once", () => {
    const system = holding({ terminal: "/dev/pts/7", place: null });
    system.rows.set(51, { pid: 51, parent: 50, masters: null });
    const look = system.source.look();
    const group = (pid: number, isRefused: boolean) => ({
      members: [look.read(pid) as ProcessFacts],
      isRefused,
    });
    const found = (...groups: Parameters<typeof holderAmong>[0]) =>
      holderAmong(groups, at("/dev/pts/7"), look);
    expect(found(group(50, false), group(52, true))).toMatchObject({ holder: { pid: 52 }, isRefused: false });
    expect(found(group(52, true), group(50, false))).toMatchObject({ holder: { pid: 52 }, isRefused: true });
    const unseen = {
      holder: null,
      isRefused: false,
      isCutShort: false,
      unchecked: ["open files of process 51"],
    };
    expect(holderAmong([group(51, true), group(50, false)], at("/dev/pts/8"), look)).toEqual(unseen);
  });

  it("is found among processes whose parents go round in a circle or are gone", () => {
    const system = holding({ terminal: "/dev/pts/7", place: null });
    for (const row of [
      { pid: 70, parent: 71 },
      { pid: 71, parent: 70 },
      { pid: 72, parent: 99 },
    ]) {
      system.rows.set(row.pid, { ...row, masters: [{ terminal: "/dev/pts/8", place: null }] });
    }
    expect(holderIn(system, "/dev/pts/8").holder).toBeNull();
    expect(holderIn(system, "/dev/pts/7").holder).not.toBeNull();
  });
});
