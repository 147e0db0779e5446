/**
 * One leg of a call that asks a person: in the 2025 era the whole call, in the 2026 era what lies between two results of
 * it. Invariant: what stands in the slot decides; an answer that a leg brings is given only to the request that its form
 * showed, only while that waits, and only once.
 */
import { type InputRequiredResult, inputRequired, type ServerContext } from "@modelcontextprotocol/server";
import {
  type ApprovalRequest,
  type Ask,
  type ClientFacts,
  type Clock,
  clientFacts,
  type Dialog,
  type DialogAnswer,
  likenessOf,
  type Outcome,
  WispError,
} from "../../broker/index.js";
import type { Asking } from "./asking.js";
import { type Calling, callingOf } from "./calling.js";
import { dialog2025 } from "./dialog-2025.js";
import {
  type Brought,
  dialog2026,
  type LegDialog,
  meaningOfReply,
  type OpenForms,
  type Raised,
} from "./dialog-2026.js";
import { elsewhereOf } from "./elsewhere.js";
import { type Heartbeat, waitingText } from "./heartbeat.js";
import { type Holds, holdSecondsOf } from "./hold.js";
import { callerOf, type Peer } from "./peer.js";
import type { ReturnedState } from "./request-state.js";

/** What a leg is made of. */
export interface LegParts {
  readonly peer: Peer;
  readonly mcpReq: ServerContext["mcpReq"];
  readonly asking: Asking;
  readonly forms: OpenForms;
  readonly holds: Holds;
  readonly clock: Clock;
  readonly heartbeat: Heartbeat;
  /** Seconds from the command line; null where it says nothing. */
  readonly holdFlag: number | null;
  /** Is the client's dialog switched off from outside? */
  readonly isDialogOff: boolean;
}

/** How a leg ends. */
export type LegEnd =
  /** The ask is over, or waits for another call. */
  | {
      readonly kind: "outcome";
      readonly outcome: Outcome;
      /** What a person was asked while this leg was there; null where nobody was. */
      readonly request: string | null;
      /** Why an answer that came with this leg did not count; null where none came, or it did. */
      readonly unused: string | null;
      /** How long the call was held at most, in seconds; null until the request's time was over. */
      readonly heldSeconds: number | null;
      /** Whether a dialog was one of the ways. */
      readonly hadDialog: boolean;
    }
  /** The client shows its dialog, and comes back with the answer. */
  | { readonly kind: "dialog"; readonly result: InputRequiredResult };

/** So often a call whose answer was to something else gets another form. */
const mostAgain = 2;

/** Asks, and resolves with how this leg ends. Throws what `Approver.ask` throws. */
export async function runLeg(ask: Ask, parts: LegParts): Promise<LegEnd> {
  const { peer, asking, clock, holds } = parts;
  const calling = callingOf(peer, clock);
  const facts = clientFacts(peer.client?.name ?? null, asking.config.settings);
  const settings = asking.config.settings.approval;
  const heldSeconds = holdSecondsOf({ flag: parts.holdFlag, settings, client: facts, peer });
  let endHold: () => void = () => undefined;
  let askedAbout: string | null = null;
  const cameBack = backIn(parts);
  try {
    const returned = await returnedBy(ask, parts);
    const dialog = dialogOf(parts, facts, returned);
    const hadDialog = dialog !== null;
    // This call's own time is over, while a dialog is still up that nothing could take down.
    if (returned.brought !== null && asking.hasTimedOut(returned.brought.id)) {
      const outcome = timedOut(returned.brought.id, settings.timeoutSeconds);
      return { kind: "outcome", outcome, request: outcome.request, unused: null, heldSeconds, hadDialog };
    }
    const asked = asking.approver.ask(ask, dialog, calling.signal, (request, fault, endsAt) => {
      askedAbout = request.id;
      cameBack();
      // From here on a person takes the time; what came before was over at once.
      if (heldSeconds !== null) endHold = holds.start(heldSeconds * 1_000, () => calling.detach("held"));
      parts.heartbeat.says(waitingText(endsAt, elsewhereOf(asking, request.id, fault), clock));
      const { brought } = returned;
      if (brought?.id === request.id) parts.forms.answer(request.id, brought.meaning(request));
    });
    const raised = await raisedBy(dialog, asked);
    if (raised !== null) {
      endHold();
      const result = await handOut(raised, {
        ...{ ask, asked, calling, heldSeconds, parts },
        again: returned.again,
      });
      if (result !== null) return { kind: "dialog", result };
    }
    const outcome = await asked;
    const unused = unusedBecause(returned, outcome);
    return { kind: "outcome", outcome, request: askedAbout, unused, heldSeconds, hadDialog };
  } finally {
    endHold();
    calling.stop();
    cameBack();
  }
}

/** To be called when this leg waits, if it does: the client is back, and not for a moment has nobody waited. */
function backIn({ mcpReq, forms }: LegParts): () => void {
  const state = mcpReq.requestState<ReturnedState>();
  return () => state !== undefined && forms.cameBack(state.nonce);
}

