/**
 * What becomes of a call at this gate. Pure: by the person's rules, then by what is known of the server, then by what was
 * pinned. Invariant: none of these but a rule of the person's own, or of a preset for what only reads, lets a call through.
 */
import type { JudgeSettings, Policy, StateSpec, Verdict } from "../../../broker/index.js";
import type { ToolCall } from "./tool-subject.js";

/** The ruling on one call. */
export interface GateRuling {
  /** With everything in it that a person or a caller is told. */
  readonly verdict: Verdict;
  /** What an approval of it is to be bound to; null where nothing says so. */
  readonly state: StateSpec | null;
  /** The gate lets through only what is proven to read, and this is not. */
  readonly isBeyondReading: boolean;
}

/** Judges the calls of one gate. */
export interface GatePolicy {
  rule(call: ToolCall, policy: Pick<Policy, "judge">, settings: JudgeSettings): GateRuling;
}
