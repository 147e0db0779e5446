import { describe, expect, it } from "vitest";
import { processWitness, type WitnessOptions } from "../../../src/broker/identity/witness.js";
import type { Shortfall, Testimony } from "../../../src/broker/request/assurance.js";
import { approvalRequest } from "../../support/builders.js";
import {
  answerBy,
  identityOf,
  type Processes,
  processesOf,
  type Row,
  shellIn,
  startOf,
} from "../../support/process-tree.js";

/** A desktop with two windows of one emulator. The person types into the second. */
const desktop: readonly Row[] = [
  { pid: 1, parent: 0, name: "systemd" },
  { pid: 10, parent: 1, name: "systemd" },
  { pid: 11, parent: 10, name: "gnome-shell" },
  { pid: 20, parent: 10, name: "gnome-terminal-" },
  shellIn("/dev/pts/0", { pid: 30, parent: 20 }),
  shellIn("/dev/pts/1", { pid: 40, parent: 20 }),
  { pid: 49, parent: 40, terminal: "/dev/pts/1" },
];
const person = 49;

/** A client that was started in the first window, and its server behind the usual wrappers. */
const client: readonly Row[] = [
  { pid: 50, parent: 30, name: "claude", terminal: "/dev/pts/0" },
  { pid: 51, parent: 50, name: "npm exec wisp", terminal: "/dev/pts/0" },
  { pid: 52, parent: 51, name: "sh", terminal: "/dev/pts/0" },
  { pid: 60, parent: 52, name: "node", terminal: "/dev/pts/0" },
];
const server = 60;

const shellGiving = "claude-code";

function witnessOn(system: Processes, options: Partial<WitnessOptions> = {}) {
  const witness = processWitness(
    {
      own: identityOf(server),
      client: shellGiving,
      isRefusedWithin: (name) => name === shellGiving,
      others: () => [],
      ...options,
    },
    system.source,
  );
  return (pid: number, startedAt?: string): Testimony => witness(answerBy(pid, startedAt), approvalRequest());
}

function seenBy(rows: readonly Row[], pid: number, options: Partial<WitnessOptions> = {}): Testimony {
  return witnessOn(processesOf(rows), options)(pid);
}

const enough = {
  verified: { terminal: true, ancestry: true, signed: null },
  shortfall: null,
};

function refused(shortfall: Shortfall) {
  return { verified: { terminal: true, ancestry: false, signed: null }, shortfall };
}

describe("who is at a terminal", () => {
  it("a person in another window of the same emulator is", () => {
    expect(seenBy([...desktop, ...client], person)).toMatchObject(enough);
  });

  it("what is typed in the client's own window after Ctrl-Z is a person's too", () => {
    const typed = { pid: 70, parent: 30, terminal: "/dev/pts/0" };
    expect(seenBy([...desktop, ...client, typed], 70)).toMatchObject(enough);
  });

  it("a process whose input is a pipe, a file or another terminal is not, whoever started it", () => {
    const system = processesOf([...desktop, ...client]);
    const look = witnessOn(system);
    system.rows.set(70, { pid: 70, parent: 40, terminal: "/dev/pts/1", input: { kind: "other" } });
    expect(look(70)).toMatchObject({
      verified: { terminal: false, ancestry: true },
      shortfall: "no_terminal",
    });
    system.rows.set(71, { pid: 71, parent: 40 });
    expect(look(71).shortfall).toBe("no_terminal");
    expect(look(person)).toMatchObject(enough);
  });

  it("a process that cannot be looked at is not", () => {
    const system = processesOf([...desktop, ...client]);
    const look = witnessOn(system);
    system.rows.set(70, { pid: 70, parent: 40, terminal: "/dev/pts/1", input: { kind: "unseen" } });
    system.rows.set(71, { pid: 71, parent: 40, isHidden: true });
    expect(look(70)).toMatchObject({ verified: { terminal: null }, shortfall: "process_unseen" });
    expect(look(71)).toMatchObject({ verified: { terminal: null }, shortfall: "process_unseen" });
    expect(look(person)).toMatchObject(enough);
  });

  it("a process that has ended is not, nor its zombie, nor whoever has its number now", () => {
    const system = processesOf([...desktop, ...client]);
    const look = witnessOn(system);
    expect(look(70).shortfall).toBe("process_gone");
    system.rows.set(70, { pid: 70, parent: 40, terminal: "/dev/pts/1", isZombie: true });
    expect(look(70).shortfall).toBe("process_gone");
    expect(look(person, "an earlier start")).toMatchObject({
      verified: { terminal: null, ancestry: null, signed: null },
      shortfall: "process_gone",
    });
    expect(look(person)).toMatchObject(enough);
  });

  it("a number that is given to another process during the look is noticed", () => {
    const system = processesOf([...desktop, ...client]);
    const look = witnessOn(system);
    system.reads.length = 0;
    system.onRead = (pid) => {
      if (pid !== person || !system.reads.includes(person)) return;
      system.rows.set(person, { pid: person, parent: 40, terminal: "/dev/pts/1", startedAt: "later" });
    };
    expect(look(person).shortfall).toBe("process_gone");
    system.onRead = () => {};
    expect(look(person, "later")).toMatchObject(enough);
  });

  it("a process in a container within this one is told from one that has ended", () => {
    const system = processesOf([...desktop, ...client]);
    const elsewhere = { ...system.source.look(), isWithinOther: () => true };
    const look = witnessOn({ ...system, source: { ...system.source, look: () => elsewhere } });
    expect(look(7).shortfall).toBe("process_unseen");
    expect(look(person)).toMatchObject(enough);
  });
});

