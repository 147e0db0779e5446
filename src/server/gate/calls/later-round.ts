/**
 * Calls of the 2026 era that take several rounds: a person approved the call, and the server behind the gate asks for more
 * before it answers. Invariant: a round goes on by an approval only with the arguments that were approved, and once.
 */
import type { RequestStates } from "../../mcp/request-state.js";
import { isObject, messageIn } from "../frames/json-object.js";
import { type Rounds, roundOf } from "./round.js";

/** The approved call whose next round it is. */
export interface ApprovedCall {
  /** The request that was approved, or the run where a rule of the session did. */
  readonly id: string;
  /** `Likeness.subject`. */
  readonly subject: string;
  readonly caller: string;
}

/** The upstream's answer with its state wrapped in ours; as it is where it asks for nothing. */
export async function withRound(
  line: Buffer,
  call: ApprovedCall,
  states: Pick<RequestStates, "mint">,
  rounds: Pick<Rounds, "marked">,
): Promise<Buffer> {
  const message = messageIn(line);
  if (message === null || !isObject(message.result) || message.result.resultType !== "input_required")
    return line;
  const { requestState } = message.result;
  const { text } = await states.mint({ ...call, again: 0, round: roundOf(requestState) });
  const result = { ...message.result, requestState: rounds.marked(text) };
  return Buffer.from(`${JSON.stringify({ ...message, result })}\n`);
}
