/** What became of an answer of this face, in the words of a person. */
import { isOfAltered, type Request, shownText } from "../../broker/index.js";
import { forWhom, summaryOf } from "../../face/describe.js";
import {
  answerText,
  askAgainText,
  decisionWords,
  endText,
  lostText,
  noteText,
  nothingCame,
  proofOf,
} from "../../face/ended.js";
import { levelMarks, marked } from "../../face/level.js";
import { lifeText } from "../../face/remember-lines.js";
import { insufficientComplaint } from "../../face/shortfall.js";
import type { Event } from "./event.js";
import type { Model, Place, Sent } from "./model.js";
import { noted, warned } from "./notices.js";
import { withoutReply, withTextBack } from "./replies.js";

/** Tells how an answer ended, and takes back that it is under way. */
export function withEnding(model: Model, event: Extract<Event, { kind: "answered" }>): Model {
  const { request, ending, at } = event;
  const isOver = ending.kind === "won" || ending.kind === "settled" || ending.kind === "gone";
  const next = withSent(model, request.id, isOver);
  const { text, isWarning } = endingText(event, model.place);
  const ended = isWarning ? warned(next, text, at) : noted(next, text, at);
  const told = withRemembered(ended, event);
  const isUsed = ending.kind === "won" && ending.receipt.outcome === "answered";
  const isThere = model.inbox.requests.some(({ id }) => id === request.id);
  // As long as it waits, what was typed for it can be sent again.
  if (isUsed) return withoutReply(told, request.id);
  return isOver || !isThere ? withTextBack(told, request.id, at) : told;
}

/** A line of its own: nothing that is told before it can pass for it. */
function withRemembered(model: Model, { given, ending, at }: Extract<Event, { kind: "answered" }>): Model {
  // A yes that was to be remembered, and could not be, counts once: its receipt says so.
  const isUsed =
    ending.kind === "won" && ending.receipt.outcome === "answered" && ending.receipt.scope === given.scope;
  return isUsed && "rule" in given ? noted(model, `remembered: ${shownText(given.rule)}`, at) : model;
}

/** The same for an answer to what has ended. It leaves the queue with it. */
export function withLateEnding(model: Model, event: Extract<Event, { kind: "answered-late" }>): Model {
  const { request, given, ending, at } = event;
  const next = withSent(model, request.id, false);
  switch (ending.kind) {
    case "kept": {
      const marks = ["once", ...levelMarks({ via: "tui", verified: ending.verified })];
      const text = `${marked("approved", marks)}: ${summaryOf(request)} — ${ending.effect}${noteText(given.note)}`;
      return noted(next, text, at);
    }
    case "denied":
      return noted(next, `denied: ${summaryOf(request)}; the next identical call asks again`, at);
    case "kept before":
      return warned(
        next,
        `${request.id} was approved before, or its time is over; your answer was not used.`,
        at,
      );
    case "gone":
      return warned(
        next,
        `${request.id} was answered, or asked again, in this moment; yours was not used.`,
        at,
      );
    case "insufficient":
      return warned(next, insufficientText(request, ending.shortfall, model.place), at);
    case "error":
      return warned(next, ending.text, at);
    default:
      return ending satisfies never;
  }
}

/** Says that a server is stopped or busy. */
export function withSilence(model: Model, id: string, at: number): Model {
  const request = model.inbox.requests.find((one) => one.id === id);
  if (request === undefined || model.sent.get(id) !== "under way") return model;
  const server = `the server (process ${request.server.pid})`;
  return warned(model, `waiting for ${server}, which has not read it yet: ${summaryOf(request)}`, at);
}

interface Told {
  readonly text: string;
  readonly isWarning: boolean;
}

function endingText({ request, given, ending }: Extract<Event, { kind: "answered" }>, place: Place): Told {
  const warning = (text: string): Told => ({ text, isWarning: true });
  const { id } = request;
  switch (ending.kind) {
    case "won": {
      const { receipt, isVerified } = ending;
      if (receipt.outcome !== "answered") {
        const next = receipt.reveal === null ? askAgainText : "See wisp doctor.";
        return warning(`Your answer to ${id} was first, but ${lostText(receipt, request)}. ${next}`);
      }
      const { what, scope } = decisionWords(
        given.decision,
        request.kind === "approval" ? receipt.scope : given.scope,
      );
      const marks = [
        scope,
        lifeText(request, receipt),
        ...levelMarks(receipt),
        isVerified ? null : "unverified",
      ];
      return {
        text: `${marked(what, marks)}: ${summaryOf(request)} — ${forWhom(request)}${noteText(receipt.note)}${ranText(request, given)}`,
        isWarning: !isVerified,
      };
    }
    case "settled": {
      const end = endText(ending.receipt, proofOf(ending.receipt, request));
      return warning(
        isOfAltered(ending.receipt)
          ? `${id} was changed after it was filed: what you were shown is not what was asked; ${nothingCame[request.kind]}: ${end}`
          : `${id} has ended already; your answer was not used: ${end}`,
      );
    }
    case "first":
      return warning(
        ending.winner === null
          ? `Your answer to ${id} was not used: something that is no answer stands in its place; it still waits.`
          : `${id} was answered first elsewhere: ${answerText(ending.winner)}; your answer was not used.`,
      );
    case "refused":
      return warning(
        ending.shortfall === null
          ? `The server did not take your answer to ${id}, which still waits. Nothing says why; see wisp doctor.`
          : insufficientText(request, ending.shortfall, place),
      );
    case "gone":
      return warning(`${id} does not wait any more, and nothing says how it ended.`);
    case "unread":
      return warning(`Not read yet: the server has not looked at your answer to ${id}.`);
    case "error":
      return warning(ending.text);
    default:
      return ending satisfies never;
  }
}

/** A yes is one thing, and what becomes of the call another: it may have drifted, or its server may be gone. */
function ranText(request: Request, { decision }: { readonly decision: string }): string {
  const isCall = request.kind === "approval" && request.subject.type === "tool";
  return isCall && decision === "approve" ? "; h says whether it ran" : "";
}

function insufficientText(
  request: Request,
  shortfall: Parameters<typeof insufficientComplaint>[1],
  { environment }: Place,
): string {
  const { what, fix } = insufficientComplaint(request, shortfall, environment);
  return fix === null ? what : `${what} ${fix}`;
}

/** An answer that ended the request waits for the news that it has left; any other may be given again. */
function withSent(model: Model, id: string, isOver: boolean): Model {
  const sent = new Map<string, Sent>(model.sent);
  if (isOver && sent.get(id) === "under way") sent.set(id, "told");
  else sent.delete(id);
  return { ...model, sent };
}
