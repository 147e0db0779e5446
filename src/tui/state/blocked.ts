/** Why no key answers what is open. Completes nothing: each is a sentence, safe to print. */
import { type Kind, lateObjection } from "../../broker/index.js";
import { approvalOf, type Entry, type Model, type OpenCard, requestOf } from "./model.js";

/** Why neither yes nor no is taken, or null. */
export function blockOfAny({ sent }: Pick<Model, "sent">, { entry }: Pick<OpenCard, "entry">): string | null {
  const request = requestOf(entry);
  if (request === null)
    return `This row stands for many: v lists them, D ${noWords[kindOf(entry)].does} all of them.`;
  return sent.has(request.id) ? "Your answer is under way." : null;
}

/** Why no yes for the session is taken of what takes a yes, or null: what is remembered has to be read as what runs has. */
export function blockOfSession({ isSessionSeen }: Pick<OpenCard, "isSessionSeen">): string | null {
  return isSessionSeen ? null : "Read what a yes for the session covers (End) before you give it.";
}

/**
 * Why no yes is taken, or null: no approval, no keeping, no answer. What is wanting of the card comes before what is
 * wanting of the person.
 */
export function blockOfYes(model: Pick<Model, "sent">, card: OpenCard): string | null {
  const { entry, view, isSeen } = card;
  const block = blockOfAny(model, card);
  const request = requestOf(entry);
  if (block !== null || request === null) return block;
  if (view === null) return "It is being read.";
  const { done, unread } = yesWords[request.kind];
  if (view.objection !== null) return `It cannot be ${done}: ${view.objection}.`;
  return blockOfApproval(entry) ?? (isSeen ? null : unread);
}

/** What stands against a yes to an approval alone. */
function blockOfApproval(entry: Entry): string | null {
  const approval = approvalOf(entry);
  if (approval === null) return null;
  if (approval.assurance === "signed") {
    return "It takes only a yes that is signed by an enrolled key, and this version signs none. It can be denied.";
  }
  const objection = entry.kind === "late" ? lateObjection(approval) : null;
  return objection === null ? null : `It takes no late yes: ${objection}.`;
}

const yesWords = {
  approval: { done: "approved", unread: "Read what runs to its end (End) before you approve it." },
  fact: { done: "kept", unread: "Read it to its end (End) before you keep it." },
  question: { done: "answered", unread: "Read it to its end (End) before you answer it." },
} as const satisfies Record<Kind, object>;

/** What a no to each kind is called. */
export const noWords = {
  approval: { say: "deny", does: "denies" },
  fact: { say: "drop", does: "drops" },
  question: { say: "decline", does: "declines" },
} as const satisfies Record<Kind, object>;

/** The kind of all that `entry` stands for. */
export function kindOf(entry: Entry): Kind {
  return (entry.kind === "many" ? entry.requests[0] : requestOf(entry))?.kind ?? "approval";
}
