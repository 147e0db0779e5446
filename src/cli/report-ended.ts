/** Tells a person that a request has ended already, and returns the exit code. */
import type { Receipt } from "../broker/index.js";
import { endText, type Proof } from "../face/ended.js";
import { lineForList } from "./line-to-type.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";

/** The request had ended before it was answered: it was only looked up, or its question still stood there. */
export function reportEnded(receipt: Receipt, proof: Proof, terminal: Terminal): number {
  return reportEnding(`${receipt.id} has ended already.`, receipt, proof, terminal);
}

/** The person gave an answer, and the request had ended already or ended another way in the same moment. */
export function reportTooLate(receipt: Receipt, proof: Proof, terminal: Terminal): number {
  const what = `${receipt.id} has ended already; your answer was not used.`;
  return reportEnding(what, receipt, proof, terminal);
}

/** The request is gone without a receipt. */
export function reportGone(id: string, terminal: Terminal): number {
  return refuse("request_unknown", terminal, {
    what: `${id} does not wait any more, and nothing says how it ended.`,
    why: "Its files were removed.",
    fix: lineForList(terminal),
  });
}

function reportEnding(what: string, receipt: Receipt, proof: Proof, terminal: Terminal): number {
  const isStale = receipt.outcome === "stale";
  return refuse(isStale ? "request_stale" : "answer_exists", terminal, {
    what: isStale ? `The server that asked ${receipt.id} is gone; an answer would not be read.` : what,
    why: `It ended ${receipt.seconds.toFixed(0)} s after it was asked: ${endText(receipt, proof)}.`,
    fix: `See what waits: ${lineForList(terminal)}`,
  });
}
