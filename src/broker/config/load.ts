/**
 * Reads `config.json`. Invariant: what comes out of a file that cannot be used asks for more than any file could have:
 * everything asks, and only a terminal outside the client answers. Nothing here is sealed: whoever can write the file
 * can loosen what it says (SECURITY.md).
 */
import { join } from "node:path";
import type { z } from "zod";
import { readJson } from "../files/read.js";
import { WispError } from "../request/errors.js";
import { shellQuoted } from "../request/shell-quote.js";
import { objections } from "./objections.js";
import { configSchema } from "./schema.js";
import { defaultSettings, type Settings, strictestSettings } from "./settings.js";

/** What is in force, and why it is not what the file says. */
export interface LoadedConfig {
  readonly settings: Settings;
  /** config_invalid, for every face to show; null where the file is good or missing. */
  readonly fault: WispError | null;
}

/** The name of the file in a home. */
export const configFileName = "config.json";

/** Many times what all keys and a hundred clients take. */
const largestBytes = 64 * 1024;

/** Reads the file in `home`, an absolute path. Makes nothing and never throws for what stands there. */
export function loadConfig(home: string): LoadedConfig {
  const path = join(home, configFileName);
  const read = readJson(path, largestBytes);
  switch (read.kind) {
    case "missing":
      return { settings: defaultSettings, fault: null };
    case "refused": {
      const mode = read.objection === "open to others" ? `chmod 600 ${shellQuoted(path)}` : null;
      return unusable(path, [read.objection], mode);
    }
    case "value": {
      const parsed: z.ZodSafeParseResult<Settings> = configSchema().safeParse(read.value);
      if (parsed.success) return { settings: parsed.data, fault: null };
      return unusable(path, objections(parsed.error.issues), null);
    }
    default:
      return read satisfies never;
  }
}

function unusable(path: string, why: readonly string[], fix: string | null): LoadedConfig {
  const what = `${configFileName} cannot be used: ${why.join("; ")}`;
  const fault = new WispError("config_invalid", what, {
    why: "Until it can, everything asks, and only a terminal outside the client answers.",
    fix: fix ?? `Correct ${shellQuoted(path)}, or remove it.`,
    details: { path },
  });
  return { settings: strictestSettings, fault };
}
