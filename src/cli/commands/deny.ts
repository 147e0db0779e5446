/** `wisp approvals deny ID`: says no at once; a no is the safe direction and is never asked about again. */
import { isLate } from "../../face/find.js";
import { openWaiting } from "../../face/waiting.js";
import { refusedIfAltered } from "../altered.js";
import { chooseOf } from "../choose.js";
import { giveAnswer } from "../give-answer.js";
import { noteFrom, noteHelp } from "../note.js";
import { refusedElsewhere } from "../terminal-only.js";
import type { Verb } from "../verb.js";

/** Ends with 0 only when the receipt carries this very answer. Never asks for confirmation. */
export const deny: Verb = {
  command: "wisp approvals deny",
  synopsis: "ID [--note TEXT]",
  summary: "deny a request at once; only from a terminal",
  details: [noteHelp],
  switches: [],
  options: ["note"],
  takesId: true,
  async run(given, terminal) {
    const note = noteFrom(given, deny);
    if (!terminal.canAnswer) return refusedElsewhere(["approvals", "deny", given.id], terminal);
    const waiting = openWaiting(terminal);
    if (isLate(given.id, waiting)) {
      const { denyEnded } = await import("../kept/main.js");
      return await denyEnded(given.id, note, terminal);
    }
    const request = chooseOf("approval", false, given.id, waiting, terminal);
    if (typeof request === "number") return request;
    // A no that is bound to something else than what its server holds would not be taken.
    const altered = refusedIfAltered(request, terminal);
    if (altered !== null) return altered;
    try {
      const answer = { decision: "deny", scope: null, note } as const;
      return await giveAnswer(request, answer, waiting, terminal, terminal.interruption());
    } finally {
      waiting.channel.close();
    }
  },
};
