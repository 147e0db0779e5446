/**
 * What becomes of a call at this gate. Pure: by the person's rules, then by what is known of the server, then by what was
 * pinned. Invariant: none of these but a rule of the person's own, or of a preset for what only reads, lets a call through.
 */
import type { GateRuling, JudgeSettings, Policy } from "../../../broker/index.js";
import type { ToolCall } from "./tool-subject.js";

/** Judges the calls of one gate. */
export interface GatePolicy {
  rule(call: ToolCall, policy: Pick<Policy, "judge">, settings: JudgeSettings): GateRuling;
}
