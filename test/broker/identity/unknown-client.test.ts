/** Servers whose client is not, or no longer, among those who started them, and clients that give several names. */
import { describe, expect, it } from "vitest";
import { type Ancestry, ancestorsOf } from "../../../src/broker/identity/ancestry.js";
import { processWitness, type WitnessOptions } from "../../../src/broker/identity/witness.js";
import type { Testimony } from "../../../src/broker/request/assurance.js";
import { approvalRequest } from "../../support/builders.js";
import {
  answerBy,
  identityOf,
  type Processes,
  processesOf,
  type Row,
  shellIn,
} from "../../support/process-tree.js";

/** A client in one window behind two wrappers, a person in another, and the agent in a terminal of its own making. */
const rows: readonly Row[] = [
  { pid: 1, parent: 0, name: "systemd" },
  { pid: 20, parent: 1, name: "kitty" },
  shellIn("/dev/pts/0", { pid: 30, parent: 20, session: 30 }),
  { pid: 50, parent: 30, name: "claude", terminal: "/dev/pts/0", session: 30 },
  { pid: 51, parent: 50, name: "npm exec wisp", terminal: "/dev/pts/0", session: 30 },
  { pid: 52, parent: 51, name: "sh", terminal: "/dev/pts/0", session: 30 },
  { pid: 60, parent: 52, name: "node", terminal: "/dev/pts/0", session: 30 },
  { pid: 70, parent: 50, terminal: "/dev/pts/7" },
  shellIn("/dev/pts/1", { pid: 40, parent: 20, session: 40 }),
  { pid: 49, parent: 40, terminal: "/dev/pts/1", session: 40 },
];
const [server, agent, person] = [60, 70, 49];
const shellGiving = "claude-code";

function witnessOn(system: Processes, options: Partial<WitnessOptions> = {}) {
  return processWitness(
    {
      own: identityOf(server),
      client: () => shellGiving,
      isRefusedWithin: (name) => name === shellGiving,
      others: () => ({ servers: [], unread: 0 }),
      ...options,
    },
    system.source,
  );
}

function lookOn(system: Processes, options: Partial<WitnessOptions> = {}) {
  const witness = witnessOn(system, options);
  return (pid: number): Testimony => witness(answerBy(pid), approvalRequest());
}

/** As the first process takes it in when its parent has ended. */
function orphaned(pid: number): Processes {
  const system = processesOf(rows);
  const row = system.rows.get(pid);
  if (row === undefined) throw new Error(`No row ${pid}.`);
  system.rows.delete(row.parent);
  system.rows.set(pid, { ...row, parent: 1 });
  return system;
}

function ancestryIn(system: Processes): Ancestry {
  const look = system.source.look();
  const one = look.read(server);
  if (one === null || one === "hidden") throw new Error("No server.");
  return ancestorsOf(one, look);
}

describe("a server that does not know who started it", () => {
  it.each<[string, Processes, string]>([
    [
      "because a wrapper was ended while it started",
      orphaned(server),
      "no process of a client started this server",
    ],
    [
      "because a wrapper before the last was ended while it started",
      orphaned(52),
      "a process between this server and the shell of its terminal has ended",
    ],
  ])("%s finds nobody's terminal enough, and says why", (_why, system, fault) => {
    const look = lookOn(system);
    for (const pid of [agent, person]) {
      expect(look(pid)).toMatchObject({ seen: { pid, fault }, shortfall: "process_unseen" });
    }
    const good = lookOn(processesOf(rows));
    expect(good(agent).shortfall).toBe("within_client");
    expect(good(person)).toMatchObject({ verified: { terminal: true, ancestry: true }, shortfall: null });
    expect(good(person).seen).not.toHaveProperty("fault");
  });

  it("because it could not read them to the end finds nobody's terminal enough", () => {
    const lost: Ancestry = { processes: ancestryIn(processesOf(rows)).processes, end: "lost" };
    const look = lookOn(processesOf(rows), { ancestry: lost });
    expect(look(person)).toMatchObject({
      seen: { fault: "who started this server could not be read to the end" },
      shortfall: "process_unseen",
    });
    const whole = lookOn(processesOf(rows), { ancestry: { ...lost, end: "top" } });
    expect(whole(person).shortfall).toBeNull();
  });

  it("finds out when it starts: what ends later changes nothing", () => {
    const ancestry = ancestryIn(processesOf(rows));
    for (const pid of [server, 52]) {
      const look = lookOn(orphaned(pid), { ancestry });
      expect(look(agent).shortfall).toBe("within_client");
      expect(look(person).shortfall).toBeNull();
    }
  });

  it("takes answers all the same for a client that is not known to give its agent a shell", () => {
    const look = lookOn(orphaned(server), { client: () => "harness" });
    expect(look(person)).toMatchObject({ shortfall: null });
    expect(look(person).seen).not.toHaveProperty("fault");
  });

  it("refuses first what is within it, and what is at no terminal", () => {
    const system = orphaned(server);
    system.rows.set(80, { pid: 80, parent: server, terminal: "/dev/pts/8" });
    system.rows.set(81, { pid: 81, parent: 40, terminal: "/dev/pts/1", input: { kind: "other" } });
    const look = lookOn(system);
    expect(look(80).shortfall).toBe("within_client");
    expect(look(81).shortfall).toBe("no_terminal");
  });
});

