/** `wisp approvals pending`: what waits, oldest first. */
import { besides, standingLines, standingOf } from "../../face/besides.js";
import { detachedIds } from "../../face/detached.js";
import { lateIds } from "../../face/find.js";
import { wispLine } from "../../face/quote.js";
import { openWaiting } from "../../face/waiting.js";
import { exits } from "../exits.js";
import { pendingJson, pendingLines, pendingTable } from "../listing.js";
import { paintFor } from "../render.js";
import type { Verb } from "../verb.js";

/** Requests go to standard output alone; all else there is to say goes to standard error. */
export const pending: Verb = {
  command: "wisp approvals pending",
  synopsis: "[--late] [--json]",
  summary: "list what waits for a person, oldest first",
  details: [
    "--late          list what ended unanswered and may still be answered",
    "--json          print one JSON object",
  ],
  switches: ["late", "json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    if (switches.has("late")) {
      const { listEnded } = await import("../kept/main.js");
      return await listEnded(switches.has("json"), terminal);
    }
    const { out, err, clock, environment } = terminal;
    const waiting = openWaiting(terminal);
    const { home, listing, swept } = waiting;
    const { requests } = listing;
    const now = clock.now();
    if (switches.has("json")) out.write(pendingJson(requests, now, detachedIds(requests, home)));
    else if (!out.isTerminal) out.write(pendingLines(requests, now));
    else if (requests.length > 0) {
      const standing = standingOf(requests, waiting);
      out.write(await pendingTable(requests, now, out.columns, paintFor(out, environment), standing.altered));
      err.write(standingLines(standing, wispLine(environment, ["doctor"])));
    }
    err.write(besides(listing, swept));
    if (requests.length > 0 && out.isTerminal && err.isTerminal) {
      const line = wispLine(environment, ["approvals", "approve", "ID"]);
      err.write(`Answer: ${line}, or deny ID; show ID shows all of it.\n`);
    }
    if (err.isTerminal && lateIds(home).length > 0) {
      const line = wispLine(environment, ["approvals", "pending", "--late"]);
      err.write(`Some ended unanswered; what may still be answered: ${line}\n`);
    }
    return exits.done;
  },
};
