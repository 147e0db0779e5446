/** Why no key answers what is open. Completes nothing: each is a sentence, safe to print. */
import { lateObjection } from "../../broker/index.js";
import { approvalOf, type Model, type OpenCard, requestOf } from "./model.js";

/** Why neither yes nor no is taken, or null. */
export function blockOfAny({ sent }: Pick<Model, "sent">, { entry }: Pick<OpenCard, "entry">): string | null {
  const request = requestOf(entry);
  if (request === null) return "This row stands for many: v lists them, D denies all of them.";
  if (request.kind !== "approval") return "A later version decides this; it goes on waiting.";
  return sent.has(request.id) ? "Your answer is under way." : null;
}

/** Why no yes for the session is taken of what takes a yes, or null: what is remembered has to be read as what runs has. */
export function blockOfSession({ isSessionSeen }: Pick<OpenCard, "isSessionSeen">): string | null {
  return isSessionSeen ? null : "Read what a yes for the session covers (End) before you give it.";
}

/** Why no yes is taken, or null. What is wanting of the card comes before what is wanting of the person. */
export function blockOfYes(model: Pick<Model, "sent">, card: OpenCard): string | null {
  const { entry, view, isSeen } = card;
  const block = blockOfAny(model, card);
  const approval = approvalOf(entry);
  if (block !== null || approval === null) return block;
  if (view === null) return "It is being read.";
  if (view.objection !== null) return `It cannot be approved: ${view.objection}.`;
  if (approval.assurance === "signed") {
    return "It takes only a yes that is signed by an enrolled key, and this version signs none. It can be denied.";
  }
  const objection = entry.kind === "late" ? lateObjection(approval) : null;
  if (objection !== null) return `It takes no late yes: ${objection}.`;
  return isSeen ? null : "Read what runs to its end (End) before you approve it.";
}
