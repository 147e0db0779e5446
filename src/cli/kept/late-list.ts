/** What ended unanswered and may still be answered, for scripts and to read. */
import { type LateRequest, lateObjection, type Moment } from "../../broker/index.js";
import type { Kept } from "../../face/kept.js";
import { lateFactsOf, lateHereText, untilOf } from "../../face/late-texts.js";
import { viewOf } from "../../face/view.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { lineToType } from "../line-to-type.js";
import { entryOf, pendingLines, pendingTable, published } from "../listing.js";
import { drawCard, paintFor } from "../render.js";
import type { Terminal } from "../terminal.js";
import { chooseLate } from "./choose-late.js";

/** Lists them, the oldest first, as `pending` does. */
export async function listAll(isJson: boolean, kept: Kept, terminal: Terminal): Promise<number> {
  const { out, err, environment } = terminal;
  const now = kept.moment();
  const { requests, unreadable } = kept.late.list();
  const listed = requests
    .filter(({ request }) => lateObjection(request) === null)
    .sort((one, other) => one.request.createdAt - other.request.createdAt);
  const plain = listed.map(({ request }) => request);
  if (isJson) out.write(jsonLine({ schemaVersion: 1, requests: listed.map((one) => lateEntryOf(one, now)) }));
  else if (!out.isTerminal) out.write(pendingLines(plain, now.at));
  else if (listed.length > 0) {
    out.write(await pendingTable(plain, now.at, out.columns, paintFor(out, environment)));
  }
  if (listed.length === 0) err.write("Nothing that ended may still be answered.\n");
  if (unreadable > 0) err.write(unreadableText(unreadable));
  if (listed.length > 0 && out.isTerminal && err.isTerminal) {
    const [approve, show] = ["approve", "show"].map((verb) =>
      lineToType(terminal, ["approvals", verb, "ID"]),
    );
    err.write(
      `Answer: ${approve}, and the next identical call runs once; or deny ID.\n${show} says until when.\n`,
    );
  }
  return exits.done;
}

/** Shows all of one; ends with 0 also where it cannot be approved, and says why not. */
export async function showOne(
  typed: string,
  isJson: boolean,
  kept: Kept,
  terminal: Terminal,
): Promise<number> {
  const late = chooseLate(typed, kept, terminal, false);
  if (typeof late === "number") return late;
  const { request, how } = late;
  const now = kept.moment();
  const facts = { ...lateFactsOf(late, now), here: lateHereText(terminal) };
  const view = viewOf(request, kept.home, terminal, facts);
  const objection = view.objection ?? lateObjection(request);
  const { out, err, environment } = terminal;
  if (isJson) {
    const answerable = objection === null;
    const reason = answerable ? {} : { reason: objection };
    const ended = { how, answerableUntil: untilOf(late, now) };
    out.write(
      jsonLine({
        schemaVersion: 1,
        request: published(request),
        answerable,
        detached: false,
        ended,
        ...reason,
      }),
    );
    return exits.done;
  }
  out.write((await drawCard(view.card, out, paintFor(out, environment))).text);
  if (objection !== null) err.write(`It cannot be approved: ${objection}.\n`);
  return exits.done;
}

/** With the keys of what waits; its time is that of the answer, for its own is over. */
function lateEntryOf(late: LateRequest, now: Moment): Record<string, unknown> {
  const expiresAt = untilOf(late, now);
  return { ...entryOf(late.request, now.at), expiresAt, detached: false, ended: late.how };
}

function unreadableText(count: number): string {
  return count === 1
    ? "1 file in late/ is none that this home kept.\n"
    : `${count} files in late/ are none that this home kept.\n`;
}
