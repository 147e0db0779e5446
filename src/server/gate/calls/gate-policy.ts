/**
 * What becomes of a call at this gate. Pure: by the person's rules, then by what is known of the server, then by what was
 * pinned. Invariant: none of these but a rule of the person's own, or of a preset for what only reads, lets a call through.
 */
import type { GateRuling, JudgeSettings, ListingSpec, Policy } from "../../../broker/index.js";
import type { ToolCall } from "./tool-subject.js";

/** Judges the calls of one gate. */
export interface GatePolicy {
  /** How the answer to it lists files, and of which directory, absolute; null where nothing of it is looked through. */
  listingOf(call: ToolCall): (ListingSpec & { readonly directory: string }) | null;
  rule(call: ToolCall, policy: Pick<Policy, "judge">, settings: JudgeSettings): GateRuling;
  /** Judges several calls of one moment: what was looked at for one of them counts for those after it. */
  atOnce(policy: Pick<Policy, "judge">, settings: JudgeSettings): (call: ToolCall) => GateRuling;
}
