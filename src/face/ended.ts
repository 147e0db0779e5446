/** How requests ended, in the words of a person. Everything here is safe to print. */
import {
  type Answer,
  isReceiptVerified,
  type Kind,
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
  /** Null where the log does not say it. */
  readonly kind: Kind | null;
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

/**
 * `its server died and nothing ran`: why nothing came of an answer that was first, each thing once. A receipt without a
 * proof was written by a sweep, or by whoever wants a person to believe so: its mark says that nobody can tell.
 */
export function lostText(receipt: Receipt, request: Request): string {
  const nothing = nothingCame[request.kind];
  const { outcome, reveal, note } = receipt;
  const proof = proofOf(receipt, request);
  if (reveal === null && (outcome === "failed" || outcome === "stale")) {
    return `its server died and ${nothing}${proof === "unproved" ? ` (${unprovedText(proof)})` : ""}`;
  }
  if (outcome === "failed" && proof === "proved") {
    return `that could not be written down or kept, so ${nothing}${noteText(note)}`;
  }
  return `${nothing}: ${endText(receipt, proof)}`;
}

/** What to do where the server died: it alone could have carried the answer out. */
export const askAgainText = "Start the agent's client again, and have it ask once more.";

/** `answered in wisp approvals (approved, once, terminal)`: the same for whoever had it before their eyes. */
export function elsewhereText(receipt: Receipt, proof: Proof): string {
  const { outcome, decision, scope, via, note } = receipt;
  if (outcome !== "answered" || via === null) return endText(receipt, proof);
  const unproved = proof === "proved" ? null : unprovedText(proof);
  const decided = decisionWords(decision, scope);
  const marks = [decided.what, decided.scope, ...levelMarks(receipt), unproved];
  return `${marked(`answered ${placeOf(via, decision)}`, marks)}${noteText(note)}`;
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
  const { what, scope } = decisionWords(answer.decision, answer.scope ?? null);
  const device = answer.by.tty === null ? "" : ` on ${shownText(answer.by.tty)}`;
  const place = placeOf(answer.via, answer.decision);
  return `${what}${scope === null ? "" : `, ${scope},`} ${place}${device} (process ${answer.by.pid})`;
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
  { kind: asked, outcome, decision, scope, via, note, ran, hasServerDied }: Said,
  marks: readonly string[],
): string {
  switch (outcome) {
    case "answered": {
      const decided = decisionWords(decision, scope);
      const what = marked(decided.what, [decided.scope, ...marks]);
      return `${what}${via === null ? "" : ` ${placeOf(via, decision)}`}${noteText(note)}`;
    }
    case "failed": {
      const kind = kindOf(decision);
      if (kind === null || (kind === "approval" && ran !== false)) return `failed${noteText(note)}`;
      const why = hasServerDied ? "its server died and" : "that could not be written down or kept, so";
      return `failed: it was ${decisionWords(decision, scope).what}, but ${why} ${nothingCame[kind]}`;
    }
    case "timed_out":
    case "abandoned":
      return unansweredText(outcome);
    case "withdrawn":
      return `${unansweredText(outcome)}${noteText(note)}`;
    case "stale":
      return `stale: its server is gone and ${nothingCame[asked ?? "approval"]}`;
    default:
      return outcome satisfies never;
  }
}

/** What did not come of an answer of each kind that failed. */
export const nothingCame = {
  approval: "nothing ran",
  fact: "nothing was kept",
  question: "nobody was told",
} as const satisfies Record<Kind, string>;

/**
 * What was decided, and how far it reaches where that is said beside it: a fact is kept for its project or everywhere, and
 * dropped for good or, without a word, for its line of work.
 */
export function decisionWords(
  decision: Answer["decision"] | null,
  scope: Answer["scope"],
): { readonly what: string; readonly scope: string | null } {
  switch (decision) {
    case "approve":
      return { what: "approved", scope: scope ?? null };
    case "deny":
      return { what: "denied", scope: scope ?? null };
    case "keep":
      return { what: "kept", scope: scope === "always" ? "global" : (scope ?? null) };
    case "drop":
      return { what: scope === "always" ? "dropped for good" : "dropped", scope: null };
    case "answer":
    case null:
      return { what: "answered", scope: scope ?? null };
    case "decline":
      return { what: "declined", scope: null };
    case "timed_out":
      return { what: "timed out", scope: null };
    case "withdrawn":
    case "abandoned":
    case "failed":
      return { what: decision, scope: null };
    default:
      return decision satisfies never;
  }
}

/** The kind that a decision of a person is about; null for every other. */
function kindOf(decision: Answer["decision"] | null): Kind | null {
  switch (decision) {
    case "approve":
    case "deny":
      return "approval";
    case "keep":
    case "drop":
      return "fact";
    case "answer":
    case "decline":
      return "question";
    case "timed_out":
    case "withdrawn":
    case "abandoned":
    case "failed":
    case null:
      return null;
    default:
      return decision satisfies never;
  }
}

/** One command answers one kind. */
const commands = { approval: "wisp approvals", fact: "wisp facts", question: "wisp questions" } as const;

/** `in wisp facts`: where a decision came from. */
export function placeOf(via: Via, decision: Answer["decision"] | null): string {
  switch (via) {
    case "cli":
      return `in ${commands[kindOf(decision) ?? "approval"]}`;
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
