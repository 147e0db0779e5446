/** An answer that was not taken, because of who gave it or for a reason that nobody says, or of which nothing came. */
import { isUnaltered, type Receipt, type Request, type Shortfall } from "../broker/index.js";
import { askAgainText, lostText } from "../face/ended.js";
import { insufficientComplaint } from "../face/shortfall.js";
import type { Waiting } from "../face/waiting.js";
import { lineForDoctor } from "./line-to-type.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";

/** Tells it and returns the exit code. */
export function refusedInsufficient(request: Request, shortfall: Shortfall, terminal: Terminal): number {
  return refuse(
    "assurance_insufficient",
    terminal,
    insufficientComplaint(request, shortfall, terminal.environment),
  );
}

/** The answer was the one that decided, and yet nothing came of it. */
export function reportNotRun(receipt: Receipt, request: Request, terminal: Terminal): number {
  // A receipt without a proof was written by a sweep: the server died before it could act.
  const hasDied = receipt.reveal === null;
  return refuse(hasDied ? "request_stale" : "channel_unsafe", terminal, {
    what: `Your answer to ${request.id} was first, but ${lostText(receipt, request)}.`,
    why: null,
    fix: hasDied ? askAgainText : lineForDoctor(terminal),
  });
}

/** What this face sent was well formed, and nothing says what was wanting: the request on disk may be another one now. */
export function reportRefused(request: Request, { channel }: Waiting, terminal: Terminal): number {
  const now = channel.pending().requests.find((one) => one.id === request.id);
  const isChanged = now !== undefined && (now.binding !== request.binding || !isUnaltered(now));
  return refuse(isChanged ? "request_altered" : "answer_refused", terminal, {
    what: `The server did not take your answer to ${request.id}, which still waits.`,
    why: isChanged
      ? "The request was changed after it was filed."
      : "Nothing says why: this way of answering may not be enough, or something else moved it away.",
    fix: lineForDoctor(terminal),
  });
}
