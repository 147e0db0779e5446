/**
 * `keys/sealed/`: copies of what a person accepted, under a seal that only we can have made. Invariant: what is read here
 * was written by somebody who holds the secret of the home; of all else it is said why it counts for nothing, also of a copy
 * that was taken away.
 */
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../request/errors.js";
import { isSealed, type Keys, sealOf } from "../request/seal.js";
import * as s from "../request/shape.js";
import { type HomePlace, makeDirectoriesDurably, syncNames } from "./home-place.js";
import { writeFault } from "./publish.js";
import { readJson } from "./read.js";
import { replaceDurably } from "./replace.js";
import { listSealed, type SealedName, sealedNamesOf } from "./sealed-names.js";

/** A copy as it was found. `reason` is for a person. */
export type Accepted =
  | { readonly kind: "accepted"; readonly value: unknown; readonly acceptedAt: number }
  | { readonly kind: "none" }
  | { readonly kind: "untrusted"; readonly reason: string };

const label = "wisp/sealed/v1";
/** Twice the longest policy, as JSON text in JSON. */
const largestBytes = 4 * 1024 * 1024;

const fileSchema = s.strictObject({
  v: s.literal(1),
  name: s.string(),
  acceptedAt: s.integer({ least: 0 }),
  value: s.string(),
  mac: s.string({ pattern: /^[0-9a-f]{64}$/ }),
});

/** Where the copy of `name` lies in the home at `path`. */
export function sealedPath(path: string, name: SealedName): string {
  return join(path, "keys", "sealed", name);
}

/** Reads the copy of `name`. Makes nothing, and never throws. */
export function readAccepted(path: string, name: SealedName, keys: Pick<Keys, "existingKey">): Accepted {
  const read = readJson(sealedPath(path, name), largestBytes);
  if (read.kind === "missing") {
    return sealedNamesOf(path, keys).has(name)
      ? { kind: "untrusted", reason: "it is gone" }
      : { kind: "none" };
  }
  if (read.kind === "refused") return { kind: "untrusted", reason: read.objection };
  const parsed = fileSchema.safeParse(read.value);
  if (!parsed.success) return { kind: "untrusted", reason: "not as wisp writes it" };
  const { mac, ...sealed } = parsed.data;
  // The name is sealed as well: a copy of one file must not pass for one of another.
  if (sealed.name !== name || !isSealed(label, sealed, mac, keys as Keys)) {
    return { kind: "untrusted", reason: "its seal is not ours" };
  }
  return { kind: "accepted", value: JSON.parse(sealed.value), acceptedAt: sealed.acceptedAt };
}

/**
 * Replaces the copy of `name`, which is on disk when the promise resolves. `value` is JSON. Rejects with channel_unsafe,
 * channel_unavailable: then the copy is the one before, or this one.
 */
export async function writeAccepted(
  home: HomePlace,
  name: SealedName,
  value: unknown,
  keys: Keys,
): Promise<void> {
  const key = await keys.derivedKey(label);
  await makeDirectoriesDurably(home, "keys", "sealed");
  const sealed = { v: 1, name, acceptedAt: home.clock.now(), value: JSON.stringify(value) };
  const text = `${JSON.stringify({ ...sealed, mac: sealOf(label, sealed, key) })}\n`;
  const directory = join(home.path, "keys", "sealed");
  await replaceDurably(directory, name, text, home.clock);
  // After the copy: whoever is cut off between them leaves one that counts.
  await listSealed(home, name, true, keys);
}

/** Removes the copy of `name`: as if nothing of it had been accepted. On disk when it resolves; rejects as above. */
export async function removeAccepted(home: HomePlace, name: SealedName, keys: Keys): Promise<void> {
  await makeDirectoriesDurably(home, "keys", "sealed");
  // Before the copy, which counts until it is gone.
  await listSealed(home, name, false, keys);
  const path = sealedPath(home.path, name);
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw writeFault(path, error);
  }
  await syncNames(join(home.path, "keys", "sealed"));
}
