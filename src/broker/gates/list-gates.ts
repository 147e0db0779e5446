/** All gates of which something is pinned in a home, for a person who looks for a fault. */
import { join } from "node:path";
import { namesIn } from "../files/look.js";
import type { Keys } from "../request/seal.js";
import type { PinsNow } from "./pins.js";
import { pinsPlace, readPins } from "./pins-file.js";

const suffix = ".json";
const gateName = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** By their names, sorted; also those whose file was taken away. Makes nothing, and never throws. */
export function gatesIn(
  path: string,
  keys: Pick<Keys, "existingKey">,
): readonly { readonly name: string; readonly now: PinsNow }[] {
  const files = namesIn(join(path, "gates")).filter((name) => name.endsWith(suffix));
  const heads = namesIn(join(path, "keys", "gates"));
  const names = new Set([...files.map((name) => name.slice(0, -suffix.length)), ...heads]);
  return [...names]
    .filter((name) => gateName.test(name))
    .sort()
    .map((name) => ({ name, now: readPins(pinsPlace(path, name), name, keys).now }));
}
