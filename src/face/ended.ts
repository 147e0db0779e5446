/** How requests ended, in the words of a person. Everything here is safe to print. */
import {
  type Answer,
  isReceiptVerified,
  type LateRequest,
  type Receipt,
  type Request,
  shownText,
  type Via,
} from "../broker/index.js";
import { levelMarks, marked } from "./level.js";

/** What can be said of who wrote a receipt. Only who saw the request can prove anything. */
export type Proof =
  | "proved"
  /** It does not come from the server that asked: a sweep wrote it for a dead one, or somebody forged it. */
  | "unproved"
  /** The receipt was only looked up. */
  | "request gone";

/** What there is to say of an ending, whoever wrote it down. */
export interface Said extends Pick<Receipt, "outcome" | "decision" | "scope" | "via" | "note" | "ran"> {
  /** Did somebody else write it down, because its server was gone? */
  readonly hasServerDied: boolean;
}

/** How `receipt` stands to the request that was seen. */
export function proofOf(receipt: Receipt, request: Request): Proof {
  return isReceiptVerified(receipt, request) ? "proved" : "unproved";
}

/** `denied (terminal) in wisp-tui: "not on Fridays"`, and a mark behind it where the receipt is not proved. */
export function endText(receipt: Receipt, proof: Proof): string {
  // Only a sweep writes a receipt without a proof, and only for a server that is gone.
  const text = outcomeText({ ...receipt, hasServerDied: receipt.reveal === null }, levelMarks(receipt));
  return proof === "proved" ? text : `${text} (${unprovedText(proof)})`;
}

/** `answered in wisp approvals (approved, once, terminal)`: the same for whoever had it before their eyes. */
export function elsewhereText(receipt: Receipt, proof: Proof): string {
  const { outcome, decision, scope, via, note } = receipt;
  if (outcome !== "answered" || via === null) return endText(receipt, proof);
  const unproved = proof === "proved" ? null : unprovedText(proof);
  const marks = [decisionText(decision), scope, ...levelMarks(receipt), unproved];
  return `${marked(`answered ${placeOf(via)}`, marks)}${noteText(note)}`;
}

/** Why a receipt is not to be relied on, in a few words. */
export function unprovedText(proof: Exclude<Proof, "proved">): string {
  switch (proof) {
    case "unproved":
      return "unverified: the server that asked did not write this";
    case "request gone":
      return "unverified: its request is gone, so nothing can prove this";
    default:
      return proof satisfies never;
  }
}

/** `approved, once, in wisp approvals on /dev/pts/3 (process 5012)`: what an answer in the slot says. */
export function answerText(answer: Answer): string {
  const scope = answer.scope == null ? "" : `, ${answer.scope},`;
  const device = answer.by.tty === null ? "" : ` on ${shownText(answer.by.tty)}`;
  return `${decisionText(answer.decision)}${scope} ${placeOf(answer.via)}${device} (process ${answer.by.pid})`;
}

/** The note as it stands after an outcome, or "". */
export function noteText(note: string | null | undefined): string {
  return note == null || note === "" ? "" : `: "${shownText(note)}"`;
}

/** How a request ended that nobody answered. */
export function unansweredText(how: LateRequest["how"]): string {
  switch (how) {
    case "timed_out":
      return "timed out: nobody answered in time";
    case "abandoned":
      return "abandoned: the caller cancelled";
    case "withdrawn":
      return "withdrawn: its server stopped asking";
    default:
      return how satisfies never;
  }
}

/** How a request ended, in the words of its receipt or of the log; `marks` say of the answer how sure it is. */
export function outcomeText(
  { outcome, decision, scope, via, note, ran, hasServerDied }: Said,
  marks: readonly string[],
): string {
  switch (outcome) {
    case "answered": {
      const what = marked(decisionText(decision), [scope, ...marks]);
      return `${what}${via === null ? "" : ` ${placeOf(via)}`}${noteText(note)}`;
    }
    case "failed": {
      if (decision === "failed" || decision === null || ran !== false) return `failed${noteText(note)}`;
      const why = hasServerDied ? "its server died and" : "that could not be written down or kept, so";
      return `failed: it was ${decisionText(decision)}, but ${why} nothing ran`;
    }
    case "timed_out":
    case "abandoned":
      return unansweredText(outcome);
    case "withdrawn":
      return `${unansweredText(outcome)}${noteText(note)}`;
    case "stale":
      return "stale: its server is gone and nothing ran";
    default:
      return outcome satisfies never;
  }
}

function decisionText(decision: Answer["decision"] | null): string {
  switch (decision) {
    case "approve":
      return "approved";
    case "deny":
      return "denied";
    case "keep":
      return "kept";
    case "drop":
      return "dropped";
    case "answer":
    case null:
      return "answered";
    case "decline":
      return "declined";
    case "timed_out":
      return "timed out";
    case "withdrawn":
    case "abandoned":
    case "failed":
      return decision;
    default:
      return decision satisfies never;
  }
}

function placeOf(via: Via): string {
  switch (via) {
    case "cli":
      return "in wisp approvals";
    case "tui":
      return "in wisp-tui";
    case "chat":
      return "in wisp chat";
    case "web":
      return "on the web page";
    case "elicitation":
      return "in the client's dialog";
    case "server":
      return "by its server";
    default:
      return via satisfies never;
  }
}
