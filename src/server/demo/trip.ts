/**
 * One command on its way: asked by an agent, filed, answered by whoever is first, run or not. What is said about it
 * is read from the channel, from the call's result and from the file system, never assumed.
 */
import { type ApprovalRequest, isReceiptVerified, type Receipt } from "../../broker/index.js";
import type { Agent, CallResult } from "./agent.js";
import { ask, type Stage } from "./ask.js";
import { notice } from "./notice.js";
import { proofLines, proofText } from "./proof.js";

/** Who asks, what proves that the command ran, and what happens while it waits. */
export interface TripOptions {
  readonly agent: Pick<Agent, "run">;
  /** The name of the file that proves that the command ran. */
  readonly proof: string;
  /** What goes on while `request` waits; `over` aborts when the wait is over. `giveUp` cancels the call. */
  readonly meanwhile: (request: ApprovalRequest, over: AbortSignal, giveUp: () => void) => Promise<void>;
}

/** What came of it. */
export interface Trip {
  readonly proof: string;
  readonly request: ApprovalRequest;
  /** Was exactly the command that was asked filed, and is the request as its server filed it? */
  readonly isAsAsked: boolean;
  readonly receipt: Receipt;
  /** Does the receipt come from the server that asked? */
  readonly isVerified: boolean;
  /** Null when the call was given up. */
  readonly result: CallResult | null;
  /** How often the command ran, by the lines it left; null when it left no file. */
  readonly lines: number | null;
}

/** Throws an Error when the call broke off, or left no request or no receipt. */
export async function makeTrip(stage: Stage, { agent, proof, meanwhile }: TripOptions): Promise<Trip> {
  const { channel, narrator, project, signal } = stage;
  const gaveUp = new AbortController();
  const over = new AbortController();
  const asked = await ask(stage, agent, proof, AbortSignal.any([signal, gaveUp.signal]));
  const { call, request, isAsAsked } = asked;

  const settling = notice({ ...stage, look: () => channel.receipt(request.id) });
  call.then(() => settling.endIn(onItsWayMs), settling.fail);
  const [receipt] = await Promise.all([
    settling.found.finally(() => over.abort()),
    meanwhile(request, AbortSignal.any([signal, over.signal]), () => gaveUp.abort()),
  ]);
  if (receipt === null) throw new Error(`Nothing says how it ended. ${(await call)?.text ?? ""}`);
  narrator.step(...endingStep(receipt));

  const result = await call;
  if (result !== null) narrator.step(...resultStep(result));
  const lines = proofLines(project, proof);
  narrator.step("proof", proofText(proof, lines));
  const isVerified = isReceiptVerified(receipt, request);
  return { proof, request, isAsAsked, receipt, isVerified, result, lines };
}

/** A server settles a call that was given up within two seconds. */
export const onItsWayMs = 5_000;

/** How a request ended, as a step. */
export function endingStep({ outcome, decision, scope, via, note }: Receipt): readonly [string, string] {
  const isAnswered = outcome === "answered";
  const what = isAnswered ? `${decision}${scope === null ? "" : ` (${scope})`}` : outcome;
  return [isAnswered ? "answered" : "ended", `${what}, via ${via}${note === null ? "" : `: ${note}`}`];
}

/** What a call returned with, as a step. */
export function resultStep({
  isError,
  text,
  outcome,
  exitCode,
  stdout,
}: CallResult): readonly [string, string] {
  if (isError) return ["refused", `the agent reads: ${text}`];
  // What follows tells the agent what to do; the next steps show it.
  if (outcome === "pending") return ["pending", `the agent reads: ${text.split(". ")[0] ?? ""}.`];
  return ["ran", `exit code ${exitCode}; it printed: ${stdout.trimEnd()}`];
}
