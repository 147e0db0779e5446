/** `wisp` alone, on a terminal: what waits, and the next command. */
import { besides, standingLines, standingOf } from "../../face/besides.js";
import { wispLine } from "../../face/quote.js";
import { openWaiting } from "../../face/waiting.js";
import { exits } from "../exits.js";
import { pendingTable } from "../listing.js";
import { paintFor } from "../render.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";

/** A look at the oldest that wait and a command to type next; returns the exit code. */
export async function overview(terminal: Terminal): Promise<number> {
  const { out, err, clock, environment } = terminal;
  try {
    const waiting = openWaiting(terminal);
    const { listing, swept } = waiting;
    const { requests } = listing;
    const oldest = requests.slice(0, mostListed);
    if (oldest.length > 0) {
      const standing = standingOf(oldest, waiting);
      const paint = paintFor(out, environment);
      out.write(await pendingTable(oldest, clock.now(), out.columns, paint, standing.altered));
      err.write(standingLines(standing, wispLine(environment, ["doctor"])));
    }
    if (requests.length > mostListed) {
      const line = wispLine(environment, ["approvals", "pending"]);
      out.write(`and ${requests.length - mostListed} more: ${line}\n`);
    }
    // What cannot be answered here must not pass for nothing.
    err.write(besides(listing, swept));
    const [first] = oldest;
    if (first === undefined) out.write("Try it: wisp demo        Everything else: wisp --help\n");
    else {
      out.write(`Next: ${wispLine(environment, ["approvals", "show", first.id])}\n`);
      out.write(`All of them, with single keys: ${wispLine(environment, ["tui"])}\n`);
      out.write("Everything else: wisp --help\n");
    }
    return exits.done;
  } catch (error) {
    return reportError(error, terminal);
  }
}

/** A look, not the list. */
const mostListed = 5;
