/**
 * One command on its way: asked by an agent, filed, answered by whoever is first, run or not. What is said about it
 * is read from the channel, from the call's result and from the file system, never assumed.
 */
import {
  type ApprovalRequest,
  type Channel,
  type Clock,
  isReceiptVerified,
  isUnaltered,
  type Receipt,
} from "../../broker/index.js";
import { quoteArgv } from "../command/quote.js";
import type { Agent, CallResult } from "./agent.js";
import type { Narrator } from "./narrator.js";
import { notice } from "./notice.js";
import { proofLines, proofText, provingCommand } from "./proof.js";

/** What the trips of one demo share. */
export interface Stage {
  /** The channel, as a face sees it. */
  readonly channel: Channel;
  readonly clock: Clock;
  readonly narrator: Narrator;
  /** Where the commands run. */
  readonly project: string;
  /** Aborts when the demo is interrupted. */
  readonly signal: AbortSignal;
}

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
  const argv = provingCommand(proof);
  const gaveUp = new AbortController();
  const over = new AbortController();

  narrator.step("asked", `run_command ${quoteArgv(argv)}`);
  const filing = notice({ ...stage, look: () => waitingApproval(channel) });
  const call = agent.run(argv, AbortSignal.any([signal, gaveUp.signal]), filing.look);
  call.then(() => filing.endIn(0), filing.fail);
  const request = await filing.found;
  if (request === null) throw new Error(`No request was filed. ${(await call)?.text ?? ""}`);
  narrator.step("filed", `request ${request.id}, level ${request.level}: ${request.reasons.join("; ")}`);

  const settling = notice({ ...stage, look: () => channel.receipt(request.id) });
  call.then(() => settling.endIn(onItsWayMs), settling.fail);
  const [receipt] = await Promise.all([
    settling.found.finally(() => over.abort()),
    meanwhile(request, AbortSignal.any([signal, over.signal]), () => gaveUp.abort()),
  ]);
  if (receipt === null) throw new Error(`Nothing says how it ended. ${(await call)?.text ?? ""}`);
  narrator.step(receipt.outcome === "answered" ? "answered" : "ended", endingText(receipt));

  const result = await call;
  if (result !== null) narrator.step(result.isError ? "refused" : "ran", resultText(result));
  const lines = proofLines(project, proof);
  narrator.step("proof", proofText(proof, lines));
  const isAsAsked = isUnaltered(request) && isCommand(request, argv);
  return {
    proof,
    request,
    isAsAsked,
    receipt,
    isVerified: isReceiptVerified(receipt, request),
    result,
    lines,
  };
}

/** A server settles a call that was given up within two seconds. */
const onItsWayMs = 5_000;

/** Calls on this home are made one after the other, so what waits is the request of the one that was just made. */
function waitingApproval(channel: Channel): ApprovalRequest | null {
  for (const request of channel.pending().requests) {
    if (request.kind === "approval" && channel.receipt(request.id) === null) return request;
  }
  return null;
}

function isCommand({ subject }: ApprovalRequest, argv: readonly string[]): boolean {
  return (
    subject.type === "command" &&
    subject.line === quoteArgv(argv) &&
    JSON.stringify(subject.argv) === JSON.stringify(argv)
  );
}

function endingText({ outcome, decision, scope, via, note }: Receipt): string {
  const what = outcome === "answered" ? `${decision}${scope === null ? "" : ` (${scope})`}` : outcome;
  return `${what}, via ${via}${note === null ? "" : `: ${note}`}`;
}

function resultText({ isError, text, exitCode, stdout }: CallResult): string {
  return isError ? `the agent reads: ${text}` : `exit code ${exitCode}; it printed: ${stdout.trimEnd()}`;
}
