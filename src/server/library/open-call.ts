/** One call of an author's tool, opened: who makes it, what came with it, and what asks for it. */
import { expectWispError } from "../../broker/index.js";
import { createRounds, type Rounds } from "../gate/calls/round.js";
import type { ServerIdentity } from "../gate/calls/tool-subject.js";
import type { Asking } from "../mcp/asking.js";
import type { AskingCall } from "../mcp/asking-call.js";
import type { Connection, ConnectionOptions } from "../mcp/connection.js";
import { callerOf } from "../mcp/peer.js";
import { abandonedResult, errorResult, refused } from "../mcp/result.js";
import {
  type AnyServer,
  type CallContext,
  checkContext,
  peerOfContext,
  rawStateOf,
  wireOfContext,
} from "./call-context.js";
import { type RefusalResult, refusal } from "./results.js";

/** What all calls of one server share. */
export interface OpenServer {
  readonly own: ServerIdentity;
  readonly server: AnyServer;
  readonly options: ConnectionOptions;
  readonly connection: Connection;
}

/** One call while it asks. */
export interface LibraryCall extends AskingCall {
  readonly own: ServerIdentity;
  readonly asking: Asking;
  /** The marks by which a state of ours is told from one of the author's. */
  readonly rounds: Rounds;
}

/** The call, or why nobody is asked for it. */
export type OpenedCall =
  | { readonly kind: "open"; readonly call: LibraryCall }
  | {
      readonly kind: "refused";
      readonly name: "abandoned" | "refused" | "failed";
      readonly result: RefusalResult;
    };

/** Opens what asking needs, if nothing did before. Rejects for what is no context, and never for what came with the call. */
export async function openCall(context: CallContext, to: OpenServer): Promise<OpenedCall> {
  const { own, server, options, connection } = to;
  checkContext(context);
  const peer = peerOfContext(server, context);
  // A cancellation may come in the same read as the call; its listeners would never hear it.
  if (peer.signal.aborted) return { kind: "refused", name: "abandoned", result: refusal(abandonedResult()) };
  try {
    const asking = connection.open(peer.client);
    const rounds = createRounds(own.hash.slice(0, tagLength), () => asking.states);
    const came = await rounds.cameWith({ requestState: rawStateOf(context) }, callerOf(peer));
    if (came.kind === "false") return { kind: "refused", name: "refused", result: refusal(falseState) };
    const wire = wireOfContext(context, came.kind === "ours" ? came.state : null);
    const parts = { connection, options, era: peer.era };
    return { kind: "open", call: { peer, wire, parts, own, asking, rounds } };
  } catch (error) {
    const result = refusal(errorResult(expectWispError(error), null, connection.doctorLine()));
    return { kind: "refused", name: "failed", result };
  }
}

/** Of the server's hash: tells its states from those of a gate in front of it. */
const tagLength = 12;

/** Whoever changed it gets no hint of what is wrong with it. */
const falseState = refused({
  outcome: "refused",
  code: "invalid_input",
  text: "Refused: the requestState that came with this call is not valid, or over. Nothing ran; make the call again without it.",
  request: null,
});

/** `result` of a leg with its state marked as ours, so that it is known when it comes back. */
export function marked<Result extends { readonly requestState?: string }>(
  result: Result,
  rounds: Rounds,
): Result {
  const { requestState } = result;
  return requestState === undefined ? result : { ...result, requestState: rounds.marked(requestState) };
}
