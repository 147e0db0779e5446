/**
 * What comes back with a leg of a call whose dialog was with the client. Invariant: a yes counts only for the request that
 * its form showed, while that waits, and once; a no also where that is over, for it lets nothing run.
 */
import {
  type Askable,
  type ClientFacts,
  type DialogAnswer,
  type Earlier,
  expectWispError,
  type Outcome,
  type WispError,
} from "../../broker/index.js";
import type { Asking } from "./asking.js";
import type { CallWire } from "./call-wire.js";
import type { Brought, OpenForms } from "./dialog-2026.js";
import type { DialogKind } from "./elicitation.js";
import type { ReturnedState } from "./request-state.js";
import { sentence } from "./result.js";

/** How asking ended, as far as it matters to an answer that came. */
export interface HowItEnded {
  readonly name: string;
  readonly via: Outcome["via"];
}

/** An answer, or none, and how to tell what became of it. */
export interface Returned<Asked extends Askable> {
  /** To be given to its request where that waits. */
  readonly brought: Brought<Asked> | null;
  /** What it is where that request is over. */
  readonly earlier: Earlier | null;
  /** The no in it, as its own dialog says it; null where there is none that counts. */
  readonly no: DialogAnswer | null;
  /** How many dialogs of this call came back before. */
  readonly again: number;
  /** Why an answer that came did not count, in a sentence, when the call has ended so; null where none came or it did. */
  unusedBy(outcome: HowItEnded): string | null;
}

/** What is asked: `subject` is the hash by which its dialog's state is told from any other. */
export interface AskedAbout<Asked extends Askable> {
  readonly kind: DialogKind<Asked>;
  readonly subject: string;
}

/** Where a leg finds it. */
export interface ReturnedParts {
  readonly wire: Pick<CallWire, "requestState" | "inputResponses" | "droppedInputResponseKeys">;
  readonly asking: Pick<Asking, "states" | "config">;
  readonly forms: Pick<OpenForms, "shownForMs">;
}

/** Reads what came, and uses its state up. */
export async function returnedBy<Asked extends Askable>(
  { kind, subject }: AskedAbout<Asked>,
  { unseenDecline }: Pick<ClientFacts, "unseenDecline">,
  { wire, asking, forms }: ReturnedParts,
): Promise<Returned<Asked>> {
  const state = wire.requestState<ReturnedState>();
  if (state === undefined) return nothing;
  const { id, nonce } = state;
  // Before anything takes time: it is how long a person had to read.
  const shownForMs = forms.shownForMs(nonce);
  const reply = replyAbout(id, wire);
  const again = state.again + 1;
  const use = await used(state, asking);
  const decision = decisionIn(reply, kind);
  if (use === "before") return uncounted(again, decision, "it had come before.");
  // The state proves that we asked, not that we asked this.
  if (state.subject !== subject) return uncounted(again, decision, "it was to another call.");
  const timed = (said: DialogAnswer): DialogAnswer => (shownForMs === null ? said : { ...said, shownForMs });
  const isUnseen = shownForMs !== null && shownForMs < asking.config.settings.approval.unseenAnswerMs;
  const no = kind.noIn(reply);
  // A client that declines by itself has asked nobody.
  const isNo = no !== null && !(no === "decline" && isUnseen && unseenDecline === "cancel");
  let heard: DialogAnswer | null = null;
  return {
    brought: {
      id,
      meaning(request) {
        heard = timed(reply === undefined ? { kind: "dismissed" } : counted(kind.read(request, reply), use));
        return heard;
      },
    },
    earlier: { request: id, no: isNo ? { unseenMs: isUnseen ? Math.round(shownForMs) : null } : null },
    no: isNo ? timed({ kind: no }) : null,
    again,
    unusedBy: (outcome) => (decision === null ? null : unusedBecause(decision, heard, outcome)),
  };
}

const lead = "The answer in the client's dialog did not count:";

const nothing: Returned<Askable> = { brought: null, earlier: null, no: null, again: 0, unusedBy: () => null };

function uncounted(again: number, decision: Decision | null, why: string): Returned<Askable> {
  const unused = decision === null ? null : `${lead} ${why}`;
  return { ...nothing, again, unusedBy: () => unused };
}

type Decision = "yes" | "no";

/** What somebody decided, by the action and the option alone. */
function decisionIn(reply: unknown, kind: Pick<DialogKind<never>, "noIn">): Decision | null {
  if (kind.noIn(reply) !== null) return "no";
  const isAccepted =
    typeof reply === "object" && reply !== null && "action" in reply && reply.action === "accept";
  return isAccepted ? "yes" : null;
}

/** What the client says of the form about request `id`, as it came; undefined where it says nothing. */
function replyAbout(
  id: string,
  { inputResponses, droppedInputResponseKeys }: ReturnedParts["wire"],
): unknown {
  if (inputResponses !== undefined && Object.hasOwn(inputResponses, id)) return inputResponses[id];
  // Something came that no response looks like.
  return droppedInputResponseKeys?.includes(id) === true ? null : undefined;
}

/** Uses the state up; or says that it was used before, or why that cannot be known. */
async function used(
  state: ReturnedState,
  { states }: Pick<Asking, "states">,
): Promise<"now" | "before" | WispError> {
  try {
    return (await states.use(state)) ? "now" : "before";
  } catch (error) {
    return expectWispError(error);
  }
}

/** A yes that might count a second time counts not even once; a no lets nothing run. */
function counted(said: DialogAnswer, use: "now" | WispError): DialogAnswer {
  if ((said.kind !== "approve" && said.kind !== "answer") || use === "now") return said;
  return { kind: "failed", why: `it could not be noted that it came: ${use.message}` };
}

function unusedBecause(
  decision: Decision,
  heard: DialogAnswer | null,
  { name, via }: HowItEnded,
): string | null {
  // It was no answer, or none that could count.
  if (heard !== null && "why" in heard) return `${lead} ${sentence(heard.why)}`;
  if (via === "elicitation") {
    const isOther = decision === "yes" ? name === "declined" : name !== "declined";
    return isOther ? `${lead} another came first, in the client's dialog.` : null;
  }
  if (via !== "server") return `${lead} another came first, via ${via}.`;
  if (heard !== null) return null;
  return name === "drifted" ? `${lead} what it was to has changed.` : `${lead} its request was over.`;
}
