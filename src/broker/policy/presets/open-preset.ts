/**
 * A preset, read: what it says of calls that no rule of a person's speaks of, and what asks whatever those say. Invariant:
 * one that does not say what an approval of its own tools is about is no preset.
 */
import { WispError } from "../../request/errors.js";
import { firstFound } from "../../request/first-found.js";
import type { ListingSpec } from "../../request/listing-spec.js";
import type { PreviewSpec } from "../../request/preview-spec.js";
import type { StateSpec } from "../../request/state-spec.js";
import { argumentsAt } from "../argument-path.js";
import { type CallLook, callLook } from "../call-look.js";
import type { ToolRules } from "../tool-rules.js";
import type { JudgedTool } from "../verdict.js";
import { type FileSurroundings, isBelowRoots, isRelativePath } from "./files-meant.js";
import { guardedPlaceBelow, guardedPlaceOf, isWrittenOtherwise, type Unreached } from "./guarded-places.js";
import type { PresetData } from "./preset-data.js";
import { type Floor, type PresetWord, spokenRulesOf } from "./spoken-rules.js";

/** A call by the name of its tool; the server is the one of the preset. */
export interface PresetCall extends Pick<JudgedTool, "tool" | "arguments"> {
  /** What was looked at for this call already; left out where nothing was. */
  readonly look?: CallLook;
}

/** What is known of a server. */
export interface Preset {
  readonly name: string;
  /** Does it say the same of each call of the tool, whatever the arguments? What no call reaches is no part of that. */
  isByName(call: PresetCall): boolean;
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
  /** In words for a person: why what it lets through elsewhere asks here, by where its paths lead; null where it does not. */
  outsideIn(call: PresetCall): string | null;
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

/** Reads it; `server` is what rules call the server. Throws policy_invalid for one with anything wrong in it. */
export function openPreset(data: PresetData, around: FileSurroundings, server = data.name): Preset {
  const name = `the preset ${data.name}`;
  const rules = spokenRulesOf(data, name, around, server);
  refuseUnbound(name, rules.lists);
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

  return {
    name: data.name,
    looksAtFiles: data.paths.length > 0,
    pathArguments: [...new Set([...data.paths, ...data.moved].map(argumentOf))],
    start: data.startsElsewhere === true ? null : around.directory,
    previewOf: (tool) =>
      (around.areFilesHere && Object.hasOwn(data.previews, tool) ? data.previews[tool] : null) ?? null,
    listingOf: (tool) => (Object.hasOwn(data.listings, tool) ? data.listings[tool] : null) ?? null,
    isByName(call) {
      const { isByName, asks, allows } = rules.speakingOf(call);
      // Where both speak of it, the second counts by its paths.
      return isByName && (asks === null || allows === null);
    },
    wordOn(call) {
      const { asks, allows } = rules.speakingOf(call);
      return asks ?? (allows !== null && isWithin(call) ? allows : null);
    },
    isWriting(call) {
      const { asks, allows } = rules.speakingOf(call);
      return asks !== null && !(allows !== null && isWithin(call));
    },
    stateOf(call) {
      const state = rules.speakingOf(call).asks?.rule.state ?? null;
      return around.areFilesHere ? state : withoutFiles(state);
    },
    outsideIn(call) {
      const { asks, allows } = rules.speakingOf(call);
      if (asks !== null || allows === null || isWithin(call)) return null;
      const [root, ...more] = around.roots;
      if (root === undefined)
        return "its server's command names no directory, so no path is known to stay in one";
      return `leads out of ${more.length === 0 ? root : `the ${around.roots.length} directories that its server's command names`}`;
    },
    unboundIn: (call) => rules.speakingOf(call).unbound,
    floorsOf: (call) => rules.speakingOf(call).floors,
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

function refuseUnbound(name: string, lists: ToolRules["lists"]): void {
  const unbound = lists.ask.filter(({ state }) => state === null).map(({ text }) => text);
  if (unbound.length > 0) {
    const message = `${name} cannot be used: no state stands beside ${unbound.join(", ")}`;
    throw new WispError("policy_invalid", message, {
      why: "An approval of such a call would be about its arguments alone, and nobody would have said so.",
    });
  }
  if (lists.deny.length > 0) throw new WispError("policy_invalid", `${name} cannot be used: it denies`);
}
