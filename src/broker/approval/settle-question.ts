/**
 * From a decision about a question to what each call is told. Invariants: what a person said is on disk before anybody is
 * told; an answer that cannot be written down, or whose receipt cannot be published, is told to nobody; an ending that
 * reaches no call is said to have reached none.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending } from "../channel/channel.js";
import { outcomes } from "../request/outcome.js";
import type { QuestionRequest } from "../request/request.js";
import { type CallOf, goneOf, hasGivenUp, secondsBetween } from "./call.js";
import type { Write } from "./journal.js";
import { questionEndedAlone, questionEndOf, questionPending } from "./question-ends.js";
import { questionEndedEvents, questionSettledEvent, questionToldEvent } from "./question-record.js";
import type { QuestionAsk, QuestionEnd } from "./questioner.js";
import { oneLine, reasonOf } from "./reason.js";
import type { EndingWords } from "./record.js";
import type { Conclusion } from "./wait.js";

/** What a question leaves is kept by whoever asked it. */
export type QuestionConclusion = Conclusion<QuestionAsk, QuestionRequest, null>;

type QuestionCall = CallOf<QuestionAsk, QuestionRequest>;

/** How a question ended, and for whom. */
export interface SettledQuestion {
  /** For each call, in order. */
  readonly told: readonly QuestionEnd[];
  /** For whoever asks for it later; of a call that has not begun. */
  readonly end: QuestionEnd;
  /** Did it reach a call? */
  readonly isTold: boolean;
}

/** Writes the decision down, publishes the receipt, and says what each call is told as things stand then. */
export async function settleQuestion(conclusion: QuestionConclusion, write: Write): Promise<SettledQuestion> {
  const { decided, calls, placed } = conclusion;
  const { request, slot } = placed;
  let told = endsOf(conclusion, null);
  const ended = questionEndedEvents(
    request.id,
    decided,
    endingOf(conclusion, null),
    wordsOf(conclusion, null),
  );
  // What the server decided lets nobody know anything.
  const isPersons = decided.taken.answer.via !== "server";
  const unwritten = await write([...ended, ...linesOf(calls, told)], isPersons ? "durable" : "plain");
  // A person's no stands even where it cannot be written down: whoever hears it does nothing by it. An answer does not.
  let fault = decided.name === "approved" ? unwritten : null;
  if (fault !== null) await correctEnding(conclusion, fault, write);
  try {
    slot.settle(endingOf(conclusion, fault));
  } catch (error) {
    if (decided.name === "approved" && fault === null) {
      fault = oneLine(reasonOf(error));
      await correctEnding(conclusion, fault, write);
    }
  }
  // Callers may leave in any pause; the last look is in the same step as the return.
  for (let now = endsOf(conclusion, fault); isOther(now, told); now = endsOf(conclusion, fault)) {
    const changed = now.flatMap((end, index) => (end.name === told[index]?.name ? [] : [index]));
    told = now;
    await write(linesOf(pick(calls, changed), pick(now, changed)), "plain");
  }
  const end = endFor(conclusion, fault, conclusion.decidedAt);
  return { told, end, isTold: told.some(({ name }) => name === end.name) };
}

/** `fault` is why an answer cannot be told. */
function endsOf(conclusion: QuestionConclusion, fault: string | null): readonly QuestionEnd[] {
  return conclusion.calls.map(({ signal, startedAt }) => {
    const end = endFor(conclusion, fault, startedAt);
    const { request, seconds } = end;
    const gone = goneOf(signal, null);
    if (gone !== null) return questionEndedAlone(gone, { request, seconds });
    // A caller that gave up reads no result; it collects what is kept.
    const isCollected = canBeKept(end) && hasGivenUp(signal);
    return isCollected ? questionPending(conclusion.placed.request, seconds) : end;
  });
}

/** Does it tell a later call anything? Whoever withdrew a question may ask it again. */
function canBeKept({ name }: QuestionEnd): boolean {
  return name !== "abandoned" && name !== "withdrawn";
}

function endFor(
  { placed: { request }, decided, decidedAt }: QuestionConclusion,
  fault: string | null,
  startedAt: number,
): QuestionEnd {
  const seconds = secondsBetween(startedAt, decidedAt);
  if (fault === null) return questionEndOf(request, decided, seconds);
  return questionEndedAlone({ name: "failed", note: fault }, { request: request.id, seconds });
}

function endingOf({ decided: { name, taken } }: QuestionConclusion, fault: string | null): Ending {
  const outcome = fault === null ? outcomes[name].receipt : "failed";
  return { outcome, taken, ran: false };
}

/** The log hears how it ends instead, before the receipt says it. */
async function correctEnding(conclusion: QuestionConclusion, fault: string, write: Write): Promise<void> {
  const { decided, placed } = conclusion;
  const ending = endingOf(conclusion, fault);
  await write(
    [questionSettledEvent(placed.request.id, decided, ending, wordsOf(conclusion, fault))],
    "plain",
  );
}

function wordsOf({ startedAt, decidedAt, banner }: QuestionConclusion, why: string | null): EndingWords {
  return { seconds: secondsBetween(startedAt, decidedAt), banner: banner.word, why };
}

function linesOf(calls: readonly QuestionCall[], told: readonly QuestionEnd[]): readonly AuditEvent[] {
  return calls.flatMap(({ ask }, index) => {
    const end = told[index];
    return end === undefined ? [] : [questionToldEvent(ask, end, false)];
  });
}

function isOther(now: readonly QuestionEnd[], before: readonly QuestionEnd[]): boolean {
  return now.some(({ name }, index) => name !== before[index]?.name);
}

function pick<One>(all: readonly One[], indexes: readonly number[]): readonly One[] {
  return all.filter((_one, index) => indexes.includes(index));
}
