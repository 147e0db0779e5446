/**
 * One leg of a call that asks a person: in the 2025 era the whole call, in the 2026 era what lies between two results of
 * it. Invariant: what stands in the slot decides; an answer that a leg brings is given only to the request that its form
 * showed, only while that waits, and only once.
 */
import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import {
  type Askable,
  type ClientFacts,
  type Clock,
  clientFacts,
  type Dialog,
  type Earlier,
  type WispError,
} from "../../broker/index.js";
import type { Asking } from "./asking.js";
import type { CallWire } from "./call-wire.js";
import { type Calling, callingOf } from "./calling.js";
import { dialog2025 } from "./dialog-2025.js";
import { dialog2026, type LegDialog, type OpenForms, type Raised } from "./dialog-2026.js";
import type { DialogKind } from "./elicitation.js";
import { elsewhereOf } from "./elsewhere.js";
import { type Heartbeat, waitingText } from "./heartbeat.js";
import { atMost, type Holds, holdSecondsOf } from "./hold.js";
import { callerOf, type Peer } from "./peer.js";
import type { ReturnedState } from "./request-state.js";
import { type AskedAbout, type HowItEnded, type Returned, returnedBy } from "./returned.js";

/** What a leg asks, and of whom. */
export interface LegAsk<Asked extends Askable, End extends HowItEnded> extends AskedAbout<Asked> {
  /** No longer than this is a call held, however long its client waits, in seconds; null where nothing else limits it. */
  readonly mostHeldSeconds: number | null;
  /** Asks. `earlier` is the request whose dialog came back with this leg; null where none did that counts. */
  ask(
    dialog: Dialog<Asked> | null,
    signal: AbortSignal,
    onAsked: (request: Asked, fault: string | null, endsAt: number | null) => void,
    earlier: Earlier | null,
  ): Promise<End>;
}

/** What a leg is made of. */
export interface LegParts {
  readonly peer: Peer;
  readonly wire: CallWire;
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
export type LegEnd<End extends HowItEnded> =
  /** The ask is over, or waits for another call. */
  | {
      readonly kind: "outcome";
      readonly outcome: End;
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

/**
 * What is wrong with the configuration, where nobody could be asked because of it: without the broken file the dialog would
 * have asked, and that is what has to be repaired first. Null where it is not why.
 */
export function misconfiguredBy(
  { outcome, hadDialog }: UnaskedEnd,
  { fault }: Asking["config"],
): WispError | null {
  return outcome.name === "failed" && outcome.request === null && hadDialog ? fault : null;
}

interface UnaskedEnd {
  readonly outcome: { readonly name: string; readonly request: string | null };
  readonly hadDialog: boolean;
}

/** So often a call whose answer was to something else gets another form. */
const mostAgain = 2;

/** Asks, and resolves with how this leg ends. Throws what `ask` throws. */
export async function runLeg<Asked extends Askable, End extends HowItEnded>(
  ask: LegAsk<Asked, End>,
  parts: LegParts,
): Promise<LegEnd<End>> {
  const { peer, asking, clock, holds } = parts;
  const calling = callingOf(peer, clock);
  const facts = clientFacts(peer.client?.name ?? null, asking.config.settings);
  const settings = asking.config.settings.approval;
  const waits = holdSecondsOf({ flag: parts.holdFlag, settings, client: facts, peer });
  const heldSeconds = atMost(waits, ask.mostHeldSeconds, settings);
  let endHold: () => void = () => undefined;
  let askedAbout: string | null = null;
  const cameBack = backIn(parts);
  try {
    const returned = await returnedBy(ask, facts, parts);
    const { brought, earlier, no } = returned;
    const dialog = dialogOf(ask.kind, parts, facts, returned);
    const hadDialog = dialog !== null;
    const onAsked = (request: Asked, fault: string | null, endsAt: number | null): void => {
      askedAbout = request.id;
      cameBack();
      // From here on a person takes the time; what came before was over at once.
      if (heldSeconds !== null) endHold = holds.start(heldSeconds * 1_000, () => calling.detach("held"));
      parts.heartbeat.says(waitingText(endsAt, elsewhereOf(asking, request, fault), clock));
      if (brought?.id === request.id) parts.forms.answer(request.id, brought.meaning(request));
    };
    const asked = ask.ask(dialog, calling.signal, onAsked, earlier);
    const raised = await raisedBy(dialog, asked);
    if (raised !== null) {
      endHold();
      const result = await handOut(raised, {
        ...{ subject: ask.subject, asked, calling, heldSeconds, parts },
        again: returned.again,
      });
      if (result !== null) return { kind: "dialog", result };
    }
    const outcome = await asked;
    // What it was said to may wait for another call, or in another state.
    if (earlier !== null && no !== null) parts.forms.answer(earlier.request, no);
    const unused = returned.unusedBy(outcome);
    return { kind: "outcome", outcome, request: askedAbout, unused, heldSeconds, hadDialog };
  } finally {
    endHold();
    calling.stop();
    cameBack();
  }
}

/** To be called when this leg waits, if it does: the client is back, and not for a moment has nobody waited. */
function backIn({ wire, forms }: LegParts): () => void {
  const state = wire.requestState<ReturnedState>();
  return () => state !== undefined && forms.cameBack(state.nonce);
}

function dialogOf<Asked extends Askable>(
  kind: DialogKind<Asked>,
  parts: LegParts,
  facts: ClientFacts,
  { brought, again }: Returned<Asked>,
): Dialog<Asked> | LegDialog<Asked> | null {
  const { peer, wire, asking, forms } = parts;
  if (!peer.can.form || parts.isDialogOff || !facts.dialog) return null;
  switch (peer.era) {
    case "2025":
      return dialog2025(kind, peer, wire.send, asking, facts);
    case "2026":
      return dialog2026({ kind, asking, facts, forms, brought, canRaise: again <= mostAgain });
    default:
      return peer.era satisfies never;
  }
}

/** The form that is to go out before the ask is over; null where it is over without, or its dialog needs no other leg. */
async function raisedBy<Asked extends Askable>(
  dialog: Dialog<Asked> | LegDialog<Asked> | null,
  asked: Promise<unknown>,
): Promise<Raised<Asked> | null> {
  if (dialog === null || !("raised" in dialog)) return null;
  return Promise.race([dialog.raised, asked.then(() => null)]);
}

interface HandingOut {
  readonly subject: string;
  readonly asked: Promise<HowItEnded>;
  readonly calling: Calling;
  readonly again: number;
  /** How long a call of this client is held: for so long it is expected back with the form. */
  readonly heldSeconds: number | null;
  readonly parts: LegParts;
}

/** The form with a new state; null where the ask is over already. */
async function handOut(
  { request, form }: Raised<Askable>,
  handing: HandingOut,
): Promise<InputRequiredResult | null> {
  const { subject, asked, calling, again, heldSeconds } = handing;
  const { asking, peer, forms } = handing.parts;
  const { id } = request;
  const { text, nonce } = await asking.states.mint({
    id,
    subject,
    caller: callerOf(peer),
    again,
    round: null,
  });
  const away = new AbortController();
  calling.detach("dialog", away.signal);
  const { name } = await asked;
  if (name !== "pending") return null;
  forms.wentOut(nonce, heldSeconds === null ? null : heldSeconds * 1_000, () => away.abort());
  const elicitation = inputRequired.elicit({ mode: "form", ...form });
  return inputRequired({ inputRequests: { [id]: elicitation }, requestState: text });
}
