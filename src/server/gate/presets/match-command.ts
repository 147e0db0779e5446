/**
 * Which preset a command is for, by the package that it starts. Invariant: whatever stands where nobody knows what it does
 * to the command matches nothing, because a preset lets reads through.
 */
import { basename } from "node:path";
import { type PresetData, presets } from "../../../broker/index.js";
import type { UpstreamPlace } from "../identity.js";

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
  const name = basename(program);
  const started = starters.get(name);
  if (started === undefined) return isInstalled(preset, program);
  switch (started) {
    case "npm":
      return isPackage(preset, packageWord(words, npmVerbs));
    case "python-package":
      return isFromPython(preset, words);
    case "script":
      return words[0] !== undefined && isScript(preset, words[0]);
    case "module":
      return words[0] === "-m" && preset.programs.includes(words[1] ?? "");
    case "image":
      return isImage(preset, imageWord(words));
    default:
      return started satisfies never;
  }
}

type Starter = "npm" | "python-package" | "script" | "module" | "image";

/** Programs that start another one. */
const starters: ReadonlyMap<string, Starter> = new Map([
  ...["npx", "npm", "pnpm", "pnpx", "yarn", "bunx"].map((name) => [name, "npm"] as const),
  ...["uvx", "uv", "pipx"].map((name) => [name, "python-package"] as const),
  ["node", "script"],
  ["python", "module"],
  ["python3", "module"],
  ["docker", "image"],
  ["podman", "image"],
]);

/** They change nothing of what is started. */
const harmless = new Set(["-y", "--yes", "-q", "--quiet", "--silent", "--"]);
/** `npm run` runs what a file of the directory says, so it is none of them. */
const npmVerbs = new Set(["exec", "x", "dlx"]);
const pythonVerbs = new Set(["run", "tool"]);

/** The word that names the package; null where something before it may have named another. */
function packageWord(words: readonly string[], verbs: ReadonlySet<string>): string | null {
  const first = words.find((word) => !harmless.has(word) && !verbs.has(word));
  return first === undefined || first.startsWith("-") ? null : first;
}

function isPackage({ packages }: PresetData, word: string | null): boolean {
  if (word === null) return false;
  // A version, or a tag: an alias or an address after the @ is another package.
  const [, name = ""] = /^((?:@[^@/]+\/)?[^@/]+?)(?:(?:@|==)[\w.+~^-]+)?$/.exec(word) ?? [];
  return packages.includes(name);
}

/** `uvx mcp-server-git`, `uvx --from mcp-server-git mcp-server-git`. */
function isFromPython(preset: PresetData, words: readonly string[]): boolean {
  const [first = "", source = "", command = ""] = words.filter((word) => !pythonVerbs.has(word));
  if (first === "--from" || first === "--spec")
    return isPackage(preset, source) && preset.programs.includes(command);
  return isPackage(preset, packageWord(words, pythonVerbs));
}

/** As npm lays a package out, or as it is built from its source. */
function isScript({ packages }: PresetData, word: string): boolean {
  const [, name = ""] =
    /(?:^|\/)((?:@[\w.-]+\/)?[\w.-]+)\/(?:dist|build)\/[\w.-]+\.[cm]?js$/.exec(word) ?? [];
  return packages.some((one) => one === name || one.replace(/^@[^/]+\//, "") === name);
}

function isInstalled({ programs }: PresetData, program: string): boolean {
  return programs.includes(basename(program));
}

/** Options of `docker run` that take a value of their own. */
const valued = new Set([
  ...["-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "-w", "--workdir"],
  ...["--network", "--net", "-p", "--publish", "-l", "--label", "--add-host", "-m", "--memory", "--cpus"],
  "-u",
  "--user",
]);
const flags = new Set([
  "-i",
  "-t",
  "-it",
  "-ti",
  "--interactive",
  "--tty",
  "--rm",
  "--init",
  "-d",
  "--read-only",
]);

function imageWord([verb, ...words]: readonly string[]): string | null {
  if (verb !== "run") return null;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) return word;
    const [name = ""] = word.split("=", 1);
    if (valued.has(name)) at += word.includes("=") ? 0 : 1;
    else if (!flags.has(word)) return null;
  }
  return null;
}

function isImage({ images }: PresetData, word: string | null): boolean {
  if (word === null) return false;
  return images.includes(word.replace(/@sha256:[0-9a-f]{64}$/, "").replace(/:[\w.-]+$/, ""));
}
