/** `wisp approvals show ID`: all of one request. */
import type { Request } from "../../broker/index.js";
import { unreadAnswer } from "../besides.js";
import { chooseRequest } from "../choose.js";
import { answerText } from "../ended.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { drawCard, paintFor } from "../render.js";
import type { Verb } from "../verb.js";
import { viewOf } from "../view.js";
import { openWaiting } from "../waiting.js";

/** Ends with 0 also where the request cannot be approved, and says why not. */
export const show: Verb = {
  command: "wisp approvals show",
  synopsis: "ID [--json]",
  summary: "show one request in full",
  details: ["--json          print one JSON object"],
  switches: ["json"],
  options: [],
  takesId: true,
  async run({ switches, id }, terminal) {
    const { out, err, environment } = terminal;
    const waiting = openWaiting(terminal);
    const request = chooseRequest(id, waiting, terminal);
    if (typeof request === "number") return request;
    const { card, objection } = viewOf(request, waiting.home, terminal);
    if (switches.has("json")) {
      const reason = objection === null ? {} : { reason: objection };
      out.write(
        jsonLine({
          schemaVersion: 1,
          request: published(request),
          answerable: objection === null,
          ...reason,
        }),
      );
      return exits.done;
    }
    const { text } = await drawCard(card, out, paintFor(out, environment));
    out.write(text);
    if (objection !== null) err.write(`It cannot be approved: ${objection}.\n`);
    const unread = unreadAnswer(request, waiting.channel);
    if (unread !== null) err.write(`Answered, not read yet by its server: ${answerText(unread)}.\n`);
    return exits.done;
  },
};

/** As filed, less what only its server and its answers need. */
function published(request: Request): Record<string, unknown> {
  const { nonce: _nonce, receiptCommit: _commitment, binding: _binding, ...rest } = request;
  return rest;
}
