/**
 * Reads `config.json`. Invariant: after a file that cannot be used no answer counts that any file would have refused:
 * everything asks, only a terminal outside the client answers, and nobody has longer for that than was accepted. Of a good
 * file, what can loosen is in force only as it was accepted (sealed-keys.ts). Where nobody can say any more what was
 * accepted, nothing looser than the strictest was.
 */
import { join } from "node:path";
import type { z } from "zod";
import { jsonPlaces, lineOfObjection } from "../files/json-places.js";
import { readBytes, readJson } from "../files/read.js";
import { type Accepted, readAccepted } from "../files/sealed.js";
import { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import { shellQuoted } from "../request/shell-quote.js";
import { type Objection, objections, objectionText } from "./objections.js";
import { configSchema } from "./schema.js";
import {
  type AcceptedValues,
  acceptedValues,
  acceptedValuesOf,
  hasToWait,
  inForce,
  type WaitingKey,
} from "./sealed-keys.js";
import { defaultSettings, type Settings, strictestSettings } from "./settings.js";

/** What is in force, and why it is not what the file says. */
export interface LoadedConfig {
  readonly settings: Settings;
  /** config_invalid, for every face to show; null where the file is good or missing. */
  readonly fault: WispError | null;
  /** What the file says looser than was accepted. None while it cannot be used. */
  readonly waiting: readonly WaitingKey[];
  /** Why the accepted copy counts for nothing; null where it counts, or nothing was ever accepted. */
  readonly distrust: string | null;
}

/** A file by itself, whatever was accepted. */
export type ConfigFile = Omit<LoadedConfig, "waiting" | "distrust">;

/** The name of the file in a home. */
export const configFileName = "config.json";

/** Many times what all keys and a hundred clients take. */
export const largestConfigBytes = 64 * 1024;

/**
 * Reads the file in `home`, an absolute path, and what was accepted of it. Makes nothing and never throws for what stands
 * there.
 */
export function loadConfig(home: string, keys: Pick<Keys, "existingKey">): LoadedConfig {
  return configOf(readConfig(home), readAccepted(home, "config.json", keys));
}

/** What is in force of a file. */
export function configOf({ settings, fault }: ConfigFile, accepted: Accepted): LoadedConfig {
  const values = acceptedBy(accepted);
  const distrust = accepted.kind === "untrusted" ? accepted.reason : null;
  if (fault !== null) return { settings: noLonger(settings, values), fault, waiting: [], distrust };
  return { ...inForce(settings, values), fault, distrust };
}

/** What counts as accepted of each key that can loosen, by the copy that stands in a home. */
export function readAcceptedConfig(
  home: string,
  keys: Pick<Keys, "existingKey">,
): Readonly<Required<AcceptedValues>> {
  return acceptedBy(readAccepted(home, configFileName, keys));
}

/** The default of a key that was never accepted; the strictest of all where the copy cannot be trusted. */
export function acceptedBy(accepted: Accepted): Readonly<Required<AcceptedValues>> {
  switch (accepted.kind) {
    case "none":
      return acceptedValuesOf(defaultSettings);
    case "untrusted":
      return acceptedValuesOf(strictestSettings);
    case "accepted":
      return { ...acceptedValuesOf(defaultSettings), ...acceptedValues(accepted.value) };
    default:
      return accepted satisfies never;
  }
}

/** Reads the file alone. */
export function readConfig(home: string): ConfigFile {
  const path = join(home, configFileName);
  const read = readJson(path, largestConfigBytes);
  switch (read.kind) {
    case "missing":
      return { settings: defaultSettings, fault: null };
    case "refused": {
      const mode = read.objection === "open to others" ? `chmod 600 ${shellQuoted(path)}` : null;
      return unusable(path, [atLine(lineOfObjection(textIn(path), read.objection), read.objection)], mode);
    }
    case "value": {
      const judged = judgeConfig(read.value);
      if ("settings" in judged) return { ...judged, fault: null };
      const places = jsonPlaces(textIn(path));
      const why = judged.objections.map((one) =>
        atLine(one.path === null ? null : places.lineOf(one.path), objectionText(one)),
      );
      return unusable(path, why, null);
    }
    default:
      return read satisfies never;
  }
}

/** For the lines of what is wrong alone: what counts was read before. Empty where it cannot be read. */
function textIn(path: string): string {
  const read = readBytes(path, largestConfigBytes);
  return read.kind === "bytes" ? Buffer.from(read.bytes).toString("utf8") : "";
}

function atLine(line: number | null, what: string): string {
  return line === null ? what : `${configFileName}:${line}: ${what}`;
}

/** What the content of a file says, or what is wrong with it. */
export function judgeConfig(
  value: unknown,
): { readonly settings: Settings } | { readonly objections: readonly Objection[] } {
  const parsed: z.ZodSafeParseResult<Settings> = configSchema().safeParse(value);
  return parsed.success ? { settings: parsed.data } : { objections: objections(parsed.error.issues) };
}

/** Breaking the file must not be a way to a wait that a person cut short. */
function noLonger(settings: Settings, { "approval.timeoutSeconds": accepted }: AcceptedValues): Settings {
  const { approval } = settings;
  if (!hasToWait("approval.timeoutSeconds", accepted, approval.timeoutSeconds)) return settings;
  const timeoutSeconds = Number(accepted);
  const bannerDelaySeconds = Math.min(approval.bannerDelaySeconds, Math.floor(timeoutSeconds / 2));
  return { ...settings, approval: { ...approval, timeoutSeconds, bannerDelaySeconds } };
}

function unusable(path: string, why: readonly string[], fix: string | null): ConfigFile {
  const what = `${configFileName} cannot be used: ${why.join("; ")}`;
  const fault = new WispError("config_invalid", what, {
    why: "Until it can, everything asks, and only a terminal outside the client answers.",
    fix: fix ?? `Correct ${shellQuoted(path)}, or remove it.`,
    details: { path },
  });
  return { settings: strictestSettings, fault };
}
