/** A person said yes: what was shown is looked at once more, pinned, and sent. */
import {
  type Approver,
  expectWispError,
  judgingOf,
  likenessOf,
  type Outcome,
  shownText,
} from "../../../broker/index.js";
import { callerOf } from "../../mcp/peer.js";
import type { ReturnedState } from "../../mcp/request-state.js";
import { errorResult, policyRefusal, refusalResult } from "../../mcp/result.js";
import { actKindOf } from "./acts.js";
import type { Gate, OpenCall, Reply } from "./gate-parts.js";
import { withRound } from "./later-round.js";
import { listedAnswer } from "./listed-answer.js";
import { beyondReading, refusalOf } from "./refusal.js";
import { forUpstream, invalidState } from "./round.js";
import { changedTargets } from "./state-binding.js";
import { noteDrift, type SentCall, sendApproved, type ToolEffect, type Yes } from "./tool-effect.js";
import type { ToolSubject } from "./tool-subject.js";

/** Sends it by `outcome`, which is approved. Rejects with the reason of the signal where the client left before. */
export async function sendAsApproved(
  outcome: Outcome,
  subject: ToolSubject,
  open: OpenCall,
  gate: Gate,
  onSending: () => void,
): Promise<Reply> {
  const { frame, passage, came, asking, call } = open;
  const { approver, audit, doctorLine } = asking;
  const effect: ToolEffect = {
    ...{ passage, subject, audit, server: gate.server, clock: gate.clock, onSending },
    yes: yesOf(outcome, approver),
    params: forUpstream(frame.params, came),
  };
  let leave = (): void => undefined;
  try {
    leave = await gate.limits.enter(passage.signal);
    await begun(open, gate);
    const drift = await driftOf(subject, open, gate);
    // A look that was broken off found nothing: whoever comes back has it looked at anew.
    passage.signal.throwIfAborted();
    if (drift !== null) {
      await noteDrift(effect, drift);
      return refusalOf(refusalResult({ ...outcome, name: "drifted", scope: null, note: drift }, doctorLine));
    }
    const denial = await denialNow(open, gate);
    if (denial !== null) {
      await noteDrift(effect, "the person's rules refuse it by now");
      return denial;
    }
    await gate.pins.pin(gate.server, call.tool, "person");
    gate.tools.accept(call.tool);
    return await passedOn(
      await sendApproved(effect),
      outcome.request ?? outcome.run ?? "",
      subject,
      open,
      gate,
    );
  } catch (error) {
    // Whatever went wrong: what was neither sent nor spent is there for the next call, which would wait for it for ever.
    await effect.yes.giveBack();
    return refusalOf(errorResult(expectWispError(error), outcome.request, doctorLine));
  } finally {
    leave();
  }
}

/** Sends the next round of a call that was approved; a state that was used, or is of another call, is none. */
export async function sendRound(
  state: ReturnedState,
  subject: ToolSubject,
  open: OpenCall,
  gate: Gate,
  onSending: () => void,
): Promise<Reply> {
  const { frame, passage, came, asking } = open;
  if (state.subject !== likenessOf(subject).subject || !(await asking.states.use(state))) return invalidState;
  const leave = await gate.limits.enter(passage.signal);
  try {
    await begun(open, gate);
    const denial = await denialNow(open, gate);
    if (denial !== null) return denial;
    const sent = await sendApproved({
      ...{ passage, subject, server: gate.server, clock: gate.clock, audit: asking.audit, onSending },
      params: forUpstream(frame.params, came),
      yes: earlierYes(state.id),
    });
    return await passedOn(sent, state.id, subject, open, gate);
  } finally {
    leave();
  }
}

/** The yes in `said`, which is approved. The first that is said of it counts: what may have arrived is never given back. */
export function yesOf(said: Outcome, approver: Pick<Approver, "release" | "conclude">): Yes {
  let isOver = false;
  const end = (how: "began" | "spent"): void => {
    isOver = true;
    approver.conclude(said, how);
  };
  return {
    said,
    began: () => end("began"),
    spent: () => end("spent"),
    async giveBack() {
      if (isOver) return;
      isOver = true;
      // Only a yes that came while no call was there can be used by another.
      if (said.redeemed) await approver.release(said);
    },
  };
}

/** It was used up by the first round. */
function earlierYes(request: string): Yes {
  return {
    said: { request, run: null, scope: "once", via: "server", assurance: null },
    began: () => undefined,
    spent: () => undefined,
    giveBack: async () => undefined,
  };
}

async function passedOn(
  sent: SentCall,
  id: string,
  subject: ToolSubject,
  open: OpenCall,
  gate: Gate,
): Promise<Reply> {
  const { peer, asking } = open;
  if (sent.kind === "cancelled") return null;
  const answer = await listedAnswer(sent.line, open, gate);
  if (peer.era === "2025" || !Buffer.isBuffer(answer)) return answer;
  const call = { id, subject: likenessOf(subject).subject, caller: callerOf(peer) };
  return await withRound(answer, call, asking.states, gate.rounds);
}

/** Nothing that may make the last look untrue is with the server, or is sent there before this call is answered. */
async function begun({ ruling, passage }: OpenCall, { acts }: Gate): Promise<void> {
  const kind = actKindOf(ruling);
  if (kind !== null) passage.tell(acts.begin(kind) ?? (await acts.wait(kind, passage.signal)));
}

/** What the rules refuse by now, whoever said yes before that; null where they ask, or let it through. */
async function denialNow({ call, asking }: OpenCall, { policy }: Gate): Promise<Reply> {
  const { verdict, isBeyondReading } = policy.rule(call, await asking.policy(), judgingOf(asking.config));
  if (verdict.name === "deny") return refusalOf(policyRefusal(verdict));
  return isBeyondReading ? refusalOf(beyondReading) : null;
}

/** What has changed since it was shown, in words; null where nothing has. What cannot be looked at again has. */
async function driftOf(
  subject: ToolSubject,
  { call, ruling, passage }: OpenCall,
  gate: Gate,
): Promise<string | null> {
  const { tools, states } = gate;
  try {
    tools.forget();
    const tool = await tools.find(call.tool.name);
    if (tool?.hash !== call.tool.hash) return "the server says something else of this tool now";
    // What it was called by may be another by now, too.
    if (tools.toldOtherwise(tool)?.hash !== call.told?.hash)
      return "the client was told something else of this tool meanwhile";
    const now = await states.look(ruling.state, call, passage.signal);
    const before = subject.state === "none" ? "none" : subject.state.bound;
    const changed = changedTargets(before, now);
    return changed.length === 0 ? null : `changed since it was shown: ${changed.map(shownText).join(", ")}`;
  } catch (error) {
    return `it could not be looked at again: ${expectWispError(error).message}`;
  }
}
