/** `wisp facts pending` and `wisp questions pending`: what waits of one kind, oldest first. */
import type { Kind } from "../../broker/index.js";
import { besides, standingLines, standingOf } from "../../face/besides.js";
import { detachedIds } from "../../face/detached.js";
import { verbOf } from "../../face/verb-of.js";
import type { Waiting } from "../../face/waiting.js";
import { exits } from "../exits.js";
import { lineForDoctor, lineToType } from "../line-to-type.js";
import { pendingJson, pendingLines, pendingTable } from "../listing.js";
import { paintFor } from "../render.js";
import type { Terminal } from "../terminal.js";

/** Requests go to standard output alone, as `approvals pending` prints them; all else to standard error. */
export async function listOf(
  kind: Exclude<Kind, "approval">,
  isJson: boolean,
  waiting: Waiting,
  terminal: Terminal,
): Promise<number> {
  const { out, err, clock, environment } = terminal;
  const { listing, swept } = waiting;
  const requests = listing.requests.filter((request) => request.kind === kind);
  const now = clock.now();
  if (isJson) out.write(pendingJson(requests, now, detachedIds(requests, waiting.home)));
  else if (!out.isTerminal) out.write(pendingLines(requests, now));
  else if (requests.length > 0) {
    const standing = standingOf(requests, waiting);
    out.write(await pendingTable(requests, now, out.columns, paintFor(out, environment), standing.altered));
    err.write(standingLines(standing, lineForDoctor(terminal)));
  }
  if (requests.length === 0 && listing.requests.length > 0) err.write(`No ${kind} waits.\n`);
  err.write(besides(listing, swept));
  if (requests.length > 0 && out.isTerminal && err.isTerminal) {
    const [, no] = verbOf(kind, false);
    const yes = lineToType(terminal, [...verbOf(kind, true), "ID"]);
    err.write(`Answer: ${yes}, which shows all of it first, or ${no} ID.\n`);
  }
  return exits.done;
}
