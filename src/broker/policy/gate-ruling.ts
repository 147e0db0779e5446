/**
 * What becomes of a call at a gate: by the person's rules, where none speaks by what is known of the server, and whatever
 * those say by the floors and the pins. Invariant: nothing here lets a call through that the person's rules ask about.
 */
import { isAbsolute } from "node:path";
import type { StateSpec } from "../request/state-spec.js";
import { highestLevel } from "./evaluate.js";
import { isBinding, joinedState } from "./joined-state.js";
import { createKnownRulings, type KnownRulings } from "./known-rulings.js";
import type { Preset, PresetCall } from "./presets/open-preset.js";
import type { PresetWord } from "./presets/spoken-rules.js";
import type { DecidingRule, Verdict } from "./verdict.js";

/** The ruling on one call. */
export interface GateRuling {
  /** With everything in it that a person or a caller is told. */
  readonly verdict: Verdict;
  /** What an approval of it is to be bound to; null where nothing says so. */
  readonly state: StateSpec | null;
  /** By the preset, the call makes another state of what it is bound to: a yes for more than once would let nothing through. */
  readonly changesState: boolean;
  /** The gate lets through only what is proven to read, and this is not. */
  readonly isBeyondReading: boolean;
  /** Nothing but a person's rule, or the preset's list, says of a call that it changes nothing: neither says so of this. */
  readonly mayChange: boolean;
  /** It is ruled by what files are now, or an approval of it is: another call may make that untrue. */
  readonly restsOnLook: boolean;
  /** Of what no rule lets through: what the caller is to do instead, a sentence; null where there is nothing. */
  readonly instead: string | null;
}

/** A call as a gate judges it. */
export interface GatedCall extends PresetCall {
  /** By the server's own word, which only labels. */
  readonly isReadOnly: boolean;
}

/** What a gate judges by, beside the rules. */
export interface GateStanding {
  /** Null for a server that nothing is known of. */
  readonly preset: Preset | null;
  /** Is only that let through of which somebody says that it changes nothing? */
  readonly isReadOnly: boolean;
  /** Why no rule and no preset lets the call through until a person has; null where they may. */
  readonly suspended: string | null;
  /** May a server's own word let calls through that no rule speaks of? */
  readonly areHintsTrusted: () => boolean;
}

/** What becomes of `call`, of which the person's rules say `said`. What is `known` of other calls is looked at, and added to. */
export function gateRuling(
  said: Verdict,
  call: GatedCall,
  standing: GateStanding,
  known: KnownRulings<GateRuling> = createKnownRulings(),
): GateRuling {
  const { preset, suspended } = standing;
  if (said.name === "deny") return { verdict: said, ...nothingMore, instead: null };
  const unreached = preset?.guardedIn(call) ?? null;
  if (unreached !== null) {
    return { verdict: guarded(said, unreached.place), ...nothingMore, instead: unreached.instead };
  }
  const word = preset?.wordOn(call) ?? null;
  const isByName = word !== null && suspended === null && preset?.isByName(call) === true;
  const by = isByName ? { said, word, isReadOnly: call.isReadOnly } : null;
  const before = by === null ? null : known.rulingBy(by);
  if (before !== null) return before;
  const ruling = ruledBy(said, word, call, standing);
  if (by !== null) known.keep(by, ruling);
  return ruling;
}

const nothingMore = {
  ...{ state: null, changesState: false, isBeyondReading: false },
  ...{ mayChange: true, restsOnLook: false },
};

