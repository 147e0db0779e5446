/**
 * A call that nobody let through yet: it is refused, or a person is asked. Invariant: between the yes and the frame nothing
 * that was shown has changed; where it has, the yes is spent and nothing is sent.
 */
import {
  type ApprovalRequest,
  type Ask,
  likenessOf,
  type Outcome,
  type Previewed,
} from "../../../broker/index.js";
import { type Heartbeat, startHeartbeat } from "../../mcp/heartbeat.js";
import { repeatSecondsOf } from "../../mcp/hold.js";
import { type LegAsk, type LegEnd, misconfiguredBy, runLeg } from "../../mcp/leg.js";
import { isRefusal, policyRefusal, refusalResult, refused } from "../../mcp/result.js";
import { askedBy } from "../../mcp/verdict.js";
import type { JsonObject } from "../frames/json-object.js";
import { metaShown } from "./call-meta.js";
import { frameWire } from "./frame-wire.js";
import type { Gate, OpenCall, Reply } from "./gate-parts.js";
import { sendAsApproved, sendRound } from "./let-through.js";
import { beyondReading, meantOtherwise, pendingOf, refusalOf, unshown } from "./refusal.js";
import { hasUnshown } from "./round.js";
import { toolDialogs } from "./tool-dialog.js";
import { type ToolSubject, toolSubject } from "./tool-subject.js";

/** What the client gets. Rejects with WispError, and with the reason of the call's signal. */
export async function askAboutCall(open: OpenCall, gate: Gate): Promise<Reply> {
  const { frame, passage, peer, came, asking } = open;
  const refusal = refusalBefore(open);
  const state = came.kind === "ours" ? came.state : null;
  const isRound = state !== null && state.round !== null;
  // What is refused waits for nobody, and neither does what was approved before.
  const release = refusal !== null || isRound ? () => undefined : gate.held.take(frame.bytes);
  if (release === null) return noRoom();
  passage.stepAside();
  const dialogState = state?.round === null ? state : null;
  const wire = frameWire({ ask: gate.ask, notify: passage.notify, params: frame.params, state: dialogState });
  const heartbeat = startHeartbeat(peer, wire.notify, gate.clock);
  try {
    const { subject, notes } = await shownOf(open, gate);
    // Whoever waits for a person holds nobody up: what was shown is looked at once more before it is sent.
    open.act?.over();
    const ask = askFor(subject, notes, open);
    if (refusal !== null) {
      await asking.approver.refuse(ask);
      return refusal;
    }
    if (isRound) return await sendRound(state, subject, open, gate, heartbeat.stop);
    const counted = countedAsk(ask, open, gate);
    if (typeof counted === "number") return tooMany(counted);
    heartbeat.says(() => "Asking a person.");
    const { holds, forms } = gate.connection;
    const { environment, hold: holdFlag } = gate.options;
    const end = await runLeg(counted, {
      ...{ peer, wire, asking, holds, forms, heartbeat, holdFlag },
      clock: gate.clock,
      isDialogOff: environment.WISP_ELICITATION === "off",
    });
    if (end.kind === "dialog") return dialogAnswer(end, gate);
    return await replyOf(end, subject, open, gate, heartbeat);
  } finally {
    heartbeat.stop();
    release();
  }
}

/** What it is refused with, whatever waits already; null where it is not. */
function refusalBefore({ frame, came, ruling }: OpenCall): Reply {
  const { verdict, isBeyondReading, instead } = ruling;
  if (verdict.name === "deny") {
    return refusalOf(instead === null ? policyRefusal(verdict) : meantOtherwise(verdict, instead));
  }
  if (isBeyondReading) return refusalOf(beyondReading);
  return hasUnshown(frame.params, came) ? refusalOf(unshown) : null;
}

/** What a person is shown, and what has to be said beside it. */
interface ShownCall extends Pick<Previewed, "notes"> {
  readonly subject: ToolSubject;
}

