/** What shows that a file was written by somebody who holds the secret of this home. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "./binding.js";

/** Where keys come from; `RootSecret` is one. Both may throw channel_unsafe, channel_unavailable. */
export interface Keys {
  /** The key for `label`; makes the secret behind it where there is none. */
  derivedKey(label: string): Promise<Uint8Array>;
  /** Null where there is no secret yet. */
  existingKey(label: string): Uint8Array | null;
}

/** HMAC-SHA256, hex, over the label, a newline and the canonical JSON of `value`. */
export function sealOf(label: string, value: unknown, key: Uint8Array): string {
  return createHmac("sha256", key)
    .update(`${label}\n${canonicalJson(value)}`, "utf8")
    .digest("hex");
}

/** Is `mac` the seal of `value`? Never where there is no secret, or where it cannot be read. */
export function isSealed(label: string, value: unknown, mac: string, keys: Keys): boolean {
  const key = keyOrNull(label, keys);
  return key !== null && isSealedWith(label, value, mac, key);
}

/** The same where the key is at hand. `mac` is 64 hexadecimal digits: the shape of the file says so. */
export function isSealedWith(label: string, value: unknown, mac: string, key: Uint8Array): boolean {
  return timingSafeEqual(Buffer.from(sealOf(label, value, key), "hex"), Buffer.from(mac, "hex"));
}

function keyOrNull(label: string, keys: Keys): Uint8Array | null {
  try {
    return keys.existingKey(label);
  } catch {
    // Without a secret that can be trusted no seal can; whoever seals hears what is wrong with it.
    return null;
  }
}