describe("ancestors that do not show", () => {
  it("to the top because they are somebody else's leave the ancestry open, and the log says so", () => {
    const system = processesOf([...desktop, ...client]);
    system.rows.set(10, { pid: 10, parent: 1, isHidden: true });
    const look = witnessOn(system);
    system.rows.set(70, { pid: 70, parent: 50, terminal: "/dev/pts/0" });
    expect(look(person)).toMatchObject({
      verified: { terminal: true, ancestry: null },
      seen: { unchecked: ["ancestors beyond those that are named"] },
      shortfall: null,
    });
    expect(look(70).shortfall).toBe("within_client");
  });

  it("because they are too many are not looked at, so nobody hides behind them", () => {
    const system = processesOf([...desktop, ...client]);
    const look = witnessOn(system);
    for (let pid = 1_000; pid < 11_000; pid += 1) {
      system.rows.set(pid, { pid, parent: pid === 1_000 ? 50 : pid - 1, terminal: "/dev/pts/7" });
    }
    expect(look(10_999)).toMatchObject({ verified: { ancestry: null }, shortfall: "process_unseen" });
    expect(look(1_500)).toMatchObject({ verified: { ancestry: false }, shortfall: "within_client" });
    expect(look(person)).toMatchObject(enough);
  });
});

describe("within a client that gives its agent a shell", () => {
  it.each<[string, readonly Row[]]>([
    ["from the agent's shell", [{ pid: 70, parent: 50, terminal: "/dev/pts/0" }]],
    [
      "from a pseudo-terminal of its own",
      [
        { pid: 69, parent: 50, name: "script" },
        shellIn("/dev/pts/7", { pid: 68, parent: 69 }),
        { pid: 70, parent: 68, terminal: "/dev/pts/7" },
      ],
    ],
    [
      "from a session of its own",
      [
        { pid: 69, parent: 50, name: "setsid", isSessionLeader: true },
        { pid: 70, parent: 69, isSessionLeader: true, terminal: "/dev/pts/7" },
      ],
    ],
    ["from a command that the server runs", [{ pid: 70, parent: server, terminal: "/dev/pts/7" }]],
    ["from a wrapper of the server", [{ pid: 70, parent: 51, terminal: "/dev/pts/7" }]],
  ])("an answer %s does not count, and a person's does", (_where, rows) => {
    const look = witnessOn(processesOf([...desktop, ...client, ...rows]));
    expect(look(70)).toMatchObject({ ...refused("within_client"), seen: { within: shellGiving } });
    expect(look(person)).toMatchObject(enough);
  });

  it("the same counts under a client that is not known to, and the log says where it came from", () => {
    const rows = [...desktop, ...client, { pid: 70, parent: 50, terminal: "/dev/pts/0" }];
    expect(seenBy(rows, 70, { client: "harness" })).toMatchObject({
      verified: { terminal: true, ancestry: false, signed: null },
      seen: { within: "harness" },
      shortfall: null,
    });
    expect(seenBy(rows, 70, { client: null })).toMatchObject({ seen: { within: "a client without a name" } });
  });

  it("a wrapper that ends later hides nobody, because its ancestors are known since the server started", () => {
    const system = processesOf([...desktop, ...client, { pid: 70, parent: 50, terminal: "/dev/pts/0" }]);
    const look = witnessOn(system);
    system.rows.delete(51);
    system.rows.set(52, { pid: 52, parent: 1, name: "sh" });
    expect(look(70).shortfall).toBe("within_client");
    expect(look(person)).toMatchObject(enough);
  });

  it("ancestors that were read at the start of the server count, not those of the first ask", () => {
    const system = processesOf([...desktop, ...client, { pid: 70, parent: 50, terminal: "/dev/pts/0" }]);
    const ancestors = [52, 51, 50, 30].flatMap((pid) => {
      const one = system.source.look().read(pid);
      return one === null || one === "hidden" ? [] : one;
    });
    system.rows.set(60, { pid: 60, parent: 1 });
    expect(witnessOn(system)(70).shortfall).toBeNull();
    const look = witnessOn(system, { ancestors });
    expect(look(70).shortfall).toBe("within_client");
    expect(look(person)).toMatchObject(enough);
  });
});