describe("a client in a container is known", () => {
  const face = { pid: 90, parent: 0, terminal: "/dev/pts/1" };

  it.each<[string, readonly Row[]]>([
    [
      "that is its first process and has the terminal",
      [
        { pid: 1, parent: 0, name: "claude", isSessionLeader: true, session: 1, terminal: "/dev/pts/0" },
        { pid: 41, parent: 1, name: "npm exec", session: 1, terminal: "/dev/pts/0" },
        { pid: server, parent: 41, session: 1, terminal: "/dev/pts/0" },
      ],
    ],
    [
      "that is its first process and started the server",
      [
        { pid: 1, parent: 0, name: "claude" },
        { pid: server, parent: 1 },
      ],
    ],
    [
      "that a first process which only waits has taken in",
      [
        { pid: 1, parent: 0, name: "sleep" },
        { pid: 41, parent: 1, name: "claude" },
        { pid: server, parent: 41 },
      ],
    ],
    [
      "that was put into it from outside",
      [
        { pid: 1, parent: 0, name: "tini" },
        { pid: 41, parent: 0, name: "claude", isSessionLeader: true, session: 41, terminal: "/dev/pts/0" },
        { pid: server, parent: 41, session: 41, terminal: "/dev/pts/0" },
      ],
    ],
  ])("%s", (_how, container) => {
    const look = lookOn(processesOf([...container, face]));
    expect(look(90)).toMatchObject({ verified: { ancestry: true }, shortfall: null });
  });

  it("but not one outside of it: nothing there tells an agent's terminal from a person's", () => {
    const look = lookOn(processesOf([{ pid: server, parent: 0 }, face]));
    expect(look(90).shortfall).toBe("process_unseen");
  });
});

describe("calls under several names", () => {
  const named = (name: string) => approvalRequest({ client: { name, version: "1" } });

  it("let no answer count from within for the request of a client that refuses it, whoever asked first", () => {
    const witness = witnessOn(processesOf(rows), { client: () => "gateway" });
    expect(witness(answerBy(agent), named("gateway"))).toMatchObject({
      seen: { within: "gateway" },
      shortfall: null,
    });
    expect(witness(answerBy(agent), named(shellGiving))).toMatchObject({
      verified: { ancestry: false },
      seen: { within: shellGiving },
      shortfall: "within_client",
    });
    expect(witness(answerBy(person), named(shellGiving))).toMatchObject({ shortfall: null });
  });

  it("let none count for any request once one of them refuses it", () => {
    let name = "gateway";
    const witness = witnessOn(processesOf(rows), { client: () => name });
    expect(witness(answerBy(agent), named("gateway")).shortfall).toBeNull();
    name = shellGiving;
    expect(witness(answerBy(agent), named("gateway")).shortfall).toBe("within_client");
    expect(witness(answerBy(person), named("gateway")).shortfall).toBeNull();
  });
});
