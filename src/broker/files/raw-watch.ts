/** The watch of the system on one directory: its events are a hint, the directory is the truth. */
import { type BigIntStats, type FSWatcher, watch } from "node:fs";

/** Starts a raw watch; replaced in tests that break it. Throws like `fs.watch`. */
export type StartWatch = (
  directory: string,
  onEvent: (name: string | null) => void,
  onError: () => void,
) => {
  close(): void;
};

/** The watch of the system. */
export function rawWatch(
  directory: string,
  onEvent: (name: string | null) => void,
  onError: () => void,
): FSWatcher {
  // Not persistent: what keeps a process alive is its timer or its input, never this.
  const watcher = watch(directory, { persistent: false }, (_event, name) => onEvent(name));
  watcher.on("error", onError);
  return watcher;
}

/** Inode numbers are re-used at once; the time of birth tells two directories apart. */
export function identityOf(stats: BigIntStats): string {
  return `${stats.dev}/${stats.ino}/${stats.birthtimeNs}`;
}
