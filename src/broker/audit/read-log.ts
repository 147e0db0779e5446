/** The records of a log for whoever shows them: all files that are kept, in order, one record in memory at a time. */
import { basename } from "node:path";
import { eachLine } from "../files/lines.js";
import { parseStrictJson } from "../request/strict-json.js";
import { logPathsNewestFirst } from "./places.js";

/** A record by the word of whoever wrote the line: of any kind, and with anything in its parts. */
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

type Values = Readonly<Record<string, unknown>>;

/** What reading a log came to. */
export interface LogReading {
  readonly records: number;
  /** Lines that are no records. */
  readonly unreadable: number;
  /** Files that were not read, each with why: `log.jsonl (open to others)`. */
  readonly refused: readonly string[];
}

/** No line of ours is nearly as long. */
const longestLine = 1024 * 1024;

/** Hands every record of the log of the home at `path` to `use`, the oldest first. Proves nothing: see `verifyLog`. */
export function eachRecord(path: string, use: (record: LogRecord) => void): LogReading {
  let records = 0;
  let unreadable = 0;
  const refused: string[] = [];
  for (const file of [...logPathsNewestFirst(path)].reverse()) {
    const result = eachLine(file, longestLine, (line, isWhole) => {
      const record = line === null || !isWhole ? null : recordIn(line);
      if (record === null) unreadable += 1;
      else {
        records += 1;
        use(record);
      }
    });
    if (result.kind === "refused") refused.push(`${basename(file)} (${result.objection})`);
  }
  return { records, unreadable, refused };
}

function recordIn(line: Uint8Array): LogRecord | null {
  const parsed = parseStrictJson(line);
  if (!parsed.ok || !isObject(parsed.value)) return null;
  const { kind, call, ts, session, verified, selfReported, details } = parsed.value;
  if (
    typeof kind !== "string" ||
    typeof session !== "string" ||
    !(call === null || typeof call === "string")
  ) {
    return null;
  }
  if (typeof ts !== "number" || !Number.isSafeInteger(ts) || Math.abs(ts) > latest) return null;
  if (!isObject(verified) || !isObject(selfReported) || !isObject(details)) return null;
  return { kind, at: ts, session, call, verified, selfReported, details, whole: parsed.value };
}

/** The last time that a date can say. */
const latest = 8.64e15;

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
