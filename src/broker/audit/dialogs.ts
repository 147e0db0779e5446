/** What the end of the log says of the clients' dialogs. Anybody of this account can have written it. */
import { join } from "node:path";
import { eachLastLine } from "../files/last-lines.js";
import { parseStrictJson } from "../request/strict-json.js";

/** How dialogs ended lately that decided nothing. */
export interface RecentDialogs {
  readonly ended: number;
  /** Those that were over before anybody can have read them. */
  readonly unseen: number;
}

/** Of a log of any length no more than this is read: some thousand records. */
const mostBytes = 1024 * 1024;

/** Counts them in the log of the home at `path`. Never throws. */
export function recentDialogs(path: string): RecentDialogs {
  const counted = { ended: 0, unseen: 0 };
  eachLastLine(join(path, "audit", "log.jsonl"), mostBytes, (line) => {
    const parsed = parseStrictJson(line);
    const record = parsed.ok ? (parsed.value as Loose | null) : null;
    if (record?.kind !== "dialog.ended") return true;
    counted.ended += 1;
    if (record.details?.unseen === true) counted.unseen += 1;
    return true;
  });
  return counted;
}

/** As much of a record as is looked at: of a value of another shape nothing is found. */
interface Loose {
  readonly kind?: unknown;
  readonly details?: { readonly unseen?: unknown } | null;
}