function ruledBy(
  said: Verdict,
  word: PresetWord | null,
  call: GatedCall,
  standing: GateStanding,
): GateRuling {
  const { preset, isReadOnly, suspended } = standing;
  const spoken = suspendedBy(withPreset(said, word, call, standing), suspended);
  const own = preset?.stateOf(call) ?? null;
  const state = stateFor(said, own);
  const verdict = floored(spoken, preset?.floorsOf(call) ?? []);
  const unbound = state === null || state === said.state ? null : (preset?.unboundIn(call) ?? null);
  const isSaid = verdict.name === "ask" && unbound !== null;
  const mayChange = !isProven(said, word);
  return {
    verdict: { ...verdict, state, reasons: isSaid ? [...verdict.reasons, unbound] : verdict.reasons },
    state,
    changesState: isBinding(own) && state === own && preset?.isWriting(call) === true,
    isBeyondReading: isReadOnly && mayChange,
    mayChange,
    restsOnLook: (mayChange && preset?.looksAtFiles === true) || isBinding(state),
    instead: null,
  };
}

/** Only who wrote it knows: a rule of the person's own that says so, or the preset's list. No hint, and no rule that is bare. */
function isProven(said: Verdict, word: PresetWord | null): boolean {
  return (said.name === "allow" && said.isReadOnly) || word?.name === "allow";
}

function guarded(said: Verdict, place: string): Verdict {
  const rule = builtIn(`no call through a gate reaches ${place}`);
  return { ...decided(said, "deny", rule), reasons: [rule.text], denial: null };
}

/** Where a rule of the person's speaks, nothing else does; the label alone is added. */
function withPreset(
  said: Verdict,
  word: PresetWord | null,
  call: GatedCall,
  { preset, areHintsTrusted }: GateStanding,
): Verdict {
  const labelled = call.isReadOnly ? labelledAsReading(said) : said;
  if (said.rule.list !== "threshold") {
    return isAdding(said) && word?.name === "ask" ? raised(labelled, word) : labelled;
  }
  if (preset !== null && word !== null) return byPreset(labelled, word, preset.name);
  if (!call.isReadOnly || said.isFaulty || !areHintsTrusted()) {
    const outside = preset?.outsideIn(call) ?? null;
    return outside === null ? labelled : { ...labelled, reasons: [...labelled.reasons, outside] };
  }
  const rule = {
    ...said.rule,
    text: "the server says that it only reads, and gate.trustAnnotations is true",
  };
  return { ...decided(said, "allow", rule), reasons: [rule.text] };
}

function byPreset(said: Verdict, { name, rule: { text, level }, why }: PresetWord, preset: string): Verdict {
  const rule = { list: name, text, file: `the preset ${preset}`, line: null } as const;
  switch (name) {
    case "allow":
      // While a file cannot be used everything asks.
      if (said.isFaulty) return said;
      return { ...decided(said, "allow", rule), reasons: [`the preset ${preset} says that it only reads`] };
    case "ask": {
      const [, ...others] = said.reasons;
      const reasons = [`the preset ${preset} asks${why === null ? "" : `: ${why}`}`, ...others];
      const asked = level === null || said.level === "dangerous" ? said.level : level;
      return { ...decided(said, "ask", rule), reasons, level: asked };
    }
    default:
      return name satisfies never;
  }
}

/**
 * It takes nothing from what is known of the server: anybody may have written a project's file, and who wrote a rule for
 * another path did not say what a yes to this one is about.
 */
function isAdding({ rule: { file }, isBeside }: Verdict): boolean {
  return isBeside || (file !== null && isAbsolute(file));
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
  return { ...decided(said, "ask", builtIn(`${always}: ${whys.join(", ")}`)), level, reasons: whys };
}

/** A person's own rule that asks says what is bound, and where it says nothing, nothing is. */
function stateFor(said: Verdict, preset: StateSpec | null): StateSpec | null {
  if (said.name === "ask" && said.rule.list === "ask")
    return isAdding(said) ? joinedState(said.state, preset) : said.state;
  return said.state ?? preset;
}

const always = "always asks";

/** Is it a floor of a preset, which no rule lowers? */
export function isPresetFloor({ list, text }: DecidingRule): boolean {
  return list === "floor" && text.startsWith(`${always}: `);
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
