/** Does what was said. No word answers what came before whoever said it while they said it. */
import type { Kind } from "../../broker/index.js";
import { chosen, written } from "../../face/reply.js";
import { blockOfAny, kindOf, noWords } from "./blocked.js";
import { approvedByName, deniedByName, droppedForGood, keptByName } from "./by-name.js";
import { done } from "./doing.js";
import { entryOf, givenNo } from "./giving.js";
import { isSettled, unsettled } from "./grace.js";
import type { Doing } from "./keys.js";
import type { Entry, Model, OpenCard, Quiet, Single, Stepped } from "./model.js";
import { still } from "./model.js";
import { hinted } from "./notices.js";
import { isQuotedWhole, quotedText, withNumbers, withWritten } from "./replies.js";
import { sent } from "./replying.js";
import { isSpokenAnswer, type Spoken } from "./spoken.js";

/** Does it, and listens for more. */
export function runSpoken(model: Model, spoken: Spoken, quiet: Quiet, at: number): Stepped {
  const isPage = model.page !== null;
  return isPage && !isAboutPage(spoken)
    ? behindPage(model, spoken, quiet, at)
    : heard(model, spoken, quiet, at);
}

/** Says that `text` is no word, and what is one; the line is empty then. What is too long to be told again stays there. */
export function unheard(model: Model, text: string, at: number): Model {
  const { card, page } = model;
  const told = `There is no word ${quotedText(text)}.`;
  if (!isQuotedWhole(text)) return hinted(model, `${told} Esc empties the line.`, at);
  const words = page !== null || card === null ? "" : ` ${wordsOf(card.entry)}`;
  return hinted(
    { ...model, box: null },
    `${told}${words} ${page === null ? "help" : "back leaves this; help"} tells all words.`,
    at,
  );
}

/** Is it about the page that is read, or about everything? */
function isAboutPage(spoken: Spoken): boolean {
  return spoken.kind === "does" && pageWords.has(spoken.what);
}

const pageWords: ReadonlySet<Doing> = new Set(["back", "quit", "help", "history"]);

/**
 * The page is closed first. What it covered is not what anybody answers: it is said again before an answer counts; a
 * number or a text of an answer sends nothing.
 */
function behindPage(model: Model, spoken: Spoken, quiet: Quiet, at: number): Stepped {
  const shown = { ...model, page: null };
  if (spoken.kind === "does" && spoken.what === model.page?.kind) return still({ ...shown, box: null });
  return isSpokenAnswer(spoken) && model.card !== null
    ? still(
        hinted({ ...shown, box: null }, "Nothing is answered yet: hear what is open, then say it again.", at),
      )
    : heard(shown, spoken, quiet, at);
}

function heard(model: Model, spoken: Spoken, quiet: Quiet, at: number): Stepped {
  const left = { ...model, box: null };
  const { card } = model;
  if (spoken.kind === "does") return moves(left, spoken.what, at);
  if (card === null) return still(hinted(left, "Nothing is open.", at));
  if (!isSettled(quiet, at)) return still(unsettled(model, quiet, at));
  const { entry } = card;
  const kind = kindOf(entry);
  const no = noWords[kind].say;
  if (spoken.kind === "all") {
    if (entry.kind !== "many") return still(hinted(left, `This is one request: say ${no}.`, at));
    if (spoken.of !== kind) return still(hinted(left, `To answer them all say ${no} all.`, at));
    return givenNo(left, entry.requests.map(entryOf), null);
  }
  if (entry.kind === "many" || ofWhich(spoken) !== kind) return still(hinted(left, wordsOf(entry), at));
  switch (spoken.kind) {
    case "approve":
      return approvedByName(model, entry, spoken, quiet, at);
    case "keep":
      return keptByName(model, entry, spoken.scope, quiet, at);
    case "no":
      return deniedByName(model, entry, spoken.note, at);
    case "drop for good":
      return droppedForGood(model, entry, at);
    case "choose":
    case "text":
    case "send":
      return replied(model, card, entry, spoken, at);
    default:
      return spoken satisfies never;
  }
}

/** Nothing that was said does nothing in silence. */
function moves(model: Model, what: Doing, at: number): Stepped {
  const { queue, card } = model;
  if ((what === "leave" || what === "go round back") && queue.entries.length < 2) {
    return still(hinted(model, queue.entries.length === 0 ? "Nothing waits." : "Nothing else waits.", at));
  }
  if ((what === "why" || what === "view") && card === null)
    return still(hinted(model, "Nothing is open.", at));
  if (what === "view" && card?.entry.kind !== "many") {
    return still(hinted(model, "This is one request: all of it is said.", at));
  }
  return done(model, what);
}

/** What was said about a question: numbers and a text stay in the box where they are none of its answers. */
function replied(
  model: Model,
  card: OpenCard,
  entry: Single,
  spoken: Extract<Spoken, { kind: "choose" | "text" | "send" }>,
  at: number,
): Stepped {
  const request = entry.kind === "one" ? entry.request : null;
  const left = { ...model, box: null };
  if (request?.kind !== "question") return still(left);
  if (spoken.kind === "send") return sent(left, card, { entry, request }, at);
  const block = blockOfAny(model, card);
  if (block !== null) return still(hinted(model, block, at));
  const { question } = request;
  const reply = spoken.kind === "choose" ? chosen(spoken.numbers, question) : written(spoken.text, question);
  if (reply.kind === "wrong") return still(hinted(model, `Not taken: ${reply.why}.`, at));
  return still(
    spoken.kind === "choose"
      ? withNumbers(
          left,
          request,
          [...spoken.numbers].sort((a, b) => a - b),
        )
      : withWritten(left, request, spoken.text),
  );
}

/** The kind that a word answers. */
function ofWhich(spoken: Exclude<Spoken, { kind: "does" | "all" }>): Kind {
  switch (spoken.kind) {
    case "approve":
      return "approval";
    case "keep":
    case "drop for good":
      return "fact";
    case "choose":
    case "text":
    case "send":
      return "question";
    case "no":
      return spoken.of;
    default:
      return spoken satisfies never;
  }
}

/** The words that answer `entry`. */
function wordsOf(entry: Entry): string {
  const kind = kindOf(entry);
  return entry.kind === "many" ? `These are many: say list, or ${noWords[kind].say} all.` : wordsText[kind];
}

const wordsText = {
  approval: "This is an approval: say approve, or deny.",
  fact: "This is a fact: say keep, keep global, or drop.",
  question: "This is a question: say a number, or text and your answer, then send; or decline.",
} as const satisfies Record<Kind, string>;
