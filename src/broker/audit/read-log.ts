/**
 * The records of a log for whoever shows them: all files that are kept, in order, one record in memory at a time. Invariant:
 * with the secret of the home only records are told that one of our processes wrote. Whether all of them are still there, and
 * in their places, `verifyLog` says.
 */
import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import { eachLineOf } from "../files/lines.js";
import { readOpened } from "../files/read.js";
import type { Keys } from "../request/seal.js";
import { parseStrictJson } from "../request/strict-json.js";
import { chainLabel, isOurs, placedIn } from "./chain.js";
import { readHead } from "./head.js";
import { asideIn, auditDirectory, logName } from "./places.js";
import { existingSigner } from "./signing-key.js";
import { isValues, type Values } from "./values.js";

/** A record by the word of whoever wrote the line: of any kind, with anything in its parts, and of another version. */
export interface LogRecord {
  readonly kind: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly session: string;
  readonly call: string | null;
  readonly verified: Values;
  readonly selfReported: Values;
  readonly details: Values;
  /** The whole line, with these and all other keys. */
  readonly whole: Values;
}

/** What reading a log came to. */
export interface LogReading {
  readonly records: number;
  /** Lines that are no records. */
  readonly unreadable: number;
  /** Records that none of our processes wrote; they were not told. */
  readonly foreign: number;
  /** False without the secret: then every record was told, whoever wrote it. */
  readonly isProved: boolean;
  /** Files that were not read, each with why: `log.jsonl (open to others)`. */
  readonly refused: readonly string[];
}

/** No line of ours is nearly as long. */
const longestLine = 1024 * 1024;

/**
 * Hands the records of the log of the home at `path` to `use`, the oldest first: those of ours where there is a secret, else
 * all. Throws channel_unsafe for keys that are not ours alone.
 */
export function eachRecord(
  path: string,
  keys: Pick<Keys, "existingKey">,
  use: (record: LogRecord) => void,
): LogReading {
  const directory = auditDirectory(path);
  const found = readHead(directory, existingSigner(path));
  const key = keys.existingKey(chainLabel);
  const counts = { records: 0, unreadable: 0, foreign: 0 };
  const refused: string[] = [];

  function take(line: Uint8Array): void {
    const record = recordIn(line);
    if (record === null) counts.unreadable += 1;
    else if (key !== null && !isOfUs(line, key)) counts.foreign += 1;
    else {
      counts.records += 1;
      use(record);
    }
  }

  function takeAll(file: number, name: string): void {
    const result = eachLineOf(file, longestLine, (line, isWhole) => {
      if (line === null || !isWhole) counts.unreadable += 1;
      else take(line);
    });
    if (result.kind === "refused") refused.push(`${name} (${result.objection})`);
  }

  /** All but the file that is open and was put aside meanwhile. */
  function takeAside(open: Pick<BigIntStats, "dev" | "ino"> | null): void {
    for (const { name, last } of asideIn(directory)) {
      // What the head has let go of may not be removed yet.
      if (found.kind === "good" && last < found.head.start.seq) continue;
      const result = readOpened(join(directory, name), Number.MAX_SAFE_INTEGER, (file, { dev, ino }) => {
        if (open?.ino !== ino || open.dev !== dev) takeAll(file, name);
      });
      if (result?.kind === "refused") refused.push(`${name} (${result.objection})`);
    }
  }

  // It is opened before the others are listed, so that it is read whatever is put aside meanwhile.
  const current = readOpened(join(directory, logName), Number.MAX_SAFE_INTEGER, (file, stats) => {
    takeAside(stats);
    takeAll(file, logName);
  });
  if (current !== undefined) takeAside(null);
  if (current?.kind === "refused") refused.push(`${logName} (${current.objection})`);
  return { ...counts, isProved: key !== null, refused };
}

/** By its mac: its hash and its place are of the chain, whoever wrote it. */
function isOfUs(line: Uint8Array, key: Uint8Array): boolean {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  return placedIn(bytes, 0, bytes.length) !== null && isOurs(bytes, 0, bytes.length, key);
}

function recordIn(line: Uint8Array): LogRecord | null {
  const parsed = parseStrictJson(line);
  if (!parsed.ok || !isValues(parsed.value)) return null;
  const { kind, call, ts, session, verified, selfReported, details } = parsed.value;
  if (
    typeof kind !== "string" ||
    typeof session !== "string" ||
    !(call === null || typeof call === "string")
  ) {
    return null;
  }
  if (typeof ts !== "number" || !Number.isSafeInteger(ts) || Math.abs(ts) > latest) return null;
  if (!isValues(verified) || !isValues(selfReported) || !isValues(details)) return null;
  return { kind, at: ts, session, call, verified, selfReported, details, whole: parsed.value };
}

/** The last time that a date can say. */
const latest = 8.64e15;
