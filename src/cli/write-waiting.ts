/** What waits, written out. */
import type { Request } from "../broker/index.js";
import { standingLines, standingOf } from "../face/besides.js";
import { detachedIds } from "../face/detached.js";
import type { Waiting } from "../face/waiting.js";
import { lineForDoctor } from "./line-to-type.js";
import { pendingJson, pendingLines, pendingTable } from "./listing.js";
import { paintFor } from "./render.js";
import type { Terminal } from "./terminal.js";

/**
 * Writes `requests` of those that wait to standard output: as JSON, as lines for a script, or as a table for people, with
 * what they have to know of some of them on standard error.
 */
export async function writeWaiting(
  requests: readonly Request[],
  isJson: boolean,
  waiting: Waiting,
  terminal: Terminal,
): Promise<void> {
  const { out, err, clock, environment } = terminal;
  const now = clock.now();
  if (isJson) out.write(pendingJson(requests, now, detachedIds(requests, waiting.home)));
  else if (!out.isTerminal) out.write(pendingLines(requests, now));
  else if (requests.length > 0) {
    const standing = standingOf(requests, waiting);
    out.write(await pendingTable(requests, now, out.columns, paintFor(out, environment), standing.altered));
    err.write(standingLines(standing, lineForDoctor(terminal)));
  }
}
