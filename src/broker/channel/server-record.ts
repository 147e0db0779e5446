/** The record of a live server, as data, and what it says about whether the server lives. */
import { join } from "node:path";
import { readJson } from "../files/read.js";
import type { Liveness, SoughtProcess } from "../request/process.js";
import { formatVersion, type Request } from "../request/request.js";
import * as s from "../request/shape.js";
import type { Home } from "./home.js";

/** A live server touches its record this often. */
export const heartbeatMs = 5_000;
/** A server that cannot be looked up is gone when its heartbeat is older than four beats. */
export const heartbeatLimitMs = 20_000;

/** Bytes of a record: the thousand ids of what waits take 11 KiB, and the rest is names and a path. */
export const longestRecord = 20 * 1024;

const text = s.string();
const pid = s.integer({ least: 1 });

/** A record's whole file: no other key is taken. */
export const serverRecordSchema = s.strictObject({
  v: s.literal(formatVersion),
  instance: s.string({ pattern: /^[a-z0-9]{16}$/ }),
  pid,
  startedAt: text,
  boot: text,
  namespace: text,
  parent: s.nullable(s.strictObject({ pid, startedAt: text })),
  client: s.nullable(s.strictObject({ name: text, version: text })),
  home: text,
  waiting: s.array(text),
  detached: s.array(text),
});

/** What a server says of itself in `servers/<instance>.json`, all of it by its own word. */
export type ServerRecord = s.Infer<typeof serverRecordSchema>;

/** A record as it was found on disk, with the time of its file. */
export interface FoundServer {
  readonly record: ServerRecord;
  /** Epoch milliseconds of the last heartbeat. */
  readonly beatAt: number;
}

/** The record of `instance`, or null when there is none that can be read as ours. */
export function readServerRecord(home: Home, instance: string): FoundServer | null {
  const result = readJson(join(home.servers, `${instance}.json`), longestRecord);
  if (result.kind !== "value") return null;
  const parsed = serverRecordSchema.safeParse(result.value);
  if (!parsed.success || parsed.data.instance !== instance) return null;
  return { record: parsed.data, beatAt: Number(result.stats.mtimeMs) };
}

/** Looks a process up from where the caller stands. */
export type LookUp = (one: SoughtProcess) => Liveness;

/**
 * Is the server that filed `request` gone? What the request itself says of its server is bound; a record that says
 * otherwise is somebody else's and counts for nothing. Where the pid can be looked up that decides at once; in
 * another container or boot, and without a record, only silence does.
 */
export function isServerGone(
  request: Pick<Request, "server" | "createdAt">,
  found: FoundServer | null,
  now: number,
  lookUp: LookUp,
): boolean {
  const { pid, startedAt, boot } = request.server;
  const own = found !== null && isOf(found.record, request.server) ? found : null;
  const state = lookUp({ pid, startedAt, boot, namespace: own?.record.namespace ?? null });
  return isGone(state, own?.beatAt ?? request.createdAt, now);
}

/**
 * Has whoever called stopped waiting for `request`, by the word of its server? The request waits on, and a yes is kept
 * for the next identical call. A record of somebody else says nothing.
 */
export function isDetached(
  { id, server }: Pick<Request, "id" | "server">,
  found: FoundServer | null,
): boolean {
  return found !== null && isOf(found.record, server) && found.record.detached.includes(id);
}

/** Is the server behind a record gone? */
export function isRecordGone({ record, beatAt }: FoundServer, now: number, lookUp: LookUp): boolean {
  return isGone(lookUp(record), beatAt, now);
}

/** Does the process live that started the server behind a record, by the word of that? Its client, or what that ran it with. */
export function parentLiveness({ record }: FoundServer, lookUp: LookUp): Liveness {
  const { parent, boot, namespace } = record;
  return parent === null ? "gone" : lookUp({ ...parent, boot, namespace });
}

function isOf(record: ServerRecord, server: Request["server"]): boolean {
  return record.pid === server.pid && record.startedAt === server.startedAt && record.boot === server.boot;
}

function isGone(state: Liveness, lastSignAt: number, now: number): boolean {
  switch (state) {
    case "alive":
      return false;
    case "gone":
      return true;
    case "unknown":
      return now - lastSignAt > heartbeatLimitMs;
    default:
      return state satisfies never;
  }
}
