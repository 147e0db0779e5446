/** What a person is told of keys that wait to be accepted, in one line. */
import type { SealedKey } from "./sealed-keys.js";

/** `accept` is the command that accepts them, safe to show. Null where none waits. */
export function waitingNotice(keys: readonly SealedKey[], accept: string): string | null {
  if (keys.length === 0) return null;
  return `config.json: ${keys.join(", ")} ${keys.length === 1 ? "waits" : "wait"} for: ${accept}`;
}
