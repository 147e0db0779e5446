/** Process groups of commands that run, and how they are ended. */

/** Signals every process of group `id`; 0 only asks. False when nobody is left, or nobody who can be signalled. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-id, signal);
    return true;
  } catch {
    // ESRCH: all are gone. EPERM: all belong to another account by now (sudo) and are out of reach.
    return false;
  }
}

/** Ends every group that still runs, at once: for a program that is about to exit. */
export function killGroups(groups: Iterable<number>): void {
  for (const id of groups) signalGroup(id, "SIGKILL");
}
