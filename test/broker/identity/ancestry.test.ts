import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ancestorsOf, clientAmong } from "../../../src/broker/identity/ancestry.js";
import type { ProcessFacts, ProcessLook } from "../../../src/broker/identity/source.js";
import { processWitness } from "../../../src/broker/identity/witness.js";
import { approvalRequest } from "../../support/builders.js";
import { answerBy, identityOf, processesOf, type Row, shellIn } from "../../support/process-tree.js";

function read(look: ProcessLook, pid: number): ProcessFacts {
  const one = look.read(pid);
  if (one === null || one === "hidden") throw new Error(`No process ${pid}.`);
  return one;
}

/** Numbers of the client of the last process in the table. */
function clientIn(rows: readonly Row[]): readonly number[] {
  const look = processesOf(rows).source.look();
  const server = read(look, rows.at(-1)?.pid ?? 0);
  return clientAmong(ancestorsOf(server, look).processes).map(({ pid }) => pid);
}

const init: Row = { pid: 1, parent: 0, name: "systemd" };
const session: Row = { pid: 10, parent: 1, name: "systemd" };

describe("the client of a server", () => {
  it.each<[string, readonly Row[], readonly number[]]>([
    [
      "in a window ends below the shell that a person types into",
      [
        init,
        { pid: 20, parent: 1, name: "kitty" },
        shellIn("/dev/pts/0", { pid: 30, parent: 20 }),
        { pid: 40, parent: 30, name: "codex" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "holds the wrappers between it and the server",
      [
        init,
        shellIn("/dev/pts/0", { pid: 30, parent: 1, name: "-zsh" }),
        { pid: 40, parent: 30, name: "claude" },
        { pid: 41, parent: 40, name: "npm exec" },
        { pid: 42, parent: 41, name: "sh" },
        { pid: 50, parent: 42 },
      ],
      [42, 41, 40],
    ],
    [
      "that a multiplexer started is the leader of its pane",
      [
        init,
        { pid: 20, parent: 1, name: "tmux: server" },
        { pid: 40, parent: 20, name: "claude", isSessionLeader: true, terminal: "/dev/pts/3" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "in a pane ends below the shell of that pane",
      [
        init,
        { pid: 20, parent: 1, name: "tmux: server" },
        shellIn("/dev/pts/3", { pid: 30, parent: 20, name: "fish" }),
        { pid: 40, parent: 30, name: "claude" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "that an emulator was started for is the leader of its window",
      [
        init,
        session,
        { pid: 20, parent: 10, name: "gnome-terminal-" },
        { pid: 40, parent: 20, name: "opencode", isSessionLeader: true, terminal: "/dev/pts/3" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "that a multiplexer with a version in its name started ends below that",
      [
        { pid: 1, parent: 0, name: "launchd" },
        { pid: 20, parent: 1, name: "iTermServer-3.5.10" },
        { pid: 40, parent: 20, name: "claude", isSessionLeader: true, terminal: "/dev/ttys003" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "that came over ssh is the leader of its session",
      [
        init,
        { pid: 20, parent: 1, name: "sshd" },
        { pid: 21, parent: 20, name: "sshd-session" },
        { pid: 40, parent: 21, name: "gemini", isSessionLeader: true, terminal: "/dev/pts/3" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "that the desktop started ends below the desktop",
      [
        init,
        session,
        { pid: 11, parent: 10, name: "gnome-shell" },
        { pid: 40, parent: 11, name: "cursor" },
        { pid: 41, parent: 40, name: "cursor" },
        { pid: 50, parent: 41 },
      ],
      [41, 40],
    ],
    [
      "that launchd started ends below launchd",
      [
        { pid: 1, parent: 0, name: "launchd" },
        { pid: 40, parent: 1, name: "Code Helper (Plugin)" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "that ran at a set time ends below what runs it then",
      [
        init,
        { pid: 20, parent: 1, name: "cron" },
        { pid: 30, parent: 20, name: "sh", isSessionLeader: true },
        { pid: 40, parent: 30, name: "claude" },
        { pid: 50, parent: 40 },
      ],
      [40, 30],
    ],
    [
      "in a nested shell holds that shell: it could be the client's",
      [
        init,
        shellIn("/dev/pts/0", { pid: 30, parent: 1 }),
        { pid: 31, parent: 30, name: "bash", terminal: "/dev/pts/0" },
        { pid: 40, parent: 31, name: "claude" },
        { pid: 50, parent: 40 },
      ],
      [40, 31],
    ],
    [
      "under an unknown emulator holds that too: an unknown name is no person's",
      [
        init,
        session,
        { pid: 20, parent: 10, name: "newterm" },
        { pid: 40, parent: 20, name: "claude", isSessionLeader: true, terminal: "/dev/pts/3" },
        { pid: 50, parent: 40 },
      ],
      [40, 20],
    ],
    [
      "that a container was started for is its first process, if it has the terminal",
      [
        { pid: 1, parent: 0, name: "claude", isSessionLeader: true, terminal: "/dev/pts/0" },
        { pid: 41, parent: 1, name: "npm exec" },
        { pid: 50, parent: 41 },
      ],
      [41, 1],
    ],
    [
      "that a container was started for is its first process, if it started the server",
      [
        { pid: 1, parent: 0, name: "claude" },
        { pid: 50, parent: 1 },
      ],
      [1],
    ],
    [
      "in a container ends below a first process that only waits",
      [
        { pid: 1, parent: 0, name: "sleep" },
        { pid: 40, parent: 1, name: "claude" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "that was put into a container ends at its edge",
      [
        { pid: 40, parent: 0, name: "claude", isSessionLeader: true, terminal: "/dev/pts/1" },
        { pid: 50, parent: 40 },
      ],
      [40],
    ],
    [
      "of a server that a person started by hand is nobody",
      [init, shellIn("/dev/pts/0", { pid: 30, parent: 1 }), { pid: 50, parent: 30 }],
      [],
    ],
  ])("%s", (_rule, rows, client) => {
    expect(clientIn(rows)).toEqual(client);
  });
});

describe("ancestors", () => {
  it("end where somebody else's process does not show", () => {
    const look = processesOf([
      { pid: 1, parent: 0, isHidden: true },
      { pid: 2, parent: 1 },
      { pid: 3, parent: 2 },
    ]).source.look();
    expect(ancestorsOf(read(look, 3), look)).toMatchObject({ processes: [{ pid: 2 }], end: "hidden" });
  });

  it("that go round in a circle, are too many, or are never there, are lost", () => {
    const circle = processesOf([
      { pid: 2, parent: 3 },
      { pid: 3, parent: 2 },
      { pid: 4, parent: 4 },
    ]).source.look();
    expect(ancestorsOf(read(circle, 2), circle).end).toBe("lost");
    expect(ancestorsOf(read(circle, 4), circle).end).toBe("lost");
    const deep = processesOf(
      Array.from({ length: 10_000 }, (_, index) => ({ pid: index + 1, parent: index })),
    ).source.look();
    expect(ancestorsOf(read(deep, 10_000), deep).end).toBe("lost");
    expect(ancestorsOf(read(deep, 900), deep).end).toBe("top");
    const orphan = processesOf([{ pid: 2, parent: 99 }]).source.look();
    expect(ancestorsOf(read(orphan, 2), orphan)).toEqual({ processes: [], end: "lost" });
  });

  it("are read again when one ends meanwhile, and are then those it left its child to", () => {
    const system = processesOf([
      init,
      { pid: 20, parent: 1 },
      { pid: 21, parent: 20 },
      { pid: 22, parent: 21 },
    ]);
    const look = system.source.look();
    const one = read(look, 22);
    system.onRead = (pid) => {
      if (pid !== 20) return;
      system.rows.delete(20);
      system.rows.set(21, { pid: 21, parent: 1 });
    };
    expect(ancestorsOf(one, look)).toMatchObject({ processes: [{ pid: 21 }, { pid: 1 }], end: "top" });
  });

  it("that begin with a parent who ends meanwhile are read from the process itself", () => {
    const system = processesOf([init, { pid: 20, parent: 1 }, { pid: 21, parent: 20 }]);
    const look = system.source.look();
    const one = read(look, 21);
    system.rows.delete(20);
    system.rows.set(21, { pid: 21, parent: 1 });
    expect(ancestorsOf(one, look)).toMatchObject({ processes: [{ pid: 1 }], end: "top" });
    system.rows.delete(21);
    expect(ancestorsOf(one, look).end).toBe("lost");
  });

  it("pass through a process that has ended in its first thread only", () => {
    const look = processesOf([
      init,
      { pid: 20, parent: 1, isZombie: true },
      { pid: 21, parent: 20 },
    ]).source.look();
    expect(ancestorsOf(read(look, 21), look)).toMatchObject({
      processes: [{ pid: 20 }, { pid: 1 }],
      end: "top",
    });
  });
});

/** Trees in which every process has a lower number for a parent; the names of persons' programs are among the rest. */
const trees = fc
  .array(
    fc.record({
      under: fc.nat(),
      name: fc.constantFrom("bash", "node", "claude", "tmux: server", "systemd", "script", "sh"),
      isSessionLeader: fc.boolean(),
      terminal: fc.constantFrom("/dev/pts/0", "/dev/pts/1", null),
    }),
    { minLength: 2, maxLength: 40 },
  )
  .map((made) =>
    made.map(({ under, ...row }, index): Row => ({ ...row, pid: index + 1, parent: under % (index + 1) })),
  );

describe("in any tree of processes", () => {
  it("an answer counts if and only if it has no process of the client above it, and has a terminal", () => {
    fc.assert(
      fc.property(trees, fc.nat(), (rows, pick) => {
        const byNumber = new Map(rows.map((row) => [row.pid, row]));
        const up = (pid: number): readonly Row[] => {
          const row = byNumber.get(pid);
          return row === undefined ? [] : [row, ...up(row.parent)];
        };
        const server = (pick % rows.length) + 1;
        const members = new Set([server]);
        for (const [index, row] of up(server).slice(1).entries()) {
          const leads = row.isSessionLeader === true && row.terminal !== null;
          if (row.name === "systemd" || row.name === "tmux: server") break;
          if (leads && (row.name === "bash" || row.name === "sh")) break;
          if (row.pid === 1 && !leads && index > 0) break;
          members.add(row.pid);
        }
        const witness = processWitness(
          { own: identityOf(server), client: "c", isRefusedWithin: () => true, others: () => [] },
          processesOf(rows).source,
        );
        for (const { pid, terminal } of rows) {
          const isWithin = up(pid).some((row) => members.has(row.pid));
          const expected = terminal === null ? "no_terminal" : isWithin ? "within_client" : null;
          const testimony = witness(answerBy(pid), approvalRequest());
          expect(testimony.shortfall).toBe(expected);
          expect(testimony.verified.ancestry).toBe(!isWithin);
        }
      }),
    );
  });
});
