/** What every face has to say of `config.json` and its accepted copy, in lines. */
import type { LoadedConfig } from "./load.js";
import type { SealedKey } from "./sealed-keys.js";

/** Where a change was found, and where a file was read. */
export type ToTell = Pick<LoadedConfig, "distrust"> & { readonly waiting: readonly SealedKey[] };

/** `accept` is the command that accepts what waits, safe to show. Empty where nothing waits. */
export function configNotices({ distrust, waiting }: ToTell, accept: string): readonly string[] {
  // Against a copy that counts for nothing almost every key waits.
  if (distrust !== null) return [distrustNotice(distrust, accept)];
  const notice = waitingNotice(waiting, accept);
  return notice === null ? [] : [notice];
}

/** The same of what was loaded. */
export function noticesOfConfig(
  { distrust, waiting }: Pick<LoadedConfig, "distrust" | "waiting">,
  accept: string,
): readonly string[] {
  return configNotices({ distrust, waiting: waiting.map(({ key }) => key) }, accept);
}

/** Null where none waits. */
export function waitingNotice(keys: readonly SealedKey[], accept: string): string | null {
  if (keys.length === 0) return null;
  return `config.json: ${keys.join(", ")} ${keys.length === 1 ? "waits" : "wait"} for: ${accept}`;
}

function distrustNotice(why: string, accept: string): string {
  return `the accepted copy of config.json counts for nothing: ${why}; the strictest settings hold until: ${accept}`;
}