/** What came back with this leg. */
interface Returned {
  readonly brought: Brought | null;
  /** Why nothing that came counts, in a sentence; null where it counts, or nothing came. */
  readonly unused: string | null;
  /** Somebody said yes or no in it. */
  readonly hasDecision: boolean;
  /** How many dialogs of this call came back before. */
  readonly again: number;
}

async function returnedBy(ask: Ask, { mcpReq, asking, forms }: LegParts): Promise<Returned> {
  const state = mcpReq.requestState<ReturnedState>();
  if (state === undefined) return { brought: null, unused: null, hasDecision: false, again: 0 };
  const { id, nonce, subject } = state;
  // Before anything takes time: it is how long a person had to read.
  const shownForMs = forms.shownForMs(nonce);
  const reply = replyAbout(id, mcpReq);
  const known = { hasDecision: isDecision(reply), again: state.again + 1 };
  const use = await used(state, asking);
  if (use === "before") return { ...known, brought: null, unused: `${lead} it had come before.` };
  // The state proves that we asked, not that we asked this.
  if (subject !== likenessOf(ask.subject).subject) {
    return { ...known, brought: null, unused: `${lead} it was to another call.` };
  }
  const meaning = (request: ApprovalRequest): DialogAnswer => {
    const said = meaningOfReply(request, reply, shownForMs);
    // A yes that might count a second time counts not even once; a no lets nothing run.
    return use instanceof WispError && said.kind === "approve" ? { kind: "failed", why: use.message } : said;
  };
  return { ...known, brought: { id, meaning }, unused: null };
}

const lead = "The answer in the client's dialog did not count:";

/** What the client says of the form about request `id`, as it came; undefined where it says nothing. */
function replyAbout(id: string, { inputResponses, droppedInputResponseKeys }: LegParts["mcpReq"]): unknown {
  if (inputResponses !== undefined && Object.hasOwn(inputResponses, id)) return inputResponses[id];
  // Something came that no response looks like.
  return droppedInputResponseKeys?.includes(id) === true ? null : undefined;
}

function isDecision(reply: unknown): boolean {
  if (typeof reply !== "object" || reply === null || !("action" in reply)) return false;
  return reply.action === "accept" || reply.action === "decline";
}

/** Uses the state up; or says that it was used before, or why that cannot be known. */
async function used(state: ReturnedState, { states }: Asking): Promise<"now" | "before" | WispError> {
  try {
    return (await states.use(state)) ? "now" : "before";
  } catch (error) {
    if (error instanceof WispError) return error;
    throw error;
  }
}

function unusedBecause({ unused, hasDecision, brought }: Returned, { via }: Outcome): string | null {
  if (!hasDecision || unused !== null) return hasDecision ? unused : null;
  if (brought === null || via === "server" || via === "elicitation") return null;
  return `${lead} another came first, via ${via}.`;
}

function dialogOf(
  parts: LegParts,
  facts: ClientFacts,
  { brought, again }: Returned,
): Dialog | LegDialog | null {
  const { peer, mcpReq, asking, forms } = parts;
  if (!peer.can.form || parts.isDialogOff || !facts.dialog) return null;
  switch (peer.era) {
    case "2025":
      return dialog2025(peer, mcpReq.send, asking, facts);
    case "2026":
      return dialog2026({ asking, facts, forms, brought, canRaise: again <= mostAgain });
    default:
      return peer.era satisfies never;
  }
}

/** The form that is to go out before the ask is over; null where it is over without, or its dialog needs no other leg. */
async function raisedBy(dialog: Dialog | LegDialog | null, asked: Promise<Outcome>): Promise<Raised | null> {
  if (dialog === null || !("raised" in dialog)) return null;
  return Promise.race([dialog.raised, asked.then(() => null)]);
}

function timedOut(request: string, seconds: number): Outcome {
  const nobodys = { via: "server", scope: null, assurance: null, verified: null } as const;
  const nothing = { note: null, unseenMs: null, waits: null, redeemed: false };
  return { name: "timed_out", ...nobodys, request, seconds, ...nothing };
}

interface HandingOut {
  readonly ask: Ask;
  readonly asked: Promise<Outcome>;
  readonly calling: Calling;
  readonly again: number;
  /** How long a call of this client is held: for so long it is expected back with the form. */
  readonly heldSeconds: number | null;
  readonly parts: LegParts;
}

/** The form with a new state; null where the ask is over already. */
async function handOut({ request, form }: Raised, handing: HandingOut): Promise<InputRequiredResult | null> {
  const { ask, asked, calling, again, heldSeconds } = handing;
  const { asking, peer, forms } = handing.parts;
  const { id } = request;
  const { subject } = likenessOf(ask.subject);
  const { text, nonce } = await asking.states.mint({ id, subject, caller: callerOf(peer), again });
  const away = new AbortController();
  calling.detach("dialog", away.signal);
  const { name } = await asked;
  if (name !== "pending") return null;
  forms.wentOut(nonce, heldSeconds === null ? null : heldSeconds * 1_000, () => away.abort());
  const elicitation = inputRequired.elicit({ mode: "form", ...form });
  return inputRequired({ inputRequests: { [id]: elicitation }, requestState: text });
}
