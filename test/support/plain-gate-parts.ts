/** What a gate pins and binds by in tests of other things: what this process saw, and nothing. */
import { WispError } from "../../src/broker/index.js";
import type { Pins } from "../../src/server/gate/calls/pinned.js";
import type { StateBinding } from "../../src/server/gate/calls/state-binding.js";

/** Pins for as long as this process lives. */
export function pinsOfProcess(): Pins {
  const known = new Map<string, { readonly hash: string; readonly text: string }>();
  return {
    suspendedBecause(_server, { name, hash }) {
      const pinned = known.get(name);
      return pinned === undefined || pinned.hash === hash
        ? null
        : "what its server says of this tool has changed";
    },
    changeOf(_server, { name, hash, text }) {
      const pinned = known.get(name);
      return pinned === undefined || pinned.hash === hash ? null : { before: pinned.text, after: text };
    },
    async pin(_server, { name, hash, text }, by) {
      if (by === "person" || !known.has(name)) known.set(name, { hash, text });
    },
  };
}

/** Binds nothing. A rule that says what is to be bound is not weakened by that: its call is refused. */
export const unboundStates: StateBinding = {
  async look(spec) {
    if (spec === null || spec === "none") return spec;
    throw new WispError("invalid_input", "What the rule binds a call to cannot be looked at here.");
  },
  preview: async () => null,
};
