import { describe, expect, it } from "vitest";
import type { OtherServer } from "../../../src/broker/identity/families.js";
import { processWitness } from "../../../src/broker/identity/witness.js";
import type { Testimony } from "../../../src/broker/request/assurance.js";
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

/** Two clients in two windows, each with its server, and a person in a third. */
const rows: readonly Row[] = [
  { pid: 1, parent: 0, name: "systemd" },
  { pid: 20, parent: 1, name: "kitty" },
  shellIn("/dev/pts/0", { pid: 30, parent: 20 }),
  { pid: 31, parent: 30, name: "harness" },
  { pid: 32, parent: 31 },
  shellIn("/dev/pts/1", { pid: 40, parent: 20 }),
  { pid: 41, parent: 40, name: "claude" },
  { pid: 42, parent: 41 },
  { pid: 45, parent: 41, terminal: "/dev/pts/7" },
  shellIn("/dev/pts/2", { pid: 50, parent: 20 }),
  { pid: 59, parent: 50, terminal: "/dev/pts/2" },
];
const asking = 32;
const withinOther = 45;
const person = 59;

const record: OtherServer = {
  ...identityOf(42),
  parent: { pid: 41, startedAt: startOf(41) },
  client: "claude-code",
};

function lookOn(system: Processes, others: readonly OtherServer[], unread = 0) {
  const witness = processWitness(
    {
      own: identityOf(asking),
      client: () => "harness",
      isRefusedWithin: (name) => name === "claude-code",
      others: () => ({ servers: others, unread }),
    },
    system.source,
  );
  return (pid: number): Testimony => witness(answerBy(pid), approvalRequest());
}

describe("the client of another server", () => {
  it("counts as that of this one, when it gives its agent a shell", () => {
    const look = lookOn(processesOf(rows), [record]);
    expect(look(withinOther)).toMatchObject({
      verified: { terminal: true, ancestry: false },
      seen: { within: "claude-code" },
      shortfall: "within_client",
    });
    expect(look(person)).toMatchObject({ verified: { ancestry: true }, shortfall: null });
  });

  it("counts as long as it lives, also when its server was ended", () => {
    const left = processesOf(rows.filter(({ pid }) => pid !== 42));
    const look = lookOn(left, [{ ...record, isGone: true }]);
    expect(look(withinOther)).toMatchObject({ seen: { within: "claude-code" }, shortfall: "within_client" });
    expect(look(person)).toMatchObject({ verified: { ancestry: true }, shortfall: null });
    for (const parent of [null, { pid: 41, startedAt: "later" }, { pid: 40, startedAt: startOf(40) }]) {
      expect(lookOn(left, [{ ...record, parent, isGone: true }])(withinOther).shortfall).toBeNull();
    }
  });

  it("counts before this one's own, where an answer is within both", () => {
    const nested = rows.map((row) => (row.pid === 41 ? { ...row, parent: 31 } : row));
    expect(lookOn(processesOf(nested), [record])(withinOther)).toMatchObject({
      seen: { within: "claude-code" },
      shortfall: "within_client",
    });
  });

  it.each<[string, Partial<OtherServer>]>([
    ["names another client than one that gives a shell", { client: "harness" }],
    ["names no client", { client: null }],
    ["is of an earlier process", { startedAt: "earlier" }],
    ["is of a process that is gone", { pid: 99 }],
    ["is of another boot", { boot: "another" }],
    ["is of another container", { namespace: "another" }],
    ["names no parent", { parent: null }],
    ["names another parent than the real one", { parent: { pid: 40, startedAt: startOf(40) } }],
    ["names another parent of the same start", { parent: { pid: 40, startedAt: startOf(41) } }],
    ["names an earlier parent of that number", { parent: { pid: 41, startedAt: "earlier" } }],
  ])("does not count when its record %s", (_why, overrides) => {
    const system = processesOf(rows);
    expect(lookOn(system, [{ ...record, ...overrides }])(withinOther)).toMatchObject({ shortfall: null });
    expect(lookOn(system, [{ ...record, ...overrides }, record])(withinOther).shortfall).toBe(
      "within_client",
    );
  });

  it("cannot be the client of this server under another name: what that is called is known", () => {
    const below = { pid: 35, parent: 31, terminal: "/dev/pts/7" };
    const own = { ...record, ...identityOf(asking), parent: { pid: 31, startedAt: startOf(31) } };
    const look = lookOn(processesOf([...rows, below]), [own]);
    expect(look(35)).toMatchObject({ seen: { within: "harness" }, shortfall: null });
  });

  it("does not count when its server is a zombie, or belongs to somebody else", () => {
    for (const change of [{ isZombie: true }, { isHidden: true }]) {
      const system = processesOf(rows.map((row) => (row.pid === 42 ? { ...row, ...change } : row)));
      expect(lookOn(system, [record])(withinOther).shortfall).toBeNull();
    }
  });

  it.each<[string, Row, number]>([
    ["the shell that a person types into", shellIn("/dev/pts/2", { pid: 50, parent: 20 }), 20],
    ["an emulator", { pid: 50, parent: 20, name: "tmux: server" }, 20],
    ["the answering process", { pid: person, parent: 50, terminal: "/dev/pts/2" }, 50],
  ])("is nobody when its record names %s as the server", (_what, row, parent) => {
    const system = processesOf(rows);
    system.rows.set(row.pid, row);
    const written = {
      ...record,
      ...identityOf(row.pid),
      parent: { pid: parent, startedAt: startOf(parent) },
    };
    const look = lookOn(system, [written, record]);
    expect(look(person)).toMatchObject({
      verified: { ancestry: true },
      seen: { within: null },
      shortfall: null,
    });
    expect(look(withinOther).shortfall).toBe("within_client");
  });

  it("whose record was one too many to be read refuses nobody, and the log counts such records", () => {
    const look = lookOn(processesOf(rows), [], 3);
    expect(look(withinOther)).toMatchObject({
      seen: { unchecked: ["3 records of other servers"] },
      shortfall: null,
    });
    expect(lookOn(processesOf(rows), [record], 3)(withinOther).shortfall).toBe("within_client");
    expect(lookOn(processesOf(rows), [record])(person).seen.unchecked).toEqual([]);
  });

  it("that holds the answering process's terminal is found", () => {
    const system = processesOf(rows);
    const look = lookOn(system, [record]);
    system.rows.set(41, {
      pid: 41,
      parent: 40,
      name: "claude",
      masters: [{ terminal: "/dev/pts/2", place: null }],
    });
    expect(look(person)).toMatchObject({
      verified: { terminal: true, ancestry: false },
      seen: { within: null, masterHolder: { pid: 41, name: "claude" } },
      shortfall: "terminal_held",
    });
    system.rows.set(41, { pid: 41, parent: 40, name: "claude" });
    expect(look(person)).toMatchObject({ verified: { ancestry: true }, shortfall: null });
  });
});

