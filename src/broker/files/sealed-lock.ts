/** Sealed copies are read, changed and written back by one process at a time. */
import { join } from "node:path";
import { type HomePlace, makeDirectoriesDurably } from "./home-place.js";
import { type LockHolders, withLock } from "./lock.js";

/**
 * Runs `use` while nobody else changes a sealed copy of this home. The lock lies below `keys/`, so whoever cannot write
 * there cannot hold anybody up. Rejects as `use` does, and with channel_unsafe, channel_unavailable: then it did not run.
 */
export async function changingSealed<T>(
  home: HomePlace,
  holders: Omit<LockHolders, "clock">,
  use: () => Promise<T>,
): Promise<T> {
  await makeDirectoriesDurably(home, "keys", "sealed");
  return await withLock(join(home.path, "keys", "sealed"), "lock", { ...holders, clock: home.clock }, use);
}