describe("the log", () => {
  it("names the answering process, its ancestors, the client and what held, and no more", () => {
    const { seen } = seenBy([...desktop, ...client], person);
    expect(seen).toEqual({
      pid: person,
      startedAt: startOf(person),
      tty: "/dev/pts/1",
      ancestors: [
        { pid: 40, name: "bash", startedAt: startOf(40) },
        { pid: 20, name: "gnome-terminal-", startedAt: startOf(20) },
        { pid: 10, name: "systemd", startedAt: startOf(10) },
        { pid: 1, name: "systemd", startedAt: startOf(1) },
      ],
      client: [
        { pid: 52, name: "sh", startedAt: startOf(52) },
        { pid: 51, name: "npm exec wisp", startedAt: startOf(51) },
        { pid: 50, name: "claude", startedAt: startOf(50) },
      ],
      within: null,
      masterHolder: null,
      unchecked: [],
    });
  });

  it("names at most 32 processes in a list", () => {
    const deep = Array.from({ length: 40 }, (_, index) => ({ pid: 100 + index, parent: 99 + index }));
    const rows = [...desktop, ...client, { pid: 99, parent: 50 }, ...deep];
    expect(seenBy(rows, 139).seen.ancestors).toHaveLength(32);
    expect(seenBy(rows, 139).verified.ancestry).toBe(false);
  });

  it("shows hostile names as what they are, of bounded length", () => {
    const name = `a\u001b[2J${"x".repeat(10_000)}`;
    const { seen } = seenBy(
      [...desktop, ...client, { pid: 70, parent: 50, name, terminal: "/dev/pts/0" }, { pid: 71, parent: 70 }],
      71,
    );
    const [parent] = seen.ancestors as readonly { readonly name: string }[];
    expect(parent?.name).toMatch(/^a\\u\{1b\}\[2Jx{100,300}$/);
  });
});

describe("a look", () => {
  it("reads each ancestor once and the answering process twice, and not the server's own again", () => {
    const system = processesOf([...desktop, ...client]);
    const look = witnessOn(system, { client: "harness" });
    look(person);
    system.reads.length = 0;
    expect(look(person)).toMatchObject(enough);
    expect(system.reads).toEqual([person, 40, 20, 10, 1, person]);
  });

  it("that fails refuses, says why, and the next one is taken", () => {
    const system = processesOf([...desktop, ...client]);
    const look = witnessOn(system);
    system.onRead = () => {
      throw new Error("EMFILE: too many\u001b open files");
    };
    expect(look(person)).toEqual({
      verified: { terminal: null, ancestry: null, signed: null },
      seen: { pid: person, startedAt: startOf(person), fault: "EMFILE: too many\\u{1b} open files" },
      shortfall: "process_unseen",
    });
    system.onRead = () => {};
    expect(look(person)).toMatchObject(enough);
  });

  it("of a server that could not see who started it refuses until it can", () => {
    const system = processesOf([...desktop, ...client]);
    system.rows.set(server, { pid: server, parent: 52, startedAt: "of another namespace" });
    const look = witnessOn(system);
    expect(look(person)).toMatchObject({ shortfall: "process_unseen" });
    system.rows.set(server, { pid: server, parent: 52 });
    expect(look(person)).toMatchObject(enough);
  });

  it("on a system that does not tell what a process reads from goes by its terminal, and says so", () => {
    const rows = [...desktop, ...client].map((row): Row => ({ ...row, input: { kind: "untold" } }));
    expect(seenBy(rows, person)).toMatchObject({
      ...enough,
      seen: { unchecked: ["standard input", "who holds the terminal"] },
    });
  });
});
