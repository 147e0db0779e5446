/**
 * One call of a tool, from the frame to its answer: judged, asked about, sent on as it was shown, once. Invariant: what a
 * person approved is what is sent, with the definition and the state that were shown.
 */
import { type AuditEvent, type GateRuling, judgingOf, shownText, WispError } from "../../../broker/index.js";
import { callerOf, hasEnvelope } from "../../mcp/peer.js";
import type { ToolCallFrame } from "../frames/client-frame.js";
import { objectIn } from "../frames/json-object.js";
import type { OwnAnswer, Passage } from "../frames/passage.js";
import { type Act, type ActKind, actKindOf } from "./acts.js";
import type { Gate, OpenCall, Reply } from "./gate-parts.js";
import { passedEvent } from "./passed-log.js";
import { forUpstream, invalidState } from "./round.js";
import type { ToolCall } from "./tool-subject.js";

/** Answers `frame` through `passage`. Never rejects. */
export async function answerCall(frame: ToolCallFrame, passage: Passage, gate: Gate): Promise<void> {
  let reply: Reply;
  try {
    reply = await replyTo(frame, passage, gate);
  } catch (error) {
    reply = await faultOf(error, passage, gate);
  }
  // A call that was cancelled is over as well; nothing is said then.
  passage.reply(reply === null ? cancelledAnswer : asOfItsEra(reply, frame));
}

/** In the 2026 era a result says what it is, and its clients throw for one that does not; before it none does. */
function asOfItsEra(reply: Buffer | OwnAnswer, { params }: ToolCallFrame): Buffer | OwnAnswer {
  if (Buffer.isBuffer(reply) || !("result" in reply) || !hasEnvelope(objectIn(params, "_meta"))) return reply;
  return { result: { resultType: "complete", ...reply.result } };
}

const cancelledAnswer: OwnAnswer = { error: { code: -32_000, message: "Cancelled." } };

async function replyTo(frame: ToolCallFrame, passage: Passage, gate: Gate): Promise<Reply> {
  const { connection, session, tools, rounds } = gate;
  const peer = session.peerOf(frame, passage);
  const asking = connection.open(peer.client);
  // Where nothing has to be waited for nothing is: each wait costs a call that goes by as much as it is judged in.
  const coming = rounds.cameWith(frame.params, callerOf(peer));
  const came = isPromise(coming) ? await coming : coming;
  if (came.kind === "false") return invalidState;
  let act: Act | null = null;
  for (;;) {
    const finding = tools.find(frame.name);
    const tool = isPromise(finding) ? await finding : finding;
    if (tool === null) return unlisted(frame.name);
    const turn = passage.turn();
    if (turn !== null) await turn;
    const call: ToolCall = { tool, arguments: frame.arguments, told: tools.toldOtherwise(tool) };
    const opening = asking.policy();
    const policy = isPromise(opening) ? await opening : opening;
    if (passage.isAborted) return null;
    const ruling = gate.policy.rule(call, policy, judgingOf(asking.config));
    const open: OpenCall = { frame, passage, peer, came, call, ruling, asking, act };
    const kind = kindNow(ruling);
    if (kind !== null && act?.kind !== kind) {
      act?.over();
      act = gate.acts.begin(kind);
      if (act === null) {
        // Reads behind it need not wait with it. What it was judged by may be another by then.
        if (!gate.acts.isCrowded(frame.bytes)) passage.stepAside();
        act = await gate.acts.wait(kind, passage.signal, frame.bytes);
        passage.tell(act);
        continue;
      }
      passage.tell(act);
    }
    if (!passes(ruling)) return ask({ ...open, act }, gate);
    const pinning = gate.pins.pin(gate.server, tool, "rule");
    if (pinning !== null) await pinning;
    // The log comes last: what it tells of a call that it holds up is to be true.
    const event = () => passedEvent(gate.server, call, ruling, peer.client);
    const writing = gate.passed.ready(event);
    if (writing !== null) await writing;
    // Another gate of the name pinned its server meanwhile, and this call pinned nothing.
    const hasWaited = writing !== null || pinning !== null;
    if (hasWaited && gate.pins.suspendedBecause(gate.server, tool) !== null) {
      return ask({ ...open, act, ruling: gate.policy.rule(call, policy, judgingOf(asking.config)) }, gate);
    }
    return passOn(open, gate, writing === null ? event : null);
  }
}

function passes({ verdict, isBeyondReading }: GateRuling): boolean {
  return verdict.name === "allow" && !isBeyondReading;
}

/** What is refused goes nowhere, and what asks is sent later: it waits only for what makes its card untrue. */
function kindNow(ruling: GateRuling): ActKind | null {
  const kind = actKindOf(ruling);
  if (passes(ruling)) return kind;
  return kind === "alone" && ruling.verdict.name === "ask" && !ruling.isBeyondReading ? kind : null;
}

function isPromise<Value>(value: Promise<Value> | Value): value is Promise<Value> {
  return value instanceof Promise;
}

async function ask(open: OpenCall, gate: Gate): Promise<Reply> {
  // With it comes all that asks a person: a gate that only lets calls by has no use for it.
  const { askAboutCall } = await import("./ask-about-call.js");
  return askAboutCall(open, gate);
}

/** Nobody is asked: it goes on. `event` is to be written down, null where it was. */
async function passOn(open: OpenCall, gate: Gate, event: (() => AuditEvent) | null): Promise<Reply> {
  const { frame, passage, came, call } = open;
  if (passage.isAborted) return null;
  const listing = gate.policy.listingOf(call);
  const send = listing === null ? passage.relay : passage.forward;
  let workOut = (): void => undefined;
  const answered = await send(forUpstream(frame.params, came), () => {
    if (event !== null) workOut = gate.passed.addUnder(event);
  });
  // The client has its answer by now. Its arguments were read as ones that have a hash.
  workOut();
  switch (answered.kind) {
    case "answer": {
      if (listing === null) return answered.line;
      const { listedAnswer } = await import("./listed-answer.js");
      return listedAnswer(answered.line, open, gate);
    }
    case "cancelled":
      return null;
    case "lost":
      return upstreamLost(answered.isUnsent);
    default:
      return answered satisfies never;
  }
}

/** As a server says it that speaks to its client itself. */
function upstreamLost(isUnsent: boolean): OwnAnswer {
  const message = isUnsent
    ? "The server could not be reached; nothing ran."
    : "The server ended before it answered.";
  return { error: { code: -32_000, message } };
}

function unlisted(name: string): OwnAnswer {
  const message = `The server lists no tool ${shownText(name)}, or several of that name; nothing was forwarded.`;
  return { error: { code: -32_602, message } };
}

async function faultOf(error: unknown, passage: Passage, { connection }: Gate): Promise<Reply> {
  // The reason of the signal, thrown on.
  if (passage.isAborted && error === passage.signal.reason) return null;
  if (error instanceof WispError) {
    const { refusalOfError } = await import("./refusal.js");
    return refusalOfError(error, connection.doctorLine());
  }
  const message = error instanceof Error ? error.message : String(error);
  return { error: { code: -32_603, message: `A fault of the gate's own: ${shownText(message)}` } };
}
