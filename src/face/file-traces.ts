/** Whether any of the files is there of which something may wait, or be wrong. Short: it stands in the hot program. */
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Home } from "../broker/index.js";

/** In `home`, or in a project around `directory`. False means that there is nothing to say of any. */
export function hasFileTraces({ path }: Home, directory: string): boolean {
  const own = ["policy.json", "remembered.json", "config.json", "keys/sealed"];
  if (own.some((name) => isThere(join(path, name)))) return true;
  for (let at = directory; ; at = dirname(at)) {
    if (isThere(join(at, ".wisp/policy.json"))) return true;
    if (dirname(at) === at) return false;
  }
}

/** A link to nowhere is there, too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Nothing can be read there, by whoever judges either.
    return false;
  }
}
