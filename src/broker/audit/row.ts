/**
 * The files of a log as our own records name them, from the newest back. Invariant: a file is part of the row only where the
 * record after it, which is ours, says that it was put aside, and goes on from its last. A name in the directory proves
 * nothing, and neither do copies of our records: anybody of this account can make both.
 */
import { join } from "node:path";
import { readOpened } from "../files/read.js";
import { type AuditRecord, ownPlace, type Placed } from "./chain.js";
import type { Head } from "./head.js";
import { fewAsideIn, logName } from "./places.js";
import { firstLineOf, tailOf } from "./tail.js";

/** One file of the row. */
interface RowFile {
  readonly first: Placed;
  /** Does it begin because one of our processes put the one before it aside for its length? */
  readonly isTurn: boolean;
  /** The one before it. */
  readonly before: string | null;
}

/**
 * Where the log in `directory` begins once no more than `keep` turns are kept of those since `start`; `start` itself where
 * there are no more, where the files back to it are no unbroken row, and where `directory` holds too many names. Files between which nobody of ours put one aside
 * for its length go together: else whoever renames the log again and again would have it let go of.
 */
export function startAfter(
  directory: string,
  start: Head["start"],
  keep: number,
  key: Uint8Array,
): Head["start"] {
  // One listing for all of them: how many names there are, somebody else decides.
  const names = new Set(fewAsideIn(directory)?.map((one) => one.name));
  const most = names.size;
  if (most <= keep) return start;
  const turns: Head["start"][] = [];
  let name = logName;
  let next: Placed | null = null;
  for (let count = 0; count <= most; count += 1) {
    const file = rowFile({ directory, names, name, next, key });
    if (file === null) return start;
    const { seq, prev } = file.first;
    if (seq === start.seq && prev === start.prev) return turns[keep] ?? start;
    if (seq <= start.seq || file.before === null) return start;
    if (file.isTurn) turns.push({ seq, prev });
    name = file.before;
    next = file.first;
  }
  return start;
}

interface Sought {
  readonly directory: string;
  /** Those of the files that were put aside. */
  readonly names: ReadonlySet<string>;
  readonly name: string;
  readonly next: Placed | null;
  readonly key: Uint8Array;
}

/** The file `name`, if its last record is the one before `next`; null where it is not. */
function rowFile({ directory, names, name, next, key }: Sought): RowFile | null {
  const found = readOpened(join(directory, name), Number.MAX_SAFE_INTEGER, (file, stats) => {
    const line = firstLineOf(file);
    const first = line === null ? null : ownPlace(line, key);
    if (line === null || first === null) return null;
    if (next !== null) {
      const { link, hasForeign } = tailOf(file, Number(stats.size), key);
      if (hasForeign || link.seq !== next.seq - 1 || link.hash !== next.prev) return null;
    }
    return { first, ...turnIn(names, line) };
  });
  return found !== null && "first" in found ? found : null;
}

/** What the first record of a file says of the one before it. */
function turnIn(names: ReadonlySet<string>, line: Uint8Array): Pick<RowFile, "isTurn" | "before"> {
  const { kind, verified } = JSON.parse(Buffer.from(line).toString("utf8")) as AuditRecord;
  if (kind !== "log.rotated") return { isTurn: false, before: null };
  const { file, found } = verified;
  const before = typeof file === "string" && names.has(file) ? file : null;
  return { isTurn: found !== true, before };
}
