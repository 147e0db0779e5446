/** The preset of one gate: the one that was named, or the one that its command is for. */
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type FileSurroundings, openPreset, type Preset, presets, WispError } from "../../../broker/index.js";
import type { GateArguments } from "../gate-arguments.js";
import type { UpstreamPlace } from "../identity.js";
import { presetFor } from "./match-command.js";

/** Null where none was named and nothing is known of the server. Throws invalid_input for a name that no preset has. */
export function presetOf(
  { preset, place, name: server }: Pick<GateArguments, "preset" | "place" | "name">,
  around: Omit<FileSurroundings, "roots" | "areFilesHere">,
): Preset | null {
  const name = preset ?? presetFor(place);
  if (name === null) return null;
  const data = presets.get(name);
  if (data === undefined) throw new WispError("invalid_input", `There is no preset ${JSON.stringify(name)}.`);
  const { directory, homeDirectory } = around;
  const surroundings = {
    ...around,
    // Not the directory itself: clients start servers of all projects in the person's home, or in the root.
    roots: directoriesIn(place, directory, homeDirectory),
    areFilesHere: areFilesHere(place),
  };
  return openPreset(data, surroundings, server);
}

const containers = new Set(["docker", "podman", "nerdctl", "ssh", "kubectl"]);

/** Are the paths of the server paths of this machine? */
export function areFilesHere(place: UpstreamPlace): boolean {
  return place.kind === "command" && !containers.has(basename(place.argv[0]));
}

/** What a server is started for stands among its words, also as `--flag=DIRECTORY` and with a `~` that no shell has read. */
export function directoriesIn(
  place: UpstreamPlace,
  directory: string,
  homeDirectory: string,
): readonly string[] {
  if (place.kind === "address") return [];
  const [, ...words] = place.argv;
  return words
    .map((word) => word.replace(/^-[^=]*=/, "").replace(/^~(?=$|\/)/, () => homeDirectory))
    .filter((word) => word !== "")
    .map((word) => resolve(directory, word))
    .filter(isDirectory);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // What cannot be looked at is none of them: more asks then.
    return false;
  }
}
