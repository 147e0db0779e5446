/** `wisp approvals pending`: what waits, oldest first. */
import type { Listing, Swept } from "../../broker/index.js";
import { shownText } from "../../broker/index.js";
import { exits } from "../exits.js";
import { pendingJson, pendingLines, pendingTable } from "../listing.js";
import { paintFor } from "../render.js";
import type { Verb } from "../verb.js";
import { openWaiting } from "../waiting.js";

/** Requests go to standard output alone; all else there is to say goes to standard error. */
export const pending: Verb = {
  command: "wisp approvals pending",
  synopsis: "[--json]",
  summary: "list what waits for a person, oldest first",
  switches: ["json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { out, err, clock, environment } = terminal;
    const { listing, swept } = openWaiting(terminal);
    const { requests } = listing;
    const now = clock.now();
    if (switches.has("json")) out.write(pendingJson(requests, now));
    else if (!out.isTerminal) out.write(pendingLines(requests, now));
    else if (requests.length > 0) {
      out.write(await pendingTable(requests, now, out.columns, paintFor(out, environment)));
    }
    err.write(besides(listing, swept));
    if (requests.length > 0 && out.isTerminal && err.isTerminal) err.write(hint);
    return exits.done;
  },
};

const hint = "Answer: wisp approvals approve ID, or deny ID; show ID shows all of it.\n";

/** What there is to say beside the list, a line each. */
function besides({ requests, newer, unreadable }: Listing, swept: readonly Swept[]): string {
  const stale = swept.filter(({ what }) => what === "stale" || what === "decided, not run");
  const lines = [
    ...(requests.length === 0 ? ["Nothing waits."] : []),
    ...counted(
      stale.map(({ id }) => id),
      "request was swept: its server is gone",
      "requests were swept: their servers are gone",
    ),
    ...counted(
      newer,
      "request was filed by a newer wisp and cannot be answered here",
      "requests were filed by a newer wisp and cannot be answered here",
    ),
    ...counted(
      unreadable.map(({ name, reason }) => `${name} (${reason})`),
      "file here is not a request",
      "files here are not requests",
    ),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const mostNamed = 10;

/** `2 files here are not requests: a (why), b (why)` */
function counted(names: readonly string[], one: string, several: string): readonly string[] {
  if (names.length === 0) return [];
  const named = names.slice(0, mostNamed).map(shownText).join(", ");
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return [`${names.length} ${names.length === 1 ? one : several}: ${named}${rest}`];
}
