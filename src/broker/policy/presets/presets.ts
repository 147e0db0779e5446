/** Every preset that there is. */
import { fetch } from "./fetch.js";
import { filesystem } from "./filesystem.js";
import { git } from "./git.js";
import { github } from "./github.js";
import { memory } from "./memory.js";
import type { PresetData } from "./preset-data.js";

/** By name. */
export const presets: ReadonlyMap<string, PresetData> = new Map(
  [filesystem, git, memory, github, fetch].map((preset) => [preset.name, preset]),
);
