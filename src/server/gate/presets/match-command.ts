/**
 * Which preset a command is for, by the package that it starts. Invariant: whatever stands where nobody knows what it does
 * to the command matches nothing, because a preset lets reads through.
 */
import { basename, isAbsolute } from "node:path";
import { type PresetData, presets } from "../../../broker/index.js";
import type { UpstreamPlace } from "../identity.js";
import { imageWord } from "./image-word.js";
import { behind, harmlessOptions, type NpmWords, npmWord } from "./npm-word.js";

/** The name of the preset; null where none is for it. */
export function presetFor(place: UpstreamPlace): string | null {
  for (const [name, preset] of presets) if (isFor(preset, place)) return name;
  return null;
}

function isFor(preset: PresetData, place: UpstreamPlace): boolean {
  switch (place.kind) {
    case "address": {
      const { origin, pathname } = place.url;
      return preset.addresses.includes(`${origin}${pathname.replace(/\/+$/, "")}`);
    }
    case "command":
      return isStarting(preset, place.argv);
    default:
      return place satisfies never;
  }
}

function isStarting(preset: PresetData, [program, ...words]: readonly [string, ...string[]]): boolean {
  // What lies below the directory anybody may have put there.
  if (program.includes("/") && !isAbsolute(program)) return false;
  const name = basename(program);
  const started = starters.get(name);
  if (started === undefined) return preset.programs.includes(name);
  switch (started.kind) {
    case "npm":
      return isPackage(preset, npmWord(words, started));
    case "python-package":
      return isFromPython(preset, behind(words, started.verbs));
    case "script":
      return words[0] !== undefined && isScript(preset, words[0]);
    case "module":
      return words[0] === "-m" && preset.programs.includes(words[1] ?? "");
    case "image":
      return isImage(preset, imageWord(words));
    default:
      return started.kind satisfies never;
  }
}

interface Starter extends NpmWords {
  readonly kind: "npm" | "python-package" | "script" | "module" | "image";
}

function starter(kind: Starter["kind"], verbs: readonly string[] = [], readsOn = false): Starter {
  return { kind, verbs, readsOn };
}

/** Programs that start another one. */
const starters: ReadonlyMap<string, Starter> = new Map([
  ["npx", starter("npm")],
  ["pnpx", starter("npm")],
  ["bunx", starter("npm")],
  ["npm", starter("npm", ["exec", "x"], true)],
  ["pnpm", starter("npm", ["dlx"], true)],
  ["yarn", starter("npm", ["dlx"], true)],
  ["uvx", starter("python-package")],
  ["uv", starter("python-package", ["tool run"])],
  ["pipx", starter("python-package", ["run"])],
  ["node", starter("script")],
  ["python", starter("module")],
  ["python3", starter("module")],
  ["docker", starter("image")],
  ["podman", starter("image")],
]);

function isPackage({ packages }: PresetData, word: string | null): boolean {
  if (word === null) return false;
  // A version, or a tag: an alias or an address after the @ is another package.
  const [, name = ""] = /^((?:@[^@/]+\/)?[^@/]+?)(?:(?:@|==)[\w.+~^-]+)?$/.exec(word) ?? [];
  return packages.includes(name);
}

/** `uvx mcp-server-git`, `uvx --from mcp-server-git mcp-server-git`. */
function isFromPython(preset: PresetData, words: readonly string[]): boolean {
  const [first = "", source = "", command = ""] = words;
  if (first === "--from" || first === "--spec")
    return isPackage(preset, source) && preset.programs.includes(command);
  return isPackage(preset, words.find((word) => !harmlessOptions.has(word)) ?? null);
}

/** As npm lays a package out; a directory that is only called like it may hold anything, and so may one below this one. */
function isScript({ packages }: PresetData, word: string): boolean {
  const [, name = ""] =
    /\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/(?:dist|build)\/[\w.-]+\.[cm]?js$/.exec(word) ?? [];
  return isAbsolute(word) && packages.includes(name);
}

function isImage({ images }: PresetData, word: string | null): boolean {
  if (word === null) return false;
  return images.includes(word.replace(/@sha256:[0-9a-f]{64}$/, "").replace(/:[\w.-]+$/, ""));
}
