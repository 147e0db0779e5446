/** A system of processes that stands in a table: who started whom, in which terminal, holding what. */
import type { LookSource, Master, ProcessFacts, StandardInput } from "../../src/broker/identity/source.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { ProcessIdentity } from "../../src/broker/request/process.js";

/** One row; what a test does not say is the least that a process has. */
export interface Row extends Partial<ProcessFacts> {
  readonly pid: number;
  readonly parent: number;
  /** What it reads from; without this its controlling terminal, where it has one. */
  readonly input?: StandardInput;
  /** Masters that it holds; null when that cannot be seen. */
  readonly masters?: readonly Master[] | null;
  /** It belongs to somebody else, and the system shows nothing of it. */
  readonly isHidden?: boolean;
}

/** The table, and the source that tells it. */
export interface Processes {
  readonly source: { -readonly [Key in keyof LookSource]: LookSource[Key] };
  readonly rows: Map<number, Row>;
  /** Numbers in the order in which they were read. */
  readonly reads: number[];
  /** Called before each reading of a process. */
  onRead: (pid: number) => void;
}

/** A system with these processes. */
export function processesOf(rows: readonly Row[]): Processes {
  const table = new Map(rows.map((row) => [row.pid, row]));
  const system: Processes = { source: sourceOf(), rows: table, reads: [], onRead: () => {} };

  function sourceOf(): LookSource {
    return {
      look: () => ({
        read(pid) {
          system.onRead(pid);
          system.reads.push(pid);
          const row = table.get(pid);
          return row?.isHidden === true ? "hidden" : factsOf(row);
        },
        input: ({ pid, terminal }) =>
          table.get(pid)?.input ??
          (terminal === null ? { kind: "other" } : { kind: "controlling", place: null }),
        isWithinOther: () => false,
        all: () => [...table.values()].flatMap((row) => (row.isHidden === true ? [] : (factsOf(row) ?? []))),
        masters(pid) {
          const { masters } = table.get(pid) ?? {};
          return masters === undefined ? [] : masters;
        },
      }),
    };
  }
  return system;
}

function factsOf(row: Row | undefined): ProcessFacts | null {
  if (row === undefined) return null;
  const { pid, parent, startedAt = startOf(pid), name = "node", terminal = null } = row;
  const { isSessionLeader = false, isZombie = false } = row;
  return { pid, parent, startedAt, name, isSessionLeader, isZombie, terminal };
}

/** When the first process with that number started. */
export function startOf(pid: number): string {
  return `start of ${pid}`;
}

/** Process `pid` of that system, as it knows itself. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid), boot: "boot", namespace: "1" };
}

/** A shell that leads the session of a terminal. */
export function shellIn(terminal: string, row: Row): Row {
  return { name: "bash", ...row, isSessionLeader: true, terminal };
}

/** An approving answer that process `pid` gave, by its own word. */
export function answerBy(pid: number, startedAt = startOf(pid)): Answer {
  return {
    v: 1,
    id: "abcdefgh",
    binding: "0".repeat(64),
    decision: "approve",
    scope: "once",
    via: "cli",
    answeredAt: 0,
    by: { pid, startedAt, tty: null, version: "0.1.0" },
  };
}