async function shownOf({ frame, call, ruling, passage }: OpenCall, gate: Gate): Promise<ShownCall> {
  const { server, states, pins } = gate;
  // Before the preview: what changes between the two is seen when the call is let through.
  const state = await states.look(ruling.state, call, passage.signal);
  const { files, notes } = await states.preview(call);
  const preview = files.length === 0 ? null : [...files];
  return {
    subject: toolSubject(call, {
      server,
      meta: metaShown(frame.params),
      state,
      definition: pins.changeOf(server, call.tool, call.told ?? null),
      preview,
    }),
    notes,
  };
}

function askFor(subject: ToolSubject, notes: readonly string[], { peer, ruling, asking }: OpenCall): Ask {
  const { verdict, state, changesState } = ruling;
  const asked = askedBy(verdict, {
    scopes: changesState ? ["once"] : ["once", "session"],
    ...{ program: null, programIdentity: null, persistDays: asking.config.settings.approval.persistDays },
  });
  return {
    ...asked,
    reasons: [...asked.reasons, ...notes, ...(state === null ? ["state not bound"] : [])],
    ...{ subject, longTexts: [], says: null, client: peer.client, caller: "stdio", thread: null },
    bound: { role: "gate", server: subject.server },
  };
}

/** The ask as a leg makes it, counted; or in how many milliseconds it may be made. */
function countedAsk(
  ask: Ask,
  { asking }: OpenCall,
  { limits }: Gate,
): LegAsk<ApprovalRequest, Outcome> | number {
  const likeness = likenessOf(ask.subject);
  const key = `${likeness.subject} ${likeness.state}`;
  const ticket = limits.ask(key);
  if (typeof ticket === "number") return ticket;
  return {
    kind: toolDialogs,
    subject: likeness.subject,
    mostHeldSeconds: null,
    async ask(dialog, signal, onAsked, earlier) {
      const onCounted: typeof onAsked = (request, fault, endsAt) => {
        ticket.asked(endsAt);
        onAsked(request, fault, endsAt);
      };
      try {
        const outcome = await asking.approver.ask(ask, dialog, signal, onCounted, earlier);
        if (outcome.name !== "pending") ticket.over();
        return outcome;
      } finally {
        ticket.done();
      }
    },
  };
}

type Ended = Extract<LegEnd<Outcome>, { kind: "outcome" }>;

async function replyOf(
  { outcome, heldSeconds, hadDialog, unused }: Ended,
  subject: ToolSubject,
  open: OpenCall,
  gate: Gate,
  heartbeat: Heartbeat,
): Promise<Reply> {
  const { config, doctorLine } = open.asking;
  if (outcome.name === "pending") return pendingOf(outcome, repeatSecondsOf(heldSeconds), unused !== null);
  if (isRefusal(outcome)) {
    return refusalOf(refusalResult(outcome, doctorLine, misconfiguredBy({ outcome, hadDialog }, config)));
  }
  heartbeat.says(() => "Approved; it is sent on.");
  return await sendAsApproved(outcome, subject, open, gate, heartbeat.stop);
}

function dialogAnswer({ result }: Extract<LegEnd<Outcome>, { kind: "dialog" }>, { rounds }: Gate): Reply {
  const { requestState } = result;
  return {
    result:
      typeof requestState === "string"
        ? { ...result, requestState: rounds.marked(requestState) }
        : { ...result },
  };
}

function tooMany(waitMs: number): Reply {
  const recovery = `Make fewer calls that need approval, and this one again in ${Math.ceil(waitMs / 1_000)} s.`;
  return limited("a person was asked too often", recovery, { retry_after_ms: waitMs });
}

function noRoom(): Reply {
  const recovery = "Make it again once some of them are answered, or make it smaller.";
  return limited("the calls that wait for a person are as large as the gate holds", recovery, {});
}

function limited(why: string, recovery: string, more: JsonObject): Reply {
  const text = `Refused: ${why}; nobody was asked about this and nothing ran. ${recovery}`;
  const result = refused({ outcome: "refused", code: "rate_limited", text, request: null, recovery });
  // The code is one of `notify`, too, where nothing is to be said again.
  return refusalOf(result, { retryable: true, ...more });
}
