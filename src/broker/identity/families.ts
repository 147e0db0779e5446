/** Servers with their clients: from among their processes an answer may not count. */
import type { ProcessIdentity } from "../request/process.js";
import { ancestorsOf, clientAmong } from "./ancestry.js";
import type { ProcessFacts, ProcessLook } from "./source.js";

/** A server's client, with the server itself: a process of neither is a person's. */
export interface Family {
  /** What the client calls itself; null when it gave no name. */
  readonly client: string | null;
  readonly server: ProcessFacts;
  /** The client's processes, the nearest to the server first. */
  readonly processes: readonly ProcessFacts[];
}

/** What the record of another live server says; it counts only where the processes say the same. */
export interface OtherServer {
  readonly pid: number;
  readonly startedAt: string;
  readonly boot: string;
  readonly namespace: string;
  readonly parent: { readonly pid: number; readonly startedAt: string } | null;
  /** The client of that server, by its own word; null when it gave none. */
  readonly client: string | null;
}

/**
 * The family of this process; `ancestors` as they were read before, null to read them now. Throws when it cannot see
 * itself: then /proc is of another pid namespace, and numbers mean other processes there.
 */
export function ownFamily(
  own: ProcessIdentity,
  client: string | null,
  ancestors: readonly ProcessFacts[] | null,
  look: ProcessLook,
): Family {
  const server = look.read(own.pid);
  if (server === null || server === "hidden" || server.startedAt !== own.startedAt) {
    throw new Error("This process does not find itself among the processes.");
  }
  return { client, server, processes: clientAmong(ancestors ?? ancestorsOf(server, look).processes) };
}

/**
 * The family of the server that a record names; null unless that lives here, and was started by the process that the
 * record says. Anybody can write a record, and one of a server that lost its client would name whoever took it in.
 */
export function familyOf(record: OtherServer, own: ProcessIdentity, look: ProcessLook): Family | null {
  if (record.boot !== own.boot || record.namespace !== own.namespace) return null;
  const server = look.read(record.pid);
  if (server === null || server === "hidden" || server.isZombie) return null;
  if (server.startedAt !== record.startedAt) return null;
  const { processes: ancestors } = ancestorsOf(server, look);
  const [parent] = ancestors;
  if (parent === undefined || parent.pid !== record.parent?.pid) return null;
  if (parent.startedAt !== record.parent.startedAt) return null;
  return { client: record.client, server, processes: clientAmong(ancestors) };
}
