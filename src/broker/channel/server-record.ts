/** The record of a live server, as data, and what it says about whether the server lives. */
import { join } from "node:path";
import * as z from "zod/mini";
import { readJson, sizeLimits } from "../files/read.js";
import type { Liveness, ProcessIdentity } from "../request/process.js";
import { formatVersion } from "../request/request.js";
import type { Home } from "./home.js";

/** A live server touches its record this often. */
export const heartbeatMs = 5_000;
/** A server that cannot be looked up is gone when its heartbeat is older than four beats. */
export const heartbeatLimitMs = 20_000;

const text = z.string();
const pid = z.int().check(z.positive());

const serverRecordSchema = z.strictObject({
  v: z.literal(formatVersion),
  instance: z.string().check(z.regex(/^[a-z0-9]{16}$/)),
  pid,
  startedAt: text,
  boot: text,
  namespace: text,
  parent: z.nullable(z.strictObject({ pid, startedAt: text })),
  client: z.nullable(z.strictObject({ name: text, version: text })),
  home: text,
  waiting: z.array(text),
});

/** What a server says of itself in `servers/<instance>.json`, all of it by its own word. */
export type ServerRecord = z.infer<typeof serverRecordSchema>;

/** A record as it was found on disk, with the time of its file. */
export interface FoundServer {
  readonly record: ServerRecord;
  /** Epoch milliseconds of the last heartbeat. */
  readonly beatAt: number;
}

/** The record of `instance`, or null when there is none that can be read as ours. */
export function readServerRecord(home: Home, instance: string): FoundServer | null {
  const result = readJson(join(home.servers, `${instance}.json`), sizeLimits.request);
  if (result.kind !== "value") return null;
  const parsed = serverRecordSchema.safeParse(result.value);
  if (!parsed.success || parsed.data.instance !== instance) return null;
  return { record: parsed.data, beatAt: Number(result.stats.mtimeMs) };
}

/**
 * Is the server behind `found` gone? Where its pid can be looked up that decides at once; in another container or
 * boot, and without a record, only silence does. `since` is when it was last known to live without a record.
 */
export function isServerGone(
  found: FoundServer | null,
  since: number,
  now: number,
  liveness: (one: ProcessIdentity) => Liveness,
): boolean {
  const state = found === null ? "unknown" : liveness(found.record);
  switch (state) {
    case "alive":
      return false;
    case "gone":
      return true;
    case "unknown":
      return now - (found?.beatAt ?? since) > heartbeatLimitMs;
    default:
      return state satisfies never;
  }
}
