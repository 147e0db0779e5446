/**
 * `keys/sealed-names`: of which files there is an accepted copy, under a seal of its own. Invariant: a copy that somebody took
 * away is missed. Who takes this file away as well is not noticed: only whoever may write below `keys/` can.
 */
import { join } from "node:path";
import { isSealed, type Keys, sealOf } from "../request/seal.js";
import * as s from "../request/shape.js";
import type { HomePlace } from "./home-place.js";
import { readJson } from "./read.js";
import { replaceDurably } from "./replace.js";

/** What may be accepted. */
export const sealedNames = ["config.json", "policy.json", "remembered.json"] as const;
/** One of them. */
export type SealedName = (typeof sealedNames)[number];

const label = "wisp/sealed-names/v1";
const fileName = "sealed-names";
const largestBytes = 4 * 1024;

const fileSchema = s.strictObject({
  v: s.literal(1),
  names: s.array(s.oneOf(sealedNames)),
  mac: s.string({ pattern: /^[0-9a-f]{64}$/ }),
});

/** Where it lies in the home at `path`. */
export function sealedNamesPath(path: string): string {
  return join(path, "keys", fileName);
}

/**
 * Those that have a copy in the home at `path`; all of them where what is written cannot be trusted: then whatever is missing
 * may have been there. Makes nothing, and never throws.
 */
export function sealedNamesOf(path: string, keys: Pick<Keys, "existingKey">): ReadonlySet<SealedName> {
  return listed(path, keys) ?? new Set(sealedNames);
}

/**
 * Puts `name` on the list, or takes it off; on disk when the promise resolves. Only under the lock of `changingSealed`.
 * Rejects with channel_unsafe, channel_unavailable: then the list is the one before, or this one.
 */
export async function listSealed(
  home: HomePlace,
  name: SealedName,
  isThere: boolean,
  keys: Keys,
): Promise<void> {
  const before = listed(home.path, keys);
  if (before !== null && before.has(name) === isThere) return;
  const found = before ?? new Set(sealedNames);
  const names = sealedNames.filter((one) => (one === name ? isThere : found.has(one)));
  const sealed = { v: 1, names };
  const mac = sealOf(label, sealed, await keys.derivedKey(label));
  const directory = join(home.path, "keys");
  await replaceDurably(directory, fileName, `${JSON.stringify({ ...sealed, mac })}\n`, home.clock);
}

/** Null where what is written cannot be trusted. */
function listed(path: string, keys: Pick<Keys, "existingKey">): ReadonlySet<SealedName> | null {
  const read = readJson(sealedNamesPath(path), largestBytes);
  if (read.kind === "missing") return new Set();
  const parsed = read.kind === "value" ? fileSchema.safeParse(read.value) : null;
  if (parsed?.success !== true) return null;
  const { mac, ...sealed } = parsed.data;
  return isSealed(label, sealed, mac, keys as Keys) ? new Set(sealed.names) : null;
}
