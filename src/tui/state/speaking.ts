/** Does what was said. No word answers what came before whoever said it while they said it. */
import type { Kind } from "../../broker/index.js";
import { chosen, written } from "../../face/reply.js";
import { blockOfAny, kindOf, noWords } from "./blocked.js";
import { approvedByName, deniedByName, droppedForGood, keptByName } from "./by-name.js";
import { done } from "./doing.js";
import { entryOf, givenNo } from "./giving.js";
import { changedText, isSettled, withTypedAt } from "./grace.js";
import type { Model, OpenCard, Quiet, Single, Stepped } from "./model.js";
import { still } from "./model.js";
import { hinted } from "./notices.js";
import { withNumbers, withWritten } from "./replies.js";
import { sent } from "./replying.js";
import type { Spoken } from "./spoken.js";

/** Does it, and listens for more. */
export function runSpoken(model: Model, spoken: Spoken, quiet: Quiet, at: number): Stepped {
  const left = { ...model, box: null };
  const { card } = model;
  if (spoken.kind === "does") return done(left, spoken.what);
  if (card === null) return still(hinted(left, "Nothing is open.", at));
  if (!isSettled(quiet, at)) return still(withTypedAt(hinted(model, changedText, at), at));
  const { entry } = card;
  const kind = kindOf(entry);
  const no = noWords[kind].say;
  if (spoken.kind === "all") {
    if (entry.kind !== "many") return still(hinted(left, `This is one request: say ${no}.`, at));
    if (spoken.of !== kind) return still(hinted(left, `To answer them all say ${no} all.`, at));
    return givenNo(left, entry.requests.map(entryOf), null);
  }
  if (entry.kind === "many") return still(hinted(left, `These are many: say list, or ${no} all.`, at));
  if (ofWhich(spoken) !== kind) return still(hinted(left, wordsText[kind], at));
  switch (spoken.kind) {
    case "approve":
      return approvedByName(model, entry, spoken.scope, quiet, at);
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

const wordsText = {
  approval: "This is an approval: say approve, or deny.",
  fact: "This is a fact: say keep, keep global, or drop.",
  question: "This is a question: say a number, or text and your answer, then send; or decline.",
} as const satisfies Record<Kind, string>;
