/**
 * A preset, read: what it says of calls that no rule of a person's speaks of, and what asks whatever those say. Invariant:
 * one that does not say what an approval of its own tools is about is no preset.
 */
import { WispError } from "../../request/errors.js";
import { firstFound } from "../../request/first-found.js";
import type { ListingSpec } from "../../request/listing-spec.js";
import type { PreviewSpec } from "../../request/preview-spec.js";
import type { Level } from "../../request/request.js";
import type { StateSpec } from "../../request/state-spec.js";
import { argumentsAt } from "../argument-path.js";
import { type CallLook, callLook } from "../call-look.js";
import { graveVerbs } from "../grave-names.js";
import { type ToolRule, type ToolRules, toolRulesOf } from "../tool-rules.js";
import type { JudgedTool } from "../verdict.js";
import {
  crossesTop,
  type FileSurroundings,
  isBelowRoots,
  isNamedPlace,
  isRelativePath,
  mayHoldMore,
  mayReplace,
} from "./files-meant.js";
import {
  guardedPlaceBelow,
  guardedPlaceOf,
  holdsGuarded,
  isWrittenOtherwise,
  type Unreached,
} from "./guarded-places.js";
import type { AskData, FloorData, PresetData } from "./preset-data.js";

/** A call by the name of its tool; the server is the one of the preset. */
export interface PresetCall extends Pick<JudgedTool, "tool" | "arguments"> {
  /** What was looked at for this call already; left out where nothing was. */
  readonly look?: CallLook;
}

/** What a preset says of one call. */
export interface PresetWord {
  readonly name: "ask" | "allow";
  readonly rule: ToolRule;
  /** In words for a person; null where the rule says all. */
  readonly why: string | null;
}

/** Why a call asks, whatever rules say. */
export interface Floor {
  readonly level: Level;
  readonly why: string;
}

/** What is known of a server. */
export interface Preset {
  readonly name: string;
  /** Null where it says nothing of the call. What it allows stands in the list of what only reads. */
  wordOn(call: PresetCall): PresetWord | null;
  /** The preset asks about the tool whatever its arguments are: it stands in no list of what only reads. */
  isWriting(call: PresetCall): boolean;
  /** What an approval of the call is about, where the preset would ask; null where it says nothing. */
  stateOf(call: PresetCall): StateSpec | null;
  /** What an approval by that state leaves open, in words; null where there is nothing to say. */
  unboundIn(call: PresetCall): string | null;
  /** Empty where nothing but rules decides. */
  floorsOf(call: PresetCall): readonly Floor[];
  /** What no call reaches; null where the call names nothing of it. */
  guardedIn(call: PresetCall): Unreached | null;
  /** Do arguments name files, so that what they are now counts? */
  readonly looksAtFiles: boolean;
  /** Names of the arguments that hold paths. */
  readonly pathArguments: readonly string[];
  /** Where relative paths among the arguments start, absolute; null where only the server knows. */
  readonly start: string | null;
  /** What a call of the tool makes of files; null where nothing is known of it. */
  previewOf(tool: string): PreviewSpec | null;
  /** How an answer of the tool lists files; null where it lists none, or nothing is known of it. */
  listingOf(tool: string): ListingSpec | null;
}

