/** Several rules that speak of the same call: what each says that an approval is about, taken together. Pure. */
import type { BoundSpec, StateSpec } from "../request/state-spec.js";

/**
 * All that either binds. Where one says nothing and the other that nothing is bound, nothing is said: that nobody said so is
 * told to the person, and whoever wrote only one of them cannot take it back for both.
 */
export function joinedState(a: StateSpec | null, b: StateSpec | null): StateSpec | null {
  if (isBinding(a) && isBinding(b)) return both(a, b);
  if (isBinding(a)) return a;
  if (isBinding(b)) return b;
  return a === null || b === null ? null : "none";
}

/** Does it name something? */
export function isBinding(state: StateSpec | null): state is BoundSpec {
  return state !== null && state !== "none";
}

function both(a: BoundSpec, b: BoundSpec): BoundSpec {
  return {
    paths: [...new Set([...a.paths, ...b.paths])],
    git: [...new Set([...a.git, ...b.git])],
    // One call at most: the later is that of the accepted rules.
    probe: b.probe ?? a.probe,
  };
}
