/** `wisp approvals show ID`: all of one request. */
import { unreadAnswer } from "../../face/besides.js";
import { detachedIds } from "../../face/detached.js";
import { answerText } from "../../face/ended.js";
import { isLate } from "../../face/find.js";
import { viewOf } from "../../face/view.js";
import { openWaiting } from "../../face/waiting.js";
import { chooseRequest } from "../choose.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { published } from "../listing.js";
import { drawCard, paintFor } from "../render.js";
import type { Verb } from "../verb.js";

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
    if (isLate(id, waiting)) {
      const { showEnded } = await import("../kept/main.js");
      return await showEnded(id, switches.has("json"), terminal);
    }
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
          detached: detachedIds([request], waiting.home).length > 0,
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
