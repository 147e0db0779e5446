/**
 * The records of all servers that left one, living or not. Anybody of this account can lay any number of them there, so
 * one reading takes a bounded time.
 */
import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import { lookAt, namesIn } from "../files/look.js";
import type { Clock } from "../system/clock.js";
import type { Home } from "./home.js";
import { type FoundServer, heartbeatMs, readServerRecord } from "./server-record.js";

/** What one reading found. */
export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** Records that were there, and were too many to be read. */
  readonly unread: number;
}

/** Reads the records of `home` each time it is called; a record that is as it was is not read again. */
export function serverRecords(home: Home, clock: Clock): () => FoundServers {
  let known: ReadonlyMap<string, Known> = new Map();
  return () => {
    const names = namesIn(home.servers).filter((name) => name.endsWith(ending));
    const latest = clock.now() + heartbeatMs;
    const files = names
      .slice(0, mostLookedAt)
      .flatMap((name) => fileOf(home, name, latest) ?? [])
      .sort((one, other) => other.beatAt - one.beatAt)
      .slice(0, mostRead);
    known = new Map(
      files.map(({ name, stats }) => {
        const before = known.get(name);
        if (before !== undefined && isUnchanged(before.stats, stats)) return [name, before];
        return [name, { stats, found: readServerRecord(home, name.slice(0, -ending.length)) }];
      }),
    );
    const servers = [...known.values()].flatMap(({ found }) => found ?? []);
    return { servers, unread: names.length - files.length };
  };
}

/** More servers than one person runs at a time. Those that beat last are read. */
const mostRead = 256;
/** Files whose age is asked for. */
const mostLookedAt = 4_096;
const ending = ".json";

interface Known {
  readonly stats: BigIntStats;
  readonly found: FoundServer | null;
}

interface RecordFile {
  readonly name: string;
  readonly stats: BigIntStats;
  /** Epoch milliseconds; 0 for a time that no server can have written, so that such come last. */
  readonly beatAt: number;
}

function fileOf(home: Home, name: string, latest: number): RecordFile | null {
  const stats = lookAt(join(home.servers, name));
  if (stats === null) return null;
  const beatAt = Number(stats.mtimeMs);
  return { name, stats, beatAt: beatAt > latest ? 0 : beatAt };
}

/** The time of change is set by the system alone: nobody can put it back. */
function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs
  );
}
