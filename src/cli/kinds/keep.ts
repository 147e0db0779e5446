/** `wisp facts keep ID` and `drop ID`: a fact is kept as it was shown; a no is given at once. */
import { type FactRequest, shown } from "../../broker/index.js";
import type { Card } from "../../face/card.js";
import { type KeepScope, keepScopeText, narrowestScope } from "../../face/fact-scope.js";
import { viewOf } from "../../face/view.js";
import type { Waiting } from "../../face/waiting.js";
import { refusedAltered, refusedIfAltered } from "../altered.js";
import { chooseOf } from "../choose.js";
import { isHardToRead, readOrEnd, untilEndOf } from "../confirm.js";
import { giveAnswer } from "../give-answer.js";
import { lineToType } from "../line-to-type.js";
import { notAnswered, notAsked } from "../not-answered.js";
import { drawCard, paintFor } from "../render.js";
import { refuse } from "../report.js";
import type { Terminal } from "../terminal.js";

/** Shows all of it and what is similar, asks where it could be overlooked, and keeps it; `wanted` null is the narrowest. */
export async function keepOne(
  typed: string,
  wanted: KeepScope | null,
  waiting: Waiting,
  terminal: Terminal,
): Promise<number> {
  const request = chooseOf("fact", true, typed, waiting, terminal);
  if (typeof request === "number") return request;
  const scope = wanted ?? narrowestScope(request.fact);
  if (scope === "project" && request.fact.directory === null) return refusedProject(request, terminal);
  const { card, objection } = viewOf(request, waiting.home, terminal);
  if (objection !== null) return refusedAltered(request, objection, terminal);
  const { err, environment } = terminal;
  const drawn = await drawCard(withScope(card, scope, request), err, paintFor(err, environment));
  err.write(drawn.text);
  const interrupted = terminal.interruption();
  // Every agent here is told what is kept everywhere, also where nobody thinks of it.
  const isWider = scope !== narrowestScope(request.fact);
  if (isWider || isHardToRead(drawn, card, err)) {
    const question = `Type y and Enter to keep it (${keepScopeText(scope)}); anything else answers nothing: `;
    const said = await readOrEnd(question, untilEndOf(request, waiting, terminal), terminal, interrupted);
    if (said.kind !== "line") return notAsked(said, request, terminal);
    if (said.line?.trim().toLowerCase() !== "y") {
      return notAnswered(request, 'To keep it, type "y".', terminal);
    }
  }
  return await giveAnswer(request, { decision: "keep", scope, note: null }, waiting, terminal, interrupted);
}

/** Drops it at once; from then on the same is not asked again by the same agent in its line of work, or by nobody. */
export async function dropOne(
  typed: string,
  isForGood: boolean,
  waiting: Waiting,
  terminal: Terminal,
): Promise<number> {
  const request = chooseOf("fact", false, typed, waiting, terminal);
  if (typeof request === "number") return request;
  // A no that is bound to something else than what its server holds would not be taken.
  const altered = refusedIfAltered(request, terminal);
  if (altered !== null) return altered;
  const given = { decision: "drop", scope: isForGood ? "always" : null, note: null } as const;
  return await giveAnswer(request, given, waiting, terminal, terminal.interruption());
}

/** What the yes that is about to be given covers, below everything that it is about. */
function withScope(card: Card, scope: KeepScope, { fact }: FactRequest): Card {
  const text = scope === "always" ? "everywhere" : `here: ${shown(fact.directory ?? "").text}`;
  return { ...card, fields: [...card.fields, { label: "keeps it", lines: [text], isContent: false }] };
}

function refusedProject({ id }: FactRequest, terminal: Terminal): number {
  return refuse("invalid_input", terminal, {
    what: `${id} belongs to no directory, so it is not kept for one.`,
    why: "It is kept everywhere, or dropped.",
    fix: lineToType(terminal, ["facts", "keep", id]),
  });
}
