/**
 * What a person chose or typed for a question, before it is sent. Invariant: what was chosen counts only for the question
 * as it stood then; what was typed is never thrown away because something else happened.
 */
import {
  longestAnswerBytes,
  type QuestionContent,
  type QuestionRequest,
  shownText,
} from "../../broker/index.js";
import { chosen, type Reply as Judged, written } from "../../face/reply.js";
import { lineOf } from "./line.js";
import { hasText, type Model, type Reply } from "./model.js";
import { warned } from "./notices.js";

/** What there is for `request` as it is now. */
export function replyTo({ replies }: Pick<Model, "replies">, request: QuestionRequest): Reply {
  const known = replies.get(request.id);
  if (known === undefined) return { request, numbers: [], text: "", sends: null };
  return known.request === request || JSON.stringify(known.request) === JSON.stringify(request)
    ? known
    : { request, numbers: [], text: known.text, sends: null };
}

/** With the option `number` chosen, or chosen no longer where several may be; it is one of them. */
export function withNumber(model: Model, request: QuestionRequest, number: number): Model {
  const reply = replyTo(model, request);
  const others = reply.numbers.filter((one) => one !== number);
  const isTakenBack = request.question.multiple && others.length < reply.numbers.length;
  const added = request.question.multiple ? [...others, number].sort((a, b) => a - b) : [number];
  return withNumbers(model, request, isTakenBack ? others : added);
}

/** With exactly these options chosen. */
export function withNumbers(model: Model, request: QuestionRequest, numbers: readonly number[]): Model {
  const sends = numbers.length === 0 ? null : "numbers";
  return withReply(model, { ...replyTo(model, request), numbers, sends });
}

/** With `text` in the place of whatever was chosen. */
export function withWritten(model: Model, request: QuestionRequest, text: string): Model {
  return withReply(model, { request, numbers: [], text, sends: "text" });
}

/** What would be sent, or why nothing can be. */
function contentOf({ request, numbers, text, sends }: Reply): Judged {
  return sends === "text" ? written(text, request.question) : chosen(numbers, request.question);
}

/** `2 PostgreSQL`: what would be sent, safe to print; null where nothing would. */
export function replyText({ request, numbers, text, sends }: Reply): string | null {
  if (sends === null) return null;
  if (sends === "text") return quotedText(text);
  const { options } = request.question;
  return numbers.map((number) => `${number} ${shownText(options?.[number - 1]?.label ?? "")}`).join(", ");
}

/** `"eu-west-1"`; of a long text its beginning, and how long it is. */
export function quotedText(text: string): string {
  const shown = shownText(text);
  if (shown.length <= mostQuoted) return `"${shown}"`;
  return `"${shown.slice(0, mostQuoted)}…" (${Buffer.byteLength(text).toLocaleString("en-US")} bytes)`;
}

/** Does `quotedText` tell all of it? */
export function isQuotedWhole(text: string): boolean {
  return shownText(text).length <= mostQuoted;
}

const mostQuoted = 160;

/** How `request` is answered here, by keys or in words, as a part of a sentence. */
export function waysText(request: QuestionRequest, { isLinear }: Pick<Model, "isLinear">): string {
  return isLinear ? spokenWays(request) : keyWays(request);
}

function spokenWays({ question: { options, multiple, allowText } }: QuestionRequest): string {
  const text = "text and your answer";
  if (options === null) return `say ${text}, then send`;
  const numbers = multiple ? "its numbers with commas between them" : "its number";
  return `say ${numbers}${allowText ? `, or ${text}` : ""}, then send`;
}

function keyWays({ question: { options, multiple, allowText } }: QuestionRequest): string {
  const text = "o opens the box for a text";
  if (options === null) return `${text}, then y sends it`;
  const digits = multiple ? "digits choose" : "a digit chooses";
  return `${digits}${allowText ? `, or ${text}` : ""}; then y sends it`;
}

/** Is `text` longer than an answer may be? */
export function isOverlong(text: string): boolean {
  return Buffer.byteLength(text) > longestAnswerBytes;
}

/** The request `id` takes no answer any more, or has the one that was given. */
export function withoutReply(model: Model, id: string): Model {
  if (!model.replies.has(id)) return model;
  const replies = new Map(model.replies);
  replies.delete(id);
  return { ...model, replies };
}

/** The same where what was typed for it was not used: it stands in the input box if there is room, and is told. */
export function withTextBack(model: Model, id: string, at: number): Model {
  const text = model.replies.get(id)?.text ?? "";
  const next = withoutReply(model, id);
  if (text === "") return next;
  const told = `Your text for ${id} was not used: ${quotedText(text)}`;
  if (next.prompt !== null || hasText(next)) return warned(next, told, at);
  // It was written for a question, so it answers nothing as a command.
  return warned({ ...next, box: { ...lineOf(text), isPasted: true } }, `${told}; it stands below.`, at);
}

/** The answer that `reply` is; null where it is none yet. */
export function givenContent(reply: Reply): QuestionContent | null {
  const judged = reply.sends === null ? null : contentOf(reply);
  return judged?.kind === "content" ? judged.content : null;
}

function withReply(model: Model, reply: Reply): Model {
  return { ...model, replies: new Map([...model.replies, [reply.request.id, reply]]) };
}
