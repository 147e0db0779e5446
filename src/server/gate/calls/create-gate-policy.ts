/**
 * What becomes of a call at a gate: by the person's rules, where none speaks by what is known of the server, and whatever
 * those say by the floors and the pins. Invariant: nothing here lets a call through that the person's rules ask about.
 */
import { isAbsolute } from "node:path";
import {
  type DecidingRule,
  highestLevel,
  joinedState,
  lookingOnce,
  pathLook,
  type StateSpec,
  type Verdict,
} from "../../../broker/index.js";
import type { Preset, PresetCall, PresetWord } from "../presets/open-preset.js";
import type { GatePolicy } from "./gate-policy.js";
import type { Pins } from "./pinned.js";
import type { ServerIdentity, ToolCall } from "./tool-subject.js";

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
  const { server, preset, isReadOnly, directory, pins } = parts;
  return {
    rule(call, policy, settings) {
      const look = lookingOnce(pathLook);
      const own: PresetCall = { tool: call.tool.name, arguments: call.arguments, look };
      const said = policy.judge({ kind: "tool", server: server.name, directory, ...own }, settings);
      const denied = said.name === "deny" ? said : guarded(said, preset?.guardedIn(own) ?? null);
      if (denied !== null) return { verdict: denied, state: null, isBeyondReading: false };
      const spoken = withPreset(said, call, own, parts);
      const state = stateFor(said, preset?.stateOf(own) ?? null);
      const suspended = suspendedBy(spoken, pins.suspendedBecause(server, call.tool));
      const verdict = floored(suspended, preset?.floorsOf(own) ?? []);
      return {
        verdict: { ...verdict, state },
        state,
        isBeyondReading: isReadOnly && !isProven(said, own, preset),
      };
    },
  };
}

/** Only who wrote it knows: a rule of the person's own that says so, or the preset's list. No hint, and no rule that is bare. */
function isProven(said: Verdict, own: PresetCall, preset: Preset | null): boolean {
  return (said.name === "allow" && said.isReadOnly) || (preset?.isReading(own) ?? false);
}

function guarded(said: Verdict, place: string | null): Verdict | null {
  if (place === null) return null;
  const rule = builtIn(`no call through a gate reaches ${place}`);
  return { ...decided(said, "deny", rule), reasons: [rule.text], denial: null };
}

/** Where a rule of the person's speaks, nothing else does; the label alone is added. */
function withPreset(said: Verdict, call: ToolCall, own: PresetCall, parts: GatePolicyParts): Verdict {
  const { preset, areHintsTrusted } = parts;
  const word = preset?.wordOn(own) ?? null;
  const labelled = call.tool.isReadOnly ? labelledAsReading(said) : said;
  if (said.rule.list !== "threshold") {
    return isOfProject(said) && word?.name === "ask" ? raised(labelled, word) : labelled;
  }
  if (preset !== null && word !== null) return byPreset(labelled, word, preset.name);
  if (!call.tool.isReadOnly || said.isFaulty || !areHintsTrusted()) return labelled;
  const rule = {
    ...said.rule,
    text: "the server says that it only reads, and gate.trustAnnotations is true",
  };
  return { ...decided(said, "allow", rule), reasons: [rule.text] };
}

function byPreset(said: Verdict, { name, rule: { text, level } }: PresetWord, preset: string): Verdict {
  const rule = { list: name, text, file: `the preset ${preset}`, line: null } as const;
  switch (name) {
    case "allow":
      // While a file cannot be used everything asks.
      if (said.isFaulty) return said;
      return { ...decided(said, "allow", rule), reasons: [`the preset ${preset} says that it only reads`] };
    case "ask": {
      const [, ...others] = said.reasons;
      const reasons = [`the preset ${preset} asks`, ...others];
      const asked = level === null || said.level === "dangerous" ? said.level : level;
      return { ...decided(said, "ask", rule), reasons, level: asked };
    }
    default:
      return name satisfies never;
  }
}

/** Anybody may have written a project's file: it takes nothing from what is known of the server. */
function isOfProject({ rule: { file } }: Verdict): boolean {
  return file !== null && isAbsolute(file);
}

function raised(said: Verdict, { rule: { level } }: PresetWord): Verdict {
  return level === null ? said : { ...said, level: highestLevel([said.level, level]) };
}

function labelledAsReading(said: Verdict): Verdict {
  return said.name === "ask"
    ? { ...said, reasons: [...said.reasons, "the server says that it only reads"] }
    : said;
}

/** What was allowed is as if nobody had said so; what asks says it, too. */
function suspendedBy(said: Verdict, why: string | null): Verdict {
  if (why === null) return said;
  if (said.name !== "allow") return { ...said, reasons: [...said.reasons, why] };
  return { ...decided(said, "ask", builtIn(why)), reasons: [why] };
}

function floored(said: Verdict, floors: ReturnType<Preset["floorsOf"]>): Verdict {
  if (floors.length === 0) return said;
  const whys = [...new Set(floors.map(({ why }) => why))];
  const level = highestLevel([said.level, ...floors.map((floor) => floor.level)]);
  if (said.name !== "allow") return { ...said, level, reasons: [...said.reasons, ...whys] };
  return { ...decided(said, "ask", builtIn(`always asks: ${whys.join(", ")}`)), level, reasons: whys };
}

/** A person's own rule that asks says what is bound, and where it says nothing, nothing is. */
function stateFor(said: Verdict, preset: StateSpec | null): StateSpec | null {
  if (said.name === "ask" && said.rule.list === "ask")
    return isOfProject(said) ? joinedState(said.state, preset) : said.state;
  return said.state ?? preset;
}

function builtIn(text: string): DecidingRule {
  return { list: "floor", text, file: null, line: null };
}

/** The same verdict by another rule. */
function decided(said: Verdict, name: Verdict["name"], rule: DecidingRule): Verdict {
  return {
    ...said,
    name,
    rule,
    parts: said.parts.map((part) => ({ ...part, verdict: name, rule })),
    waiting: null,
  };
}
