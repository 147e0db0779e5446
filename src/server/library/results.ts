/**
 * What a tool's client gets where the call came to nothing, in a shape that both majors of the SDK take. The fields of a
 * refusal stand under `_meta`, never in `structuredContent`: that belongs to the output schema of the author's own tool.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Outcome } from "../../broker/index.js";
import { pendingOf, type refusalKey, refusalOf } from "../gate/calls/refusal.js";
import type { OwnAnswer } from "../gate/frames/passage.js";

/** A tool error. A type and no interface, so that it fits where an index signature is wanted. */
export type RefusalResult = {
  content: { type: "text"; text: string }[];
  isError: true;
  _meta: { [refusalKey]: Readonly<Record<string, unknown>> };
};

/** Of a result of `src/server/mcp` for an ending that let nothing through. */
export function refusal(result: CallToolResult): RefusalResult {
  return shaped(refusalOf(result));
}

/** Of a call whose request waits on; what it takes is that of `pendingResult`. */
export function pending(outcome: Outcome, seconds: number, isAnswered: boolean): RefusalResult {
  return shaped(pendingOf(outcome, seconds, isAnswered));
}

function shaped(answer: OwnAnswer): RefusalResult {
  return (answer as { readonly result: unknown }).result as RefusalResult;
}
