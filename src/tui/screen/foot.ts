/** What stands below the text of a card: what answering it takes, or why nothing can answer it. */
import { type FactRequest, type QuestionRequest, typedWord } from "../../broker/index.js";
import { offersOf } from "../../face/remember-lines.js";
import { blockOfAny, blockOfYes, kindOf, noWords } from "../state/blocked.js";
import { type Model, type OpenCard, requestOf } from "../state/model.js";
import { quotedText, replyText, replyTo, waysText } from "../state/replies.js";
import { foldedWords } from "./fold.js";
import { framedTextColumns } from "./measures.js";

/** Lines for a card of `columns`; none where there is nothing to say. A rule is never shortened. */
export function footOf(model: Model, card: OpenCard, columns: number): readonly string[] {
  const text = footText(model, card);
  return text === null ? [] : foldedWords(text, framedTextColumns(columns));
}

function footText(model: Model, card: OpenCard): string | null {
  if (card.confirming !== null) return confirmingText(card, model);
  const block = blockOfYes(model, card);
  if (block !== null) return block;
  const request = requestOf(card.entry);
  switch (request?.kind) {
    case "fact":
      return factText(request, model);
    case "question":
      return questionText(request, model);
    case "approval":
      return request.level === "dangerous"
        ? `To approve it you type a word of it: ${typedWord(request.subject)}`
        : null;
    case undefined:
      return null;
    default:
      return request satisfies never;
  }
}

function factText({ fact }: FactRequest, { isLinear }: Model): string {
  if (isLinear) {
    return fact.directory === null
      ? "keep keeps it everywhere; drop drops it for this line of work, drop for-good for good."
      : "keep keeps it for this directory, keep global everywhere; drop drops it for this line of work, drop for-good for good.";
  }
  return fact.directory === null
    ? "y keeps it everywhere; d drops it for this line of work."
    : "y keeps it for this directory, a everywhere; d drops it for this line of work.";
}

/** What would be sent, or how to answer. */
function questionText(request: QuestionRequest, model: Model): string {
  const reply = replyTo(model, request);
  const sends = replyText(reply);
  if (sends !== null) return model.isLinear ? `send sends: ${sends}` : `y sends: ${sends}`;
  const kept = reply.text === "" ? "" : ` What you typed before: ${quotedText(reply.text)}.`;
  return `To answer it: ${waysText(request, model)}.${kept}`;
}

function confirmingText(card: OpenCard, model: Model): string | null {
  const { entry, confirming, form } = card;
  const { isLinear } = model;
  if (confirming === "D") {
    const count = entry.kind === "many" ? entry.requests.length : 0;
    return `D again ${noWords[kindOf(entry)].does} all ${count}; any other key leaves them.`;
  }
  if (confirming === null) return null;
  const again = isLinear ? `${spokenAgain(card)}, said again,` : `${confirming} again`;
  if (kindOf(entry) === "fact") {
    return `${again} ${everywhereText}`;
  }
  return form === null ? downgradedAgain(again) : rememberedAgain(card, again, model);
}

function downgradedAgain(again: string): string {
  return `Dangerous: remembered for the session at most. ${again} approves it for the session; anything else leaves it.`;
}

/** Words of ours alone: the rule itself stands above. */
function rememberedAgain({ entry }: OpenCard, again: string, { isLinear }: Model): string {
  const request = requestOf(entry);
  const count = request?.kind === "approval" ? offersOf(request).length : 0;
  const other = isLinear ? "another number says another form" : "↑↓ or a digit shows another form";
  return `${again} approves it and remembers this; ${count > 1 ? `${other}; ` : ""}anything else leaves it.`;
}

/** The words that asked for it. */
function spokenAgain({ entry, confirming, form }: OpenCard): string {
  if (kindOf(entry) === "fact") return "keep global";
  const request = requestOf(entry);
  const count = request?.kind === "approval" ? offersOf(request).length : 0;
  const scope = confirming === "p" ? "project" : "always";
  return form === null || count < 2 ? scope : `${scope} ${form.index + 1}`;
}

/** What a fact that is kept everywhere means. */
const everywhereText = "keeps it everywhere: every agent here is told it, in every directory.";

/** Is it no use to press keys for a yes? Then they are dim. */
export function isYesOff(model: Model, card: OpenCard): boolean {
  return blockOfAny(model, card) !== null || blockOfYes(model, card) !== null;
}
