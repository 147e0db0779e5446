/** Whether any of the files is there of which something may wait, or be wrong. Short: it stands in the hot program. */
import { dirname, join } from "node:path";
import { type Home, lookAt } from "../broker/index.js";

/** In `home`, or in a project around `directory`. False means that there is nothing to say of any. */
export function hasFileTraces({ path }: Home, directory: string): boolean {
  const own = ["policy.json", "remembered.json", "config.json", "keys/sealed", "keys/sealed-names"];
  if (own.some((name) => lookAt(join(path, name)) !== null)) return true;
  for (let at = directory; ; at = dirname(at)) {
    if (lookAt(join(at, ".wisp/policy.json")) !== null) return true;
    if (dirname(at) === at) return false;
  }
}
