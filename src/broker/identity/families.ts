/** Servers with their clients: from among their processes an answer may not count. */
import type { ProcessIdentity } from "../request/process.js";
import { type Ancestry, ancestorsOf, clientAmong, isAmong, isPersons } from "./ancestry.js";
import type { ProcessFacts, ProcessLook } from "./source.js";

/** A server's client, with the server itself: a process of neither is a person's. */
export interface Family {
  /** What the client calls itself; null when it gave no name. */
  readonly client: string | null;
  readonly server: ProcessFacts;
  /** The client's processes, the nearest to the server first. */
  readonly processes: readonly ProcessFacts[];
}

/** The family of the server that asks. */
export interface OwnFamily extends Family {
  /** Why its client may be another than these processes, in words for the log; null where nothing says so. */
  readonly doubt: string | null;
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
  /** The server is gone, and the process that started it is not: that is taken for its client. */
  readonly isGone?: boolean;
}

/** A server as its record tells of it; `unnamed` stands for a client without a name. */
export function otherServerOf(
  { pid, startedAt, boot, namespace, parent, client }: RecordedServer,
  unnamed: string | null = null,
): OtherServer {
  return { pid, startedAt, boot, namespace, parent, client: client?.name ?? unnamed };
}

/** The part of a server's record that says where it stands among the processes. */
interface RecordedServer extends Omit<OtherServer, "client" | "isGone"> {
  readonly client: { readonly name: string } | null;
}

/** The records of other servers that were read, and how many there were besides. */
export interface OtherServers {
  readonly servers: readonly OtherServer[];
  readonly unread: number;
}

/**
 * The family of this process; `ancestry` as it was read before, null to read it now. Throws when it cannot see itself:
 * then /proc is of another pid namespace, and numbers mean other processes there.
 */
export function ownFamily(
  own: ProcessIdentity,
  client: string | null,
  ancestry: Ancestry | null,
  look: ProcessLook,
): OwnFamily {
  const server = look.read(own.pid);
  if (server === null || server === "hidden" || server.startedAt !== own.startedAt) {
    throw new Error("This process does not find itself among the processes.");
  }
  const found = ancestry ?? ancestorsOf(server, look);
  const processes = clientAmong(found.processes);
  return { client, server, processes, doubt: doubtOf(server, found, processes, look) };
}

/**
 * Whoever stops a server while it starts can end a wrapper before the server reads who started it. What it reads then is
 * as true as ever, and its client is nobody in it.
 */
function doubtOf(
  server: ProcessFacts,
  { processes: ancestors, end }: Ancestry,
  client: readonly ProcessFacts[],
  look: ProcessLook,
): string | null {
  if (end === "lost") return "who started this server could not be read to the end";
  if (client.length === 0) return "no process of a client started this server";
  const leader = look.read(server.session);
  if (leader === null || leader === "hidden" || leader.terminal === null) return null;
  // A shell starts what runs in its terminal: it is among the ancestors unless one between them has ended.
  if (isAmong([server, ...ancestors], leader)) return null;
  return "a process between this server and the shell of its terminal has ended";
}

/**
 * The family of the server that a record names; null unless that lives here, and was started by the process that the
 * record says. Anybody can write a record: one of a server that lost its client would name whoever took it in, and one
 * that names a person's shell would refuse that person.
 */
export function familyOf(record: OtherServer, own: ProcessIdentity, look: ProcessLook): Family | null {
  if (record.boot !== own.boot || record.namespace !== own.namespace) return null;
  if (record.isGone === true) return familyLeftBy(record, look);
  const server = look.read(record.pid);
  if (server === null || server === "hidden" || server.isZombie) return null;
  if (server.startedAt !== record.startedAt || isPersons(server)) return null;
  const { processes: ancestors } = ancestorsOf(server, look);
  const [parent] = ancestors;
  if (parent === undefined || parent.pid !== record.parent?.pid) return null;
  if (parent.startedAt !== record.parent.startedAt) return null;
  return { client: record.client, server, processes: clientAmong(ancestors) };
}

/**
 * What a server that is gone left of its family: an agent that ends its own server is still within its client. Nobody can
 * see any more that the parent started it; a record that lies refuses somebody, and lets nobody in.
 */
function familyLeftBy({ parent, client }: OtherServer, look: ProcessLook): Family | null {
  if (parent === null) return null;
  const starter = look.read(parent.pid);
  if (starter === null || starter === "hidden" || starter.isZombie) return null;
  if (starter.startedAt !== parent.startedAt) return null;
  const [nearest, ...processes] = clientAmong([starter, ...ancestorsOf(starter, look).processes]);
  return nearest === undefined ? null : { client, server: nearest, processes };
}
