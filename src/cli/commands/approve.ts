/** `wisp approvals approve ID`: shows what will run, asks where it must, and gives the yes. */
import { type ApprovalRequest, type Scope, scopes } from "../../broker/index.js";
import { isLate } from "../../face/find.js";
import { viewOf } from "../../face/view.js";
import { openWaiting } from "../../face/waiting.js";
import { refusedAltered } from "../altered.js";
import { wrongUsage } from "../arguments.js";
import { chooseOf } from "../choose.js";
import { type Confirmation, confirm, isHardToRead, untilEndOf } from "../confirm.js";
import { exits } from "../exits.js";
import { giveAnswer } from "../give-answer.js";
import { lineToType } from "../line-to-type.js";
import { notAsked } from "../not-answered.js";
import { noteFrom, noteHelp } from "../note.js";
import { drawCard, paintFor } from "../render.js";
import { complain, refuse } from "../report.js";
import type { Terminal } from "../terminal.js";
import { refusedElsewhere, refusedUnseen } from "../terminal-only.js";
import type { Verb } from "../verb.js";

/** Ends with 0 only when the receipt carries this very answer. */
export const approve: Verb = {
  command: "wisp approvals approve",
  synopsis: "ID [--note TEXT] [--confirm WORD] [--scope SCOPE]",
  summary: "show what would run and approve it; only from a terminal",
  details: [
    noteHelp,
    "--confirm WORD  the word that a dangerous request has you type, given at once",
    "--scope SCOPE   one of those that show lists; the narrowest when left out",
  ],
  switches: [],
  options: ["scope", "note", "confirm"],
  takesId: true,
  async run(given, terminal) {
    const note = noteFrom(given, approve);
    const wanted = scopeFrom(given.options.get("scope") ?? null);
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
    const scope = wanted ?? scopes.find((one) => request.scopes.includes(one)) ?? "once";
    if (!request.scopes.includes(scope)) return refusedScope(request, scope, terminal);
    if (request.assurance === "signed") return refusedUnsigned(request, terminal);
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

function refusedScope({ id, scopes: offered }: ApprovalRequest, scope: Scope, terminal: Terminal): number {
  return refuse("invalid_input", terminal, {
    what: `${id} does not offer the scope ${scope}.`,
    why: `It offers: ${offered.join(", ")}`,
    fix: lineToType(terminal, ["approvals", "approve", id]),
  });
}

function refusedUnsigned({ id }: ApprovalRequest, terminal: Terminal): number {
  return refuse("assurance_insufficient", terminal, {
    what: `Not approved: ${id} takes only an answer that is signed by an enrolled key.`,
    why: "This version of wisp cannot sign answers; it can deny.",
    fix: lineToType(terminal, ["approvals", "deny", id]),
  });
}

function notConfirmed(
  confirmation: Exclude<Confirmation, { kind: "yes" }>,
  request: ApprovalRequest,
  terminal: Terminal,
): number {
  const { id } = request;
  switch (confirmation.kind) {
    case "no":
    case "wrong word": {
      const isTyped = confirmation.kind === "no";
      complain(terminal, {
        what: `Not approved: ${id} still waits${isTyped ? "" : ", and --confirm has another word than its action"}.`,
        why:
          isTyped || confirmation.isNeeded
            ? `To approve it, type "${confirmation.expected}".`
            : `It needs no --confirm: leave it out, or name "${confirmation.expected}".`,
        fix: `To deny it: ${lineToType(terminal, ["approvals", "deny", id])}`,
      });
      return exits.notApproved;
    }
    case "interrupted":
    case "ended":
      return notAsked(confirmation, request, terminal);
    default:
      return confirmation satisfies never;
  }
}
