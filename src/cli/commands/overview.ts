/** `wisp` alone, on a terminal: what waits, and the next command. */
import { exits } from "../exits.js";
import { pendingTable } from "../listing.js";
import { paintFor } from "../render.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { openWaiting } from "../waiting.js";

/** A look at the oldest that wait and a command to type next; returns the exit code. */
export async function overview(terminal: Terminal): Promise<number> {
  const { out, clock, environment } = terminal;
  try {
    const { requests } = openWaiting(terminal).listing;
    const first = requests[0];
    if (first === undefined) {
      out.write("Nothing waits.\nTry it: wisp demo        Everything else: wisp --help\n");
      return exits.done;
    }
    const newest = requests.slice(0, mostListed);
    out.write(await pendingTable(newest, clock.now(), out.columns, paintFor(out, environment)));
    if (requests.length > mostListed)
      out.write(`and ${requests.length - mostListed} more: wisp approvals pending\n`);
    out.write(`Next: wisp approvals show ${first.id}        Everything else: wisp --help\n`);
    return exits.done;
  } catch (error) {
    return reportError(error, terminal);
  }
}

/** A look, not the list. */
const mostListed = 5;
