/** What wisp promises, held against what happened. Pure: everything it judges was seen by somebody else. */
import type { AnswerEnding } from "../../broker/index.js";
import type { CallResult } from "./agent.js";
import type { DetachedTrip } from "./detached-trip.js";
import type { Trip } from "./trip.js";

/** What was seen of four trips, and of two attempts to use a yes once more. */
export interface Evidence {
  /** The trip that the person at the terminal decided, or nobody. */
  readonly waited: Trip;
  /** The trip to which the dialog said yes. */
  readonly approved: Trip;
  /** The trip to which the dialog said no. */
  readonly denied: Trip;
  /** The trip whose call ended before anybody answered. */
  readonly detached: DetachedTrip;
  /** What became of a second yes to `approved`, after its end, and how often its command had run then. */
  readonly again: { readonly ending: AnswerEnding["kind"]; readonly lines: number | null };
  /** What became of the yes to `approved` when it was given to `denied` while that waited. */
  readonly carriedOver: AnswerEnding["kind"];
}

/** A promise in the words in which it is told, and whether it held. */
export interface Verdict {
  readonly promise: string;
  readonly isKept: boolean;
}

/** Every promise that was put to the proof, in the order in which they are told. */
export function judge(evidence: Evidence): readonly Verdict[] {
  const { waited, approved, denied, detached, again, carriedOver } = evidence;
  const { later, further } = detached;
  const trips = [waited, approved, denied, later];
  const requests = further === null ? trips : [...trips, further];
  return [
    {
      promise: "what was asked is what was filed, word for word",
      isKept: requests.every((trip) => trip.isAsAsked),
    },
    {
      promise: "an approved command ran, and ran once",
      isKept: isApproved(approved) && trips.filter(isApproved).every(hasRunOnce),
    },
    {
      promise: "a command that nobody approved did not run",
      isKept: isDenied(denied) && trips.filter((trip) => !isApproved(trip)).every(hasNotRun),
    },
    {
      promise: "every ending is proved by the server that asked",
      isKept: requests.every((trip) => trip.isVerified),
    },
    {
      promise: "the same yes, given again, changed nothing",
      isKept: again.ending === "settled" && again.lines === approved.lines,
    },
    {
      promise: "a yes to one request did nothing for another",
      isKept: carriedOver === "refused",
    },
    {
      promise: "a call that ended before its answer ran nothing",
      isKept: isPending(detached.early.result) && detached.early.lines === null,
    },
    // Where nobody approved there was nothing to use up.
    ...(isApproved(later)
      ? [
          {
            promise: "a yes that was used is used up: the same call asked anew",
            isKept: further !== null && isAskedAnew(further, later),
          },
        ]
      : []),
  ];
}

function isPending(result: CallResult | null): boolean {
  return result !== null && !result.isError && result.outcome === "pending";
}

function isAskedAnew({ request, receipt, result, lines }: Trip, later: Trip): boolean {
  const isAnother = request.id !== later.request.id;
  return isAnother && receipt.outcome !== "answered" && isPending(result) && lines === later.lines;
}

function isApproved({ receipt }: Trip): boolean {
  return receipt.outcome === "answered" && receipt.decision === "approve" && receipt.ran !== false;
}

function isDenied({ receipt }: Trip): boolean {
  return receipt.outcome === "answered" && receipt.decision === "deny";
}

function hasRunOnce({ result, lines }: Trip): boolean {
  return result !== null && !result.isError && result.exitCode === 0 && lines === 1;
}

function hasNotRun({ result, lines }: Trip): boolean {
  return (result === null || result.isError) && lines === null;
}
