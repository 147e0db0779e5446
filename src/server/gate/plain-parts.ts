/** What a gate judges, pins and binds by where no file says more: the person's rules, and what this process saw. */
import { WispError } from "../../broker/index.js";
import type { GatePolicy } from "./calls/gate-policy.js";
import type { Pins } from "./calls/pinned.js";
import type { StateBinding } from "./calls/state-binding.js";
import type { ServerIdentity } from "./calls/tool-subject.js";

/** The rules alone: what none of them allows is asked about. `directory` is where relative paths start from. */
export function policyOfRules(
  server: ServerIdentity,
  directory: string,
  isReadOnly: boolean,
  pins: Pick<Pins, "suspendedBecause">,
): GatePolicy {
  return {
    rule({ tool, arguments: given }, policy, settings) {
      const judged = {
        kind: "tool",
        server: server.name,
        tool: tool.name,
        arguments: given,
        directory,
      } as const;
      const verdict = policy.judge(judged, settings);
      const isBeyondReading = isReadOnly && verdict.name !== "deny";
      if (verdict.name !== "allow") return { verdict, state: null, isBeyondReading };
      // Where nothing asks about what no rule speaks of, that is meant of commands, whose danger is known.
      const isRuled = verdict.rule.list !== "threshold";
      const suspended = isRuled ? pins.suspendedBecause(server, tool) : "no rule speaks of it";
      if (suspended === null) return { verdict, state: null, isBeyondReading };
      const reasons = [...verdict.reasons, suspended];
      return {
        verdict: { ...verdict, name: "ask", reasons, remembered: null },
        state: null,
        isBeyondReading,
      };
    },
  };
}

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
