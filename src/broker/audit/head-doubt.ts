/** A cheap look at the end of a log, for whoever shows it: only `verifyLog` looks at every record. */
import { eachLastLine } from "../files/last-lines.js";
import { type Placed, placedIn } from "./chain.js";
import { readHead } from "./head.js";
import { auditDirectory, logPathsNewestFirst } from "./places.js";
import { existingSigner } from "./signing-key.js";

/** The longest line of ours, and more. */
const lastBytes = 1024 * 1024;

/**
 * Why the log of the home at `path` would not verify, as far as its signed head and its last record say; null where they
 * agree, and where there is no log. Throws channel_unsafe for a key that is not ours alone.
 */
export function headDoubt(path: string): string | null {
  const last = lastIn(path);
  const found = readHead(auditDirectory(path), existingSigner(path));
  if (found.kind === "bad") return `its signed head is not right (${found.fault})`;
  if (last === "none") return found.kind === "good" && found.head.seq > 0 ? "records are missing" : null;
  if (last === null) return "its last record has not the form of one";
  if (found.kind === "missing") return "it has no signed head";
  const { seq, hash } = found.head;
  if (last.seq < seq) return "records are missing at its end";
  return last.seq === seq && last.hash !== hash ? "its last record is not the one that was signed" : null;
}

/** The place of the newest record; null where the last line is no record. */
function lastIn(path: string): Placed | null | "none" {
  for (const file of logPathsNewestFirst(path)) {
    let found: Placed | null | "none" = "none";
    eachLastLine(file, lastBytes, (line) => {
      const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
      found = placedIn(bytes, 0, bytes.length);
      return false;
    });
    if (found !== "none") return found;
  }
  return "none";
}
