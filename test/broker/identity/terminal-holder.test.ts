import { describe, expect, it } from "vitest";
import type { Master, ProcessFacts } from "../../../src/broker/identity/source.js";
import { holderAmong } from "../../../src/broker/identity/terminal-holder.js";
import { type Processes, processesOf, type Row } from "../../support/process-tree.js";

const rows: readonly Row[] = [
  { pid: 1, parent: 0, name: "systemd" },
  { pid: 20, parent: 1, name: "kitty", masters: [{ terminal: "/dev/pts/1", place: null }] },
  { pid: 50, parent: 20, name: "claude" },
  { pid: 51, parent: 50, name: "bash" },
  { pid: 52, parent: 51, name: "python3" },
];

function holderIn(system: Processes, terminal: string, place: number | null = null) {
  const look = system.source.look();
  const members = [50].map((pid) => look.read(pid) as ProcessFacts);
  return holderAmong(members, terminal, place, look);
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

  it("in a sandbox may bear the number of one outside: it is another where both places are known", () => {
    const system = holding({ terminal: "/dev/pts/0", place: 40 });
    expect(holderIn(system, "/dev/pts/0", 26).holder).toBeNull();
    expect(holderIn(system, "/dev/pts/0", 40).holder).not.toBeNull();
    expect(holderIn(system, "/dev/pts/0", null).holder).not.toBeNull();
    expect(
      holderIn(holding({ terminal: "/dev/pts/0", place: null }), "/dev/pts/0", 26).holder,
    ).not.toBeNull();
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
    expect(holderAmong(members, "/dev/pts/7", null, system.source.look()).holder).toBeNull();
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
