/**
 * The configuration as it stands whenever it is used. Invariant: what is in force is what a fresh read would give, as far as
 * the system tells one state of a file from another. Nothing happens between uses: no watch and no timer.
 */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { looksAt } from "../files/look.js";
import { readAccepted, sealedPath } from "../files/sealed.js";
import { sealedNamesPath } from "../files/sealed-names.js";
import type { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import type { Clock } from "../system/clock.js";
import { configFileName, configOf, type LoadedConfig, readConfig } from "./load.js";
import type { SealedKey } from "./sealed-keys.js";
import type { Settings } from "./settings.js";

/** Where settings come from. */
export interface SettingsSource {
  /** What is in force now. Never throws; cheap enough to be asked at each use. */
  current(): LoadedConfig;
}

/** What became different since the last use. */
export interface ConfigChange {
  /** The keys whose value in force is another one. */
  readonly keys: readonly string[];
  /** The keys whose value in the file waits to be accepted, also those that did before. */
  readonly waiting: readonly SealedKey[];
  /** Why the file cannot be used; null where it can. */
  readonly fault: WispError | null;
  /** Why the accepted copy counts for nothing; null where it counts, or there is none. */
  readonly distrust: string | null;
}

/** Whose configuration it is. */
export interface SettingsOptions {
  /** The path of the home. */
  readonly home: string;
  readonly keys: Pick<Keys, "existingKey">;
  readonly clock: Pick<Clock, "now">;
  /** Hears of each change once, at the use that found it; not of how it was at first. */
  readonly onChange: (change: ConfigChange) => void;
}

/** Reads nothing before it is first asked. */
export function settingsSource({ home, keys, clock, onChange }: SettingsOptions): SettingsSource {
  const paths = [join(home, configFileName), sealedPath(home, "config.json"), sealedNamesPath(home)];
  let seen: string | null = null;
  let loaded: LoadedConfig | null = null;

  return {
    current() {
      // Looked at before it is read: what changes meanwhile differs at the next use.
      const { state, isYoung } = looksAt(paths, clock.now());
      if (loaded !== null && state === seen) return loaded;
      const accepted = readAccepted(home, "config.json", keys);
      const before = loaded;
      loaded = configOf(readConfig(home), accepted);
      // What could not be read may be readable at the next use, without any other sign of it.
      const isSure = loaded.fault === null && accepted.kind !== "untrusted";
      seen = isSure && !isYoung ? state : null;
      if (before !== null && !isSame(before, loaded)) onChange(changeOf(before, loaded));
      return loaded;
    },
  };
}

function isSame(before: LoadedConfig, after: LoadedConfig): boolean {
  return (
    before.fault?.message === after.fault?.message &&
    before.distrust === after.distrust &&
    isDeepStrictEqual(before.settings, after.settings) &&
    isDeepStrictEqual(before.waiting, after.waiting)
  );
}

function changeOf(before: LoadedConfig, { settings, waiting, ...why }: LoadedConfig): ConfigChange {
  const keys = changedKeys(before.settings, settings);
  return { keys, waiting: waiting.map(({ key }) => key), fault: why.fault, distrust: why.distrust };
}

/** The keys that differ, in order; what is said of clients counts as one. */
export function changedKeys(before: Settings, after: Settings): readonly string[] {
  return differences(before, after, "");
}

const whole: ReadonlySet<string> = new Set(["approval.clients"]);

function differences(before: unknown, after: unknown, path: string): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isSection(before) || !isSection(after) || whole.has(path)) return [path];
  return Object.keys(after).flatMap((key) =>
    differences(before[key], after[key], path === "" ? key : `${path}.${key}`),
  );
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
