/**
 * Changing `config.json`. Invariants: the file is replaced whole, and only if it is still the one that was read; a looser
 * value stands in the file before it is sealed, so that whatever is cut off here leaves what was in force, in force.
 */
import { join } from "node:path";
import { type HomePlace, syncNames } from "../files/home-place.js";
import { readBytes } from "../files/read.js";
import { prepare } from "../files/replace.js";
import { readAccepted, writeAccepted } from "../files/sealed.js";
import { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import { shellQuoted } from "../request/shell-quote.js";
import { acceptedBy, configFileName, largestConfigBytes, readConfig } from "./load.js";
import type { AcceptedValues } from "./sealed-keys.js";

/** Where the file of a home is. */
export function configPath(home: string): string {
  return join(home, configFileName);
}

/** The text of the file in `home`; null where there is none. Throws config_invalid for what cannot be read. */
export function readConfigText(home: string): string | null {
  const read = readBytes(configPath(home), largestConfigBytes);
  switch (read.kind) {
    case "missing":
      return null;
    case "bytes":
      return Buffer.from(read.bytes).toString("utf8");
    case "refused":
      throw readConfig(home).fault ?? movedOn(home);
    default:
      return read satisfies never;
  }
}

/**
 * Puts `text` in place of `before`, on disk when the promise resolves; makes home and file for this person alone. Rejects
 * with config_invalid where the file is not `before` any more, and with channel_unsafe, channel_unavailable.
 */
export async function replaceConfig(home: HomePlace, before: string | null, text: string): Promise<void> {
  home.ensureHome();
  const prepared = await prepare(home.path, configFileName, text, home.clock);
  try {
    if (readConfigText(home.path) !== before) throw movedOn(home.path);
    prepared.replace();
  } finally {
    prepared.drop();
  }
  await syncNames(home.path);
}

/** Adds `values` to what counts as accepted, and no more. Rejects as `writeAccepted` does. */
export async function acceptKeys(home: HomePlace, values: AcceptedValues, keys: Keys): Promise<void> {
  const before = readAccepted(home.path, configFileName, keys);
  // What another version sealed there is not ours to drop.
  const others = before.kind === "accepted" && typeof before.value === "object" ? before.value : {};
  // A copy that counts for nothing is made whole as it counted: else one new value would loosen all the others.
  const counted = before.kind === "untrusted" ? acceptedBy(before) : {};
  await writeAccepted(home, configFileName, { ...others, ...counted, ...values }, keys);
}

function movedOn(home: string): WispError {
  const path = configPath(home);
  return new WispError(
    "config_invalid",
    `${configFileName} was changed meanwhile, and nothing of this was written.`,
    {
      fix: `Look at ${shellQuoted(path)} and run it again.`,
      details: { path },
    },
  );
}
