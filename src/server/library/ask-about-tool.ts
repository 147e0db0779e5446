/**
 * Asks about a call of an author's tool, and lets the tool do it. Invariant: between the yes and the tool nothing that was
 * shown has changed; where it has, the yes is spent and the tool does nothing.
 */
import type { InputRequiredResult } from "@modelcontextprotocol/server";
import {
  type ApprovalRequest,
  type Ask,
  expectWispError,
  judgingOf,
  likenessOf,
  type Outcome,
} from "../../broker/index.js";
import { toolDialogs } from "../gate/calls/tool-dialog.js";
import type { ToolSubject } from "../gate/calls/tool-subject.js";
import type { Asking } from "../mcp/asking.js";
import { legPartsOf } from "../mcp/asking-call.js";
import { type Heartbeat, startHeartbeat } from "../mcp/heartbeat.js";
import { repeatSecondsOf } from "../mcp/hold.js";
import { type LegAsk, type LegEnd, misconfiguredBy, runLeg } from "../mcp/leg.js";
import {
  abandonedResult,
  errorResult,
  isRefusal,
  policyRefusal,
  refusalResult,
  withSentence,
} from "../mcp/result.js";
import { type Surroundings, stateNow } from "./bound-state.js";
import { type LibraryCall, marked } from "./open-call.js";
import { pending, type RefusalResult, refusal } from "./results.js";
import { runApproved, type ToolRun } from "./run-approved.js";
import { askFor, checkedAsk, subjectOf, type ToolAsk } from "./tool-ask.js";

/** What the client gets: what the tool returned, or why it did nothing, or the form that its dialog is to show. */
export type AskReply<Result> = Result | RefusalResult | InputRequiredResult;

/** Rejects with what `run` throws, and for programmer's errors. */
export async function askAboutTool<Result>(
  about: ToolAsk,
  run: ToolRun<Result>,
  call: LibraryCall,
): Promise<AskReply<Result>> {
  const { peer, wire, asking, own, parts } = call;
  const { clock } = parts.options;
  const heartbeat = startHeartbeat(peer, wire.notify, clock);
  try {
    const decided = await decidedOn(about, call, heartbeat);
    if (decided.kind === "reply") return decided.reply;
    const { subject, around, outcome } = decided;
    return await runApproved({ subject, around, outcome, run, asking, own, clock, signal: peer.signal });
  } finally {
    heartbeat.stop();
  }
}

type Decided =
  | { readonly kind: "reply"; readonly reply: RefusalResult | InputRequiredResult }
  | {
      readonly kind: "approved";
      readonly subject: ToolSubject;
      readonly around: Surroundings;
      readonly outcome: Outcome;
    };

async function decidedOn(about: ToolAsk, call: LibraryCall, heartbeat: Heartbeat): Promise<Decided> {
  const { peer, asking, own, parts } = call;
  try {
    const asked = checkedAsk(about);
    const policy = await asking.policy();
    const { tool, arguments: given, look } = asked;
    const { directory } = parts.options;
    const judged = { kind: "tool", server: own.name, tool, arguments: given, directory } as const;
    const verdict = policy.judge(judged, judgingOf(asking.config));
    if (verdict.name === "deny") {
      const subject = subjectOf(asked, own, null);
      await asking.approver.refuse(askFor(subject, { peer, asking, verdict, isUnbound: false }));
      return { kind: "reply", reply: refusal(policyRefusal(verdict)) };
    }
    const around = { look, spec: verdict.state, arguments: given, directory, clock: parts.options.clock };
    const state = await stateNow(around, peer.signal);
    // What was awaited may have taken long, and the caller have left meanwhile.
    if (peer.signal.aborted) return { kind: "reply", reply: refusal(abandonedResult()) };
    const subject = subjectOf(asked, own, state);
    const ask = askFor(subject, { peer, asking, verdict, isUnbound: state === null });
    heartbeat.says(() => (ask.allowedBy === null ? "Asking a person." : "A rule allows it."));
    const end = await runLeg(approvalLeg(ask, asking), legPartsOf(call, asking, heartbeat));
    if (end.kind === "dialog") return { kind: "reply", reply: marked(end.result, call.rounds) };
    const reply = refusalOf(end, asking);
    if (reply !== null) return { kind: "reply", reply };
    const { outcome } = end;
    heartbeat.says(() => (outcome.via === "policy" ? "Allowed; it runs." : "Approved; it runs."));
    return { kind: "approved", subject, around, outcome };
  } catch (error) {
    // A look that was broken off throws the reason on.
    if (peer.signal.aborted && error === peer.signal.reason)
      return { kind: "reply", reply: refusal(abandonedResult()) };
    return { kind: "reply", reply: refusal(errorResult(expectWispError(error), null, asking.doctorLine)) };
  }
}

function approvalLeg(ask: Ask, { approver }: Asking): LegAsk<ApprovalRequest, Outcome> {
  return {
    kind: toolDialogs,
    subject: likenessOf(ask.subject).subject,
    mostHeldSeconds: null,
    ask: (dialog, signal, onAsked, earlier) => approver.ask(ask, dialog, signal, onAsked, earlier),
  };
}

/** Null for a yes. */
function refusalOf(
  { outcome, heldSeconds, hadDialog, unused }: Extract<LegEnd<Outcome>, { kind: "outcome" }>,
  { config, doctorLine }: Asking,
): RefusalResult | null {
  if (outcome.name === "pending") return pending(outcome, repeatSecondsOf(heldSeconds), unused !== null);
  if (!isRefusal(outcome)) return null;
  const misconfigured = misconfiguredBy({ outcome, hadDialog }, config);
  return refusal(withSentence(refusalResult(outcome, doctorLine, misconfigured), unused));
}
