/** What the words of a gate say that it would know of its server, for whoever judges a call without starting it. A program of its own. */
import { presets } from "../../../broker/index.js";
import { readGateArguments } from "../gate-arguments.js";
import { presetFor } from "../presets/match-command.js";
import { areFilesHere, directoriesIn } from "../presets/preset-of.js";

/** One gate, as it would be started. */
export interface KnownGate {
  readonly name: string;
  /** Null where none was named and none is for its server. */
  readonly preset: string | null;
  readonly isReadOnly: boolean;
  /** The directories that its command names, absolute. */
  readonly roots: readonly string[];
  /** Are the paths of its server paths of this machine? */
  readonly areFilesHere: boolean;
}

/** By the words behind `wisp gate`, started in `directory`; null where no gate is started by them. */
export function knownGate(
  words: readonly string[],
  { directory, homeDirectory }: { readonly directory: string; readonly homeDirectory: string },
): KnownGate | null {
  const given = readGateArguments(words, [...presets.keys()]);
  if (typeof given === "string") return null;
  const { name, preset, place, isReadOnly } = given;
  return {
    ...{ name, isReadOnly },
    preset: preset ?? presetFor(place),
    roots: directoriesIn(place, directory, homeDirectory),
    areFilesHere: areFilesHere(place),
  };
}