/** Reads it. Throws policy_invalid for one with anything wrong in it. */
export function openPreset(data: PresetData, around: FileSurroundings): Preset {
  const name = `the preset ${data.name}`;
  const { ask, allow } = data.permissions;
  const rules = toolRulesOf(
    { ...data.permissions, ask: ask.map(plainRule), allow },
    name,
    around.homeDirectory,
  );
  const grave = graveVerbs.map(([verb, why]) => ({
    rule: `mcp__${data.name}__*${verb}*`,
    level: "high" as const,
    why,
  }));
  const floors: readonly FloorData[] = [...data.floors, ...grave];
  const floorRules = toolRulesOf({ ask: floors.map(ruleOf) }, name, around.homeDirectory);
  refuseUnbound(name, rules);
  const judged = (call: PresetCall): JudgedTool => ({
    kind: "tool",
    server: data.name,
    directory: around.directory,
    ...call,
  });
  const asking = (call: PresetCall): ToolRule | undefined =>
    rules.speaking("ask", judged(call)).find(({ index }) => isAsked(ask[index]?.unnamed, call, around));
  const valuesAt = (paths: readonly string[], call: PresetCall): readonly unknown[] | null => {
    const found = paths.map((path) => argumentsAt(path, call.arguments));
    return found.every((values) => values !== null) ? found.flat() : null;
  };
  /** Several ask for those of one call. */
  const known = new WeakMap<PresetCall["arguments"], readonly unknown[] | null>();
  const pathsIn = (call: PresetCall): readonly unknown[] | null => {
    const before = known.get(call.arguments);
    if (before !== undefined) return before;
    const paths = valuesAt(data.paths, call);
    known.set(call.arguments, paths);
    return paths;
  };
  // A client may name other directories to such a server than its command does.
  const isWithin = (call: PresetCall): boolean =>
    data.startsElsewhere !== true ||
    pathsIn(call)?.every((path) => isBelowRoots(path, around, call.look)) === true;
  const allowing = (call: PresetCall): ToolRule | undefined => {
    const [rule] = rules.speaking("allow", judged(call));
    return rule !== undefined && isWithin(call) ? rule : undefined;
  };

  return {
    name: data.name,
    looksAtFiles: data.paths.length > 0,
    pathArguments: [...new Set([...data.paths, ...data.moved].map(argumentOf))],
    start: data.startsElsewhere === true ? null : around.directory,
    previewOf: (tool) =>
      (around.areFilesHere && Object.hasOwn(data.previews, tool) ? data.previews[tool] : null) ?? null,
    listingOf: (tool) => (Object.hasOwn(data.listings, tool) ? data.listings[tool] : null) ?? null,
    wordOn(call) {
      const [asks, allows] = [asking(call), allowing(call)];
      if (asks !== undefined) return { name: "ask", rule: asks, why: ask[asks.index]?.why ?? null };
      return allows === undefined ? null : { name: "allow", rule: allows, why: null };
    },
    isWriting: (call) => asking(call) !== undefined && allowing(call) === undefined,
    stateOf(call) {
      const state = asking(call)?.state ?? null;
      return around.areFilesHere ? state : withoutFiles(state);
    },
    unboundIn(call) {
      const rule = asking(call);
      return rule === undefined ? null : (ask[rule.index]?.unbound ?? null);
    },
    floorsOf(call) {
      const spoken = floorRules.speaking("ask", judged(call)).map(({ index }) => floors[index]);
      return spoken
        .filter((floor) => floor !== undefined)
        .filter((floor) => isMeant(floor, call, around))
        .map(({ level, why }) => ({ level, why }));
    },
    guardedIn(call) {
      const { look = callLook() } = call;
      const [named, moved] = [pathsIn(call), valuesAt(data.moved, call)];
      // Of more than can be looked at nobody can say where it reaches.
      if (named === null || moved === null) return tooMany;
      if (data.startsElsewhere === true && named.some((path) => isRelativePath(path, around))) {
        return relative;
      }
      if (named.some((path) => isWrittenOtherwise(path, around, look))) {
        return otherwise;
      }
      const place = firstFound([
        ...named.map((path) => () => guardedPlaceOf(path, around, look)),
        ...moved.map((path) => () => guardedPlaceBelow(path, around, look)),
      ]);
      return place === null ? null : { place, instead: null };
    },
  };
}

const tooMany: Unreached = { place: "more paths than are looked at", instead: "Name fewer paths." };
const relative: Unreached = {
  place: "files by a relative path, of which the server alone knows where it starts",
  instead: "Give the whole path, which begins with a slash.",
};
const otherwise: Unreached = {
  place: "a file by a name in other characters than its own",
  instead: "Give the name in the very characters in which it stands in its directory.",
};

/** The first name of a path into the arguments. */
function argumentOf(path: string): string {
  return /^\$\.(\w+)/.exec(path)?.[1] ?? path;
}

/** Of files that are not those of this machine nothing here says what they are. */
function withoutFiles(state: StateSpec | null): StateSpec | null {
  if (state === null || state === "none") return state;
  return state.probe === null ? null : { paths: [], git: [], probe: state.probe };
}

function plainRule({ unnamed: _unnamed, why: _why, unbound: _unbound, ...rule }: AskData): object {
  return rule;
}

/** What cannot be told counts as a place that nobody named. */
function isAsked(unnamed: string | undefined, call: PresetCall, around: FileSurroundings): boolean {
  if (unnamed === undefined) return true;
  const found = argumentsAt(unnamed, call.arguments);
  return found === null || found.some((path) => !isNamedPlace(path, around));
}

function ruleOf({ rule, level, when }: FloorData): object {
  return { rule, level, ...(when === undefined ? {} : { when }) };
}

function isMeant(
  { replaces, crosses, holds, carries }: FloorData,
  call: PresetCall,
  around: FileSurroundings,
): boolean {
  const at = (path: string): readonly unknown[] => argumentsAt(path, call.arguments) ?? [null];
  if (replaces !== undefined) return at(replaces).some((path) => mayReplace(path, around));
  if (carries !== undefined) return at(carries).some((path) => mayHoldMore(path, around));
  if (holds !== undefined) return at(holds).some((path) => holdsGuarded(path, around));
  if (crosses === undefined) return true;
  const [from, to] = crosses;
  return at(from).some((source) => at(to).some((target) => crossesTop(source, target, around)));
}

function refuseUnbound(name: string, { lists }: ToolRules): void {
  const unbound = lists.ask.filter(({ state }) => state === null).map(({ text }) => text);
  if (unbound.length > 0) {
    const message = `${name} cannot be used: no state stands beside ${unbound.join(", ")}`;
    throw new WispError("policy_invalid", message, {
      why: "An approval of such a call would be about its arguments alone, and nobody would have said so.",
    });
  }
  if (lists.deny.length > 0) throw new WispError("policy_invalid", `${name} cannot be used: it denies`);
}
