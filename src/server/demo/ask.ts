/** What every trip begins with: a call, and the request that it leaves in the channel. */
import { type ApprovalRequest, type Channel, type Clock, isUnaltered } from "../../broker/index.js";
import { quoteArgv } from "../command/quote.js";
import type { Agent, CallResult } from "./agent.js";
import type { Narrator } from "./narrator.js";
import { notice } from "./notice.js";
import { provingCommand } from "./proof.js";

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

/** A call on its way, and what it left for a person to answer. */
export interface Asked {
  /** Null when the call was given up. */
  readonly call: Promise<CallResult | null>;
  readonly request: ApprovalRequest;
  /** Was exactly the command that was asked filed, and is the request as its server filed it? */
  readonly isAsAsked: boolean;
}

/**
 * Has `agent` ask for the command that adds to `proof`; `signal` gives its call up. Throws an Error when the call broke
 * off or left no request.
 */
export async function ask(
  stage: Stage,
  agent: Pick<Agent, "run">,
  proof: string,
  signal: AbortSignal,
): Promise<Asked> {
  const { channel, narrator } = stage;
  const argv = provingCommand(proof);
  narrator.step("asked", `run_command ${quoteArgv(argv)}`);
  const filing = notice({ ...stage, look: () => waitingApproval(channel) });
  const call = agent.run(argv, signal, filing.look);
  call.then(() => filing.endIn(0), filing.fail);
  const request = await filing.found;
  if (request === null) throw new Error(`No request was filed. ${(await call)?.text ?? ""}`);
  narrator.step("filed", `request ${request.id}, level ${request.level}: ${request.reasons.join("; ")}`);
  return { call, request, isAsAsked: isUnaltered(request) && isCommand(request, argv) };
}

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
