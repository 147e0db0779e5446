/**
 * What the keys do that answer a question. Invariant: a digit chooses and Enter ends a text; only y sends, and only what
 * stands on the screen by then.
 */
import type { QuestionRequest } from "../../broker/index.js";
import { written } from "../../face/reply.js";
import { isWholeFoot } from "../screen/layout.js";
import { blockOfAny, blockOfYes } from "./blocked.js";
import { givenAnswer } from "./giving.js";
import type { YesKey } from "./keys.js";
import { type Line, lineOf } from "./line.js";
import { type Model, type OpenCard, requestOf, type Single, type Stepped, still } from "./model.js";
import { hinted } from "./notices.js";
import { givenContent, replyTo, waysText, withNumber, withWritten } from "./replies.js";

/** A question and the row that it stands in. */
export interface QuestionRow {
  readonly entry: Single;
  readonly request: QuestionRequest;
}

/** `key` on the open card of a question. */
export function questionDecided(
  model: Model,
  card: OpenCard,
  row: QuestionRow,
  key: YesKey,
  at: number,
): Stepped {
  switch (key) {
    case "y":
      return sent(model, card, row, at);
    case "o":
      return still(textAsked(model, card, row.request, at));
    case "s":
    case "n":
    case "p":
    case "a":
      return still(hinted(model, `This is a question: ${waysText(row.request, model)}; d declines it.`, at));
    default:
      return key satisfies never;
  }
}

/** Sends what was chosen or typed. Nothing is sent of which nothing says on the screen that it would be. */
export function sent(model: Model, card: OpenCard, { entry, request }: QuestionRow, at: number): Stepped {
  const block = blockOfYes(model, card);
  if (block !== null) return still(hinted(model, block, at));
  const content = givenContent(replyTo(model, request));
  if (content === null) return still(hinted(model, `Nothing is sent yet: ${waysText(request, model)}.`, at));
  return isWholeFoot(model)
    ? givenAnswer(model, entry, content)
    : still(hinted(model, "What it sends does not fit here: enlarge the window, or press v.", at));
}

/** The digit `number` on the open card: it chooses of what a question offers, and does nothing anywhere else. */
export function numberPressed(model: Model, card: OpenCard, number: number, at: number): Model {
  const request = requestOf(card.entry);
  if (request?.kind !== "question") return model;
  const block = blockOfAny(model, card);
  if (block !== null) return hinted(model, block, at);
  const count = request.question.options?.length ?? 0;
  if (count === 0) return hinted(model, "This question has no options: o opens the box for a text.", at);
  return number > count
    ? hinted(model, `There is no option ${number}; they are 1 to ${count}.`, at)
    : withNumber(model, request, number);
}

/** Opens the box for a text, with what was typed before. */
export function textAsked(model: Model, card: OpenCard, request: QuestionRequest, at: number): Model {
  const block = blockOfAny(model, card);
  if (block !== null) return hinted(model, block, at);
  if (!request.question.allowText) return hinted(model, `It takes no text: ${waysText(request, model)}.`, at);
  return { ...model, prompt: { kind: "answer", line: lineOf(replyTo(model, request).text) } };
}

/** Enter after a text: it is what y sends, or why it cannot be. Nothing is sent. */
export function textEnded(model: Model, { entry }: OpenCard, { text }: Line, at: number): Model {
  const request = requestOf(entry);
  if (request?.kind !== "question") return model;
  const judged = written(text.trim(), request.question);
  return judged.kind === "wrong"
    ? hinted(model, `Not taken: ${judged.why}.`, at)
    : withWritten({ ...model, prompt: null }, request, text.trim());
}