describe("the other end of a terminal", () => {
  const holding = { masters: [{ terminal: "/dev/pts/2", place: null }] };

  it("that both clients hold is the other's, within which nobody answers", () => {
    const system = processesOf(rows);
    system.rows.set(31, { pid: 31, parent: 30, name: "harness", ...holding });
    expect(lookOn(system, [record])(person)).toMatchObject({
      seen: { masterHolder: { pid: 31 } },
      shortfall: null,
    });
    system.rows.set(41, { pid: 41, parent: 40, name: "claude", ...holding });
    const look = lookOn(system, [record]);
    expect(look(person)).toMatchObject({
      seen: { masterHolder: { pid: 41 } },
      shortfall: "terminal_held",
    });
    system.rows.set(41, { pid: 41, parent: 40, name: "claude" });
    expect(look(person)).toMatchObject({ verified: { ancestry: false }, shortfall: null });
  });

  it("that the other client holds within this one's is the other's, too", () => {
    const nested = rows.map((row) => (row.pid === 41 ? { ...row, parent: 31, ...holding } : row));
    expect(lookOn(processesOf(nested), [record])(person).shortfall).toBe("terminal_held");
    expect(lookOn(processesOf(nested), [])(person)).toMatchObject({
      verified: { ancestry: false },
      shortfall: null,
    });
  });

  it("is looked for in one reading of all processes, whoever is refused", () => {
    const system = processesOf(rows);
    const { look } = system.source;
    let looksAtAll = 0;
    const all = () => {
      looksAtAll += 1;
      return look().all();
    };
    system.source.look = () => ({ ...look(), all });
    for (const [index, others] of [[], [record]].entries()) {
      expect(lookOn(system, others)(person).shortfall).toBeNull();
      expect(looksAtAll).toBe(index + 1);
    }
  });
});
