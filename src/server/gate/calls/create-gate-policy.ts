/** The policy of one gate: the person's rules, and around them what is known of its server and what was pinned. */
import {
  callLook,
  createKnownRulings,
  type GateRuling,
  gateRuling,
  type Preset,
} from "../../../broker/index.js";
import type { GatePolicy } from "./gate-policy.js";
import type { Pins } from "./pinned.js";
import type { ServerIdentity } from "./tool-subject.js";

/** What it judges by, beside the rules. */
export interface GatePolicyParts {
  readonly server: ServerIdentity;
  /** Null for a server that nothing is known of. */
  readonly preset: Preset | null;
  /** Is only that let through of which somebody says that it changes nothing? */
  readonly isReadOnly: boolean;
  /** What relative paths start from: an absolute path. */
  readonly directory: string;
  readonly pins: Pick<Pins, "suspendedBecause">;
  /** May a server's own word let calls through that no rule speaks of? Read anew for each call. */
  readonly areHintsTrusted: () => boolean;
}

/** Judges the calls of one gate. */
export function createGatePolicy(parts: GatePolicyParts): GatePolicy {
  const { server, preset, isReadOnly, directory, pins, areHintsTrusted } = parts;
  const known = createKnownRulings<GateRuling>();
  const atOnce: GatePolicy["atOnce"] = (policy, settings) => {
    const look = callLook();
    const pathArguments = preset?.pathArguments ?? [];
    return ({ tool, arguments: given, told = null }) => {
      const own = { tool: tool.name, arguments: given, isReadOnly: tool.isReadOnly, look };
      const place = { kind: "tool", server: server.name, directory, look, pathArguments } as const;
      const said = policy.judge({ ...place, tool: tool.name, arguments: given }, settings);
      const suspended = joined(pins.suspendedBecause(server, tool), told === null ? null : toldOtherwise);
      return gateRuling(said, own, { preset, isReadOnly, areHintsTrusted, suspended }, known);
    };
  };
  return {
    atOnce,
    rule: (call, policy, settings) => atOnce(policy, settings)(call),
    listingOf({ tool, arguments: given }) {
      const listing = preset?.listingOf(tool.name) ?? null;
      if (listing === null) return null;
      const listed = given[listing.argument];
      return { ...listing, directory: typeof listed === "string" ? listed : directory };
    },
  };
}

const toldOtherwise =
  "the client was told something else of this tool than the server tells the gate; no rule lets it through until you approve this";

function joined(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : `${one}; ${other}`;
}
