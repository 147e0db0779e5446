/** `wisp approvals approve ID`: shows what will run, asks where it must, and gives the yes. */
import { isWider, type Scope, scopes } from "../../broker/index.js";
import { isLate } from "../../face/find.js";
import { viewOf } from "../../face/view.js";
import { openWaiting } from "../../face/waiting.js";
import { refusedAltered } from "../altered.js";
import { wrongUsage } from "../arguments.js";
import { chooseOf } from "../choose.js";
import { confirm, isHardToRead, untilEndOf } from "../confirm.js";
import { giveAnswer } from "../give-answer.js";
import { notConfirmed } from "../not-confirmed.js";
import { noteFrom, noteHelp } from "../note.js";
import { drawCard, paintFor } from "../render.js";
import { refusedElsewhere, refusedUnseen } from "../terminal-only.js";
import type { Verb } from "../verb.js";

/** Ends with 0 only when the receipt carries this very answer. */
export const approve: Verb = {
  command: "wisp approvals approve",
  synopsis: "ID [--scope S] [--rule R] [--note T] [--confirm W]",
  summary: "show what would run and approve it; only from a terminal",
  details: [
    noteHelp,
    "--confirm WORD  the word that a dangerous request has you type, given at once",
    "--scope SCOPE   one of those that show lists; the narrowest when left out",
    "--rule RULE     what project or always remembers: a form that show lists, or",
    "                its number; exactly this call when left out",
  ],
  switches: [],
  options: ["scope", "note", "confirm", "rule"],
  takesId: true,
  async run(given, terminal) {
    const note = noteFrom(given, approve);
    const wanted = scopeFrom(given.options.get("scope") ?? null);
    const rule = given.options.get("rule") ?? null;
    if (!terminal.canAnswer) return refusedElsewhere(["approvals", "approve", given.id], terminal);
    const unseen = refusedUnseen(["approvals", "approve", given.id], terminal);
    if (unseen !== null) return unseen;
    const waiting = openWaiting(terminal);
    const { home, channel } = waiting;
    const word = given.options.get("confirm") ?? null;
    if (isLate(given.id, waiting)) {
      const { approveEnded } = await import("../kept/main.js");
      return await approveEnded(given.id, { scope: wanted, note, word }, terminal);
    }
    const request = chooseOf("approval", true, given.id, waiting, terminal);
    if (typeof request === "number") return request;
    const { scopes: offered, assurance } = request;
    const scope = wanted ?? scopes.find((one) => offered.includes(one)) ?? "once";
    // What remembers a rule, or is refused, takes a moment longer.
    if (rule !== null || isWider(scope) || !offered.includes(scope) || assurance === "signed") {
      channel.close();
      const { approveWider } = await import("../kept/main.js");
      return await approveWider(request.id, { scope, rule, note, word }, terminal);
    }
    const { card, objection } = viewOf(request, home, terminal);
    if (objection !== null) return refusedAltered(request, objection, terminal);
    const { err, environment } = terminal;
    const drawn = await drawCard(card, err, paintFor(err, environment));
    err.write(drawn.text);
    const interrupted = terminal.interruption();
    try {
      const confirming = {
        request,
        scope,
        given: word,
        isHardToRead: isHardToRead(drawn, card, err),
        untilEnd: untilEndOf(request, waiting, terminal),
      };
      const confirmation = await confirm(confirming, terminal, interrupted);
      if (confirmation.kind !== "yes") return notConfirmed(confirmation, request, terminal);
      return await giveAnswer(request, { decision: "approve", scope, note }, waiting, terminal, interrupted);
    } finally {
      channel.close();
    }
  },
};

function scopeFrom(text: string | null): Scope | null {
  if (text === null) return null;
  const scope = scopes.find((one) => one === text);
  if (scope === undefined) throw wrongUsage(`There is no scope ${text}.`, approve);
  return scope;
}
