/**
 * One ending in words, from its receipt and from the log. Neither can be proved once the request is gone: the log speaks
 * where it says anything, a receipt adds what the log vouches for, and of a receipt alone it is said that nothing proves it.
 */
import {
  assuranceOf,
  isYes,
  type Kind,
  type Receipt,
  type RecentEnding,
  type RecordedAnswer,
  type RecordedEffect,
  type RecordedEnd,
  sha256Hex,
} from "../broker/index.js";
import { endText, outcomeText } from "./ended.js";
import type { HistoryEntry } from "./history.js";
import { levelMarks } from "./level.js";

/** The ending of request `id`, or null where neither says how it ended. */
export function entryOf(
  id: string,
  receipt: Receipt | null,
  recorded: RecentEnding | null,
): HistoryEntry | null {
  const first = firstWords(receipt, recorded);
  const late = recorded === null || recorded.late === null ? null : answerWords(recorded.late, null);
  const words =
    late === null
      ? first
      : { ...late, text: first === null ? late.text : `${first.text}; then ${late.text}` };
  if (words === null) return null;
  const { at, text: outcome, mark, isYesUnused } = words;
  const effect = (recorded === null ? null : effectText(recorded)) ?? (isYesUnused ? notRunText : null);
  return { at, id, outcome, mark, what: recorded?.what ?? null, effect };
}

interface Words {
  readonly at: number;
  readonly text: string;
  readonly mark: HistoryEntry["mark"];
  /** Was it allowed, and is it certain that nothing ran? */
  readonly isYesUnused: boolean;
}

/** How it ended at first: it may have been answered later. */
function firstWords(receipt: Receipt | null, recorded: RecentEnding | null): Words | null {
  const end = recorded?.end ?? null;
  if (end === null) return receipt === null ? null : receiptWords(receipt);
  return endWords(end, recorded?.answer ?? null, receipt, recorded?.kind ?? receipt?.kind ?? null);
}

function receiptWords(receipt: Receipt): Words {
  const { at, ran, decision } = receipt;
  return {
    at,
    text: endText(receipt, "request gone"),
    mark: markOf(receipt),
    isYesUnused: decision === "approve" && ran === false,
  };
}

function endWords(
  end: RecordedEnd,
  answer: RecordedAnswer | null,
  receipt: Receipt | null,
  kind: Kind | null,
): Words {
  const { at, outcome, via, ran } = end;
  const { decision = null, scope = null } = answer ?? {};
  // A server writes its own ending into the log; a sweep has a line of another kind.
  const said = {
    kind,
    outcome,
    decision,
    scope,
    via,
    note: noteOf(answer, receipt),
    ran,
    hasServerDied: false,
  };
  return {
    at,
    text: outcomeText(said, marksOf(answer, receipt)),
    mark: markOf(said),
    isYesUnused: decision === "approve" && ran === false,
  };
}

function answerWords(answer: RecordedAnswer, receipt: Receipt | null): Words {
  const { at, via } = answer;
  return endWords({ at, outcome: "answered", via, ran: null }, answer, receipt, null);
}

/** The log keeps the hash of a note, so a receipt with other words is another one's. */
function noteOf(answer: RecordedAnswer | null, receipt: Receipt | null): string | null {
  const note = receipt?.note ?? null;
  return note !== null && answer?.note === sha256Hex(note) ? note : null;
}

/** What was seen of who answered stands in the receipt; how sure that is, in both. */
function marksOf(answer: RecordedAnswer | null, receipt: Receipt | null): readonly string[] {
  if (answer === null || answer.assurance === null) return [];
  const isOne = receipt !== null && receipt.answer === answer.hash && receipt.via === answer.via;
  return isOne && assuranceOf(answer.via, receipt.verified) === answer.assurance
    ? levelMarks(receipt)
    : [answer.assurance];
}

function markOf({ outcome, decision }: Pick<Receipt, "outcome" | "decision">): HistoryEntry["mark"] {
  switch (outcome) {
    case "answered":
      if (decision === null) return "–";
      return isYes(decision) ? "✓" : "✗";
    case "failed":
      return "!";
    case "timed_out":
    case "abandoned":
    case "withdrawn":
    case "stale":
      return "–";
    default:
      return outcome satisfies never;
  }
}

const notRunText = "did not run";

/** `exit 0`; null where nothing began. */
function effectText({ started, finished }: RecentEnding): string | null {
  if (finished === null) return started === 0 ? null : "began; nothing says how it ended";
  const text = finishedText(finished);
  return started > 1 ? `${text}, the last of ${started} runs` : text;
}

function finishedText({ ending, exitCode, word }: RecordedEffect): string {
  switch (ending) {
    case "exited":
      if (exitCode !== null) return `exit ${exitCode}`;
      return word === null ? "ended" : `ended by ${word}`;
    case "timed_out":
      return "stopped: its time was over";
    case "cancelled":
      return "stopped: the caller cancelled";
    case "answered":
      return "the server answered";
    case "abandoned":
      return notRunText;
    case "drifted":
      return `${notRunText}: what it was for was another by then`;
    case "unknown":
      return "nothing says how it ended";
    case "not_started":
      return word === null ? "could not be started" : `could not be started (${word})`;
    default:
      return ending satisfies never;
  }
}
