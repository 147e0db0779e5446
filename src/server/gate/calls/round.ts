/**
 * What a call of the 2026 era brings with it from an earlier result: a state of ours, or one of the upstream's, which is
 * none of our business. Invariant: a state is ours only behind our mark, and then it counts only if it is authentic.
 */
import type { RequestStates, ReturnedState } from "../../mcp/request-state.js";
import type { JsonObject } from "../frames/json-object.js";
import type { OwnAnswer } from "../frames/passage.js";
import { isMeta } from "./call-meta.js";

/** What came back with a call. */
export type Came =
  /** Nothing of ours. What else came is the upstream's. */
  | { readonly kind: "none" }
  /** The state of a dialog of ours, or of a round of an approved call. */
  | { readonly kind: "ours"; readonly state: ReturnedState }
  /** Behind our mark, and not made by us for this caller, or over. */
  | { readonly kind: "false" };

/** The states of one gate as they travel. */
export interface Rounds {
  /** What the client is to bring back. */
  marked(text: string): string;
  /** Reads what `params` of a call brought; at once where nothing of ours came. */
  cameWith(params: JsonObject, caller: string): Promise<Came> | Came;
}

/**
 * `tag` tells this gate from every other: a gate behind a gate has states, too, and each takes its own for its own. It is
 * hex.
 */
export function createRounds(tag: string, states: () => Pick<RequestStates, "verify">): Rounds {
  const mark = `wisp:${tag}:`;

  async function verified(state: string, caller: string): Promise<Came> {
    try {
      return { kind: "ours", state: await states().verify(state, caller) };
    } catch {
      // Whatever is wrong with it: whoever changed it gets no hint.
      return { kind: "false" };
    }
  }

  return {
    marked: (text) => `${mark}${text}`,
    cameWith({ requestState }, caller) {
      const isOurs = typeof requestState === "string" && requestState.startsWith(mark);
      return isOurs ? verified(requestState.slice(mark.length), caller) : nothingCame;
    },
  };
}

const nothingCame: Came = { kind: "none" };

/** What a caller is told of a state that does not count, in the words of the SDK. */
export const invalidState: OwnAnswer = {
  error: {
    code: -32_602,
    message: "Invalid or expired requestState",
    data: { reason: "invalid_request_state" },
  },
};

/** What a person is shown of a call, and of `_meta` what stands in `metaShown`. */
const shownParams: readonly string[] = ["name", "arguments", "_meta"];
/** What goes with a state of ours: the answers to our dialog, or those of a round whose call was approved. */
const roundParams: readonly string[] = [...shownParams, "requestState", "inputResponses"];

/**
 * Does the call say something that no yes to it would be about? Whoever made it could so answer for the person what the server
 * asks later.
 */
export function hasUnshown(params: JsonObject, came: Came): boolean {
  const known = came.kind === "ours" ? roundParams : shownParams;
  return !isMeta(params) || Object.keys(params).some((key) => !known.includes(key));
}

/** `params` as the upstream may see them: nothing of a dialog of ours, and its own state where a round goes on. */
export function forUpstream(params: JsonObject, came: Came): JsonObject {
  if (came.kind !== "ours") return params;
  const { requestState, inputResponses, ...rest } = params;
  const { round } = came.state;
  if (round === null) return rest;
  const state = upstreamState(round);
  return {
    ...rest,
    ...(inputResponses !== undefined && { inputResponses }),
    ...(state !== null && { requestState: state }),
  };
}

/** The state in front of which the upstream's own stands; it has none where it sent none. */
const none = "-";

/** The state of the upstream's as it stands in one of ours. */
export function roundOf(requestState: unknown): string {
  return typeof requestState === "string" ? `=${requestState}` : none;
}

function upstreamState(round: string): string | null {
  return round.startsWith("=") ? round.slice(1) : null;
}
