/** What an approval of a call is bound to beside its arguments, and what of it has changed since. */
import type { Previewed, StateSpec } from "../../../broker/index.js";
import type { JsonObject } from "../frames/json-object.js";
import type { BoundState, ToolCall } from "./tool-subject.js";

/** Looks at what calls of one gate are about. */
export interface StateBinding {
  /**
   * The fingerprints of what `spec` names for a call with these arguments, in its order; null for null. Rejects with
   * invalid_input where an argument that is bound is missing or is no text, with upstream_unavailable where a probe fails.
   */
  look(
    spec: StateSpec | null,
    call: { readonly arguments: JsonObject },
    signal: AbortSignal,
  ): Promise<BoundState>;
  /** What of files the call would replace, make or delete, where that is known of its tool; empty where it is not. */
  preview(call: ToolCall): Promise<Previewed>;
}

/** What of `before` is another now, by its targets; empty where nothing is. */
export function changedTargets(before: BoundState, now: BoundState): readonly string[] {
  if (before === null || before === "none" || now === null || now === "none") return [];
  const found = new Map(now.map(({ target, fingerprint }) => [target, fingerprint]));
  return before
    .filter(({ target, fingerprint }) => found.get(target) !== fingerprint)
    .map(({ target }) => target);
}
