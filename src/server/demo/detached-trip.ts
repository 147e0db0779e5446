/**
 * A command whose call ends before anybody answers: the request waits on without it, the same call made again collects
 * what was answered meanwhile, and a yes that was used is used up.
 */
import { type ApprovalRequest, isReceiptVerified, type Receipt } from "../../broker/index.js";
import type { Agent, CallResult } from "./agent.js";
import { ask, type Stage } from "./ask.js";
import { notice } from "./notice.js";
import { proofLines, proofText, provingCommand } from "./proof.js";
import { endingStep, onItsWayMs, resultStep, type Trip } from "./trip.js";

/** Who asks and does not wait for long, what proves that the command ran, and who answers later. */
export interface DetachedTripOptions {
  readonly agent: Pick<Agent, "run" | "close">;
  /** The name of the file that proves that the command ran. */
  readonly proof: string;
  /**
   * What goes on once the call has returned and `request` waits without it; `over` aborts when the wait is over. `giveUp`
   * says that no answer is to be expected any more.
   */
  readonly meanwhile: (request: ApprovalRequest, over: AbortSignal, giveUp: () => void) => Promise<void>;
}

/** What came of it. */
export interface DetachedTrip {
  /** What the first call returned with, and how often its command had run then. */
  readonly early: { readonly result: CallResult | null; readonly lines: number | null };
  /** Its request. The result is that of the same call after the answer; null when nobody answered, and none was made. */
  readonly later: Trip;
  /** The same call once more, after its yes was used, until its client left; null where there was no yes. */
  readonly further: Trip | null;
}

/** Ends with the client gone. Throws an Error when a call broke off, or left no request, or a request left no receipt. */
export async function makeDetachedTrip(stage: Stage, options: DetachedTripOptions): Promise<DetachedTrip> {
  const { agent, proof } = options;
  const { narrator, project, signal } = stage;
  const { call, request, isAsAsked } = await ask(stage, agent, proof, signal);
  const early = { result: await resultOf(call, stage), lines: proofLines(project, proof) };
  narrator.step("proof", proofText(proof, early.lines));

  const known = { proof, request, isAsAsked };
  const receipt = await waitForAnswer(stage, request, options);
  signal.throwIfAborted();
  if (receipt === null) {
    narrator.step("silence", "nobody answered in time, which is not a yes: the client leaves");
    return { early, later: await leave(stage, agent, { ...known, result: null }), further: null };
  }
  narrator.step(...endingStep(receipt));
  narrator.step("repeated", "the agent makes the same call, word for word");
  const result = await resultOf(
    agent.run(provingCommand(proof), signal, () => undefined),
    stage,
  );
  const lines = proofLines(project, proof);
  narrator.step("proof", proofText(proof, lines));
  const later = { ...known, receipt, isVerified: isReceiptVerified(receipt, request), result, lines };
  if (receipt.decision !== "approve") return { early, later, further: null };

  narrator.step("repeated", "the agent makes the same call once more: that yes is used up");
  const again = await ask(stage, agent, proof, signal);
  const asked = { proof, request: again.request, isAsAsked: again.isAsAsked };
  const further = { ...asked, result: await resultOf(again.call, stage) };
  return { early, later, further: await leave(stage, agent, further) };
}

/** Nobody gives these calls up: without a result the demo was interrupted, and this throws. */
async function resultOf(
  call: Promise<CallResult | null>,
  { narrator, signal }: Stage,
): Promise<CallResult | null> {
  const result = await call;
  signal.throwIfAborted();
  if (result !== null) narrator.step(...resultStep(result));
  return result;
}

/** The receipt, or null when nobody has answered in time, or at all. */
async function waitForAnswer(
  { channel, clock, signal }: Stage,
  request: ApprovalRequest,
  { meanwhile }: DetachedTripOptions,
): Promise<Receipt | null> {
  const over = new AbortController();
  const settling = notice({ channel, clock, signal, look: () => channel.receipt(request.id) });
  const giveUp = (): void => settling.endIn(0);
  const timer = clock.after(longestAnswerMs, giveUp, true);
  const [receipt] = await Promise.all([
    settling.found.finally(() => {
      timer.cancel();
      over.abort();
    }),
    meanwhile(request, AbortSignal.any([signal, over.signal]), giveUp),
  ]);
  return receipt;
}

/** A demo ends by itself, also where somebody has walked away from it. */
const longestAnswerMs = 120_000;

/** The client disconnects, and what its server still asked for ends with it. */
async function leave(
  stage: Stage,
  agent: Pick<Agent, "close">,
  trip: Pick<Trip, "proof" | "request" | "isAsAsked" | "result">,
): Promise<Trip> {
  const { channel, narrator, project } = stage;
  const { request, proof } = trip;
  const settling = notice({ ...stage, look: () => channel.receipt(request.id) });
  await agent.close();
  settling.endIn(onItsWayMs);
  const receipt = await settling.found;
  if (receipt === null) throw new Error("Nothing says how it ended.");
  narrator.step(...endingStep(receipt));
  const lines = proofLines(project, proof);
  narrator.step("proof", proofText(proof, lines));
  return { ...trip, receipt, isVerified: isReceiptVerified(receipt, request), lines };
}
