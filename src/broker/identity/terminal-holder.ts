/** Who holds the other end of a terminal: whoever does can type there. */
import { isAmong } from "./ancestry.js";
import type { Master, ProcessFacts, ProcessLook } from "./source.js";

/** The process that was found to hold it, and what could not be looked at, each in words. */
export interface TerminalHolder {
  readonly holder: ProcessFacts | null;
  readonly unchecked: readonly string[];
}

/**
 * Looks among `members` and all that descend from them for a process that holds the master of `terminal`. `place` is
 * the file system that terminal lies on, null where it is not known. A process that ends meanwhile is passed over.
 */
export function holderAmong(
  members: readonly ProcessFacts[],
  terminal: string,
  place: number | null,
  look: ProcessLook,
): TerminalHolder {
  const unchecked: string[] = [];
  for (const one of treeOf(members, look.all())) {
    const masters = look.masters(one.pid);
    if (masters === null) unchecked.push(`open files of process ${one.pid}`);
    else if (masters.some((master) => isOf(master, terminal, place))) return { holder: one, unchecked };
  }
  return { holder: null, unchecked };
}

/** Within a sandbox terminals can bear the same numbers as outside: where both places are known, they decide. */
function isOf(master: Master, terminal: string, place: number | null): boolean {
  if (master.terminal !== terminal) return false;
  return master.place === null || place === null || master.place === place;
}

/** Those of `all` that are members or descend from one. */
function treeOf(members: readonly ProcessFacts[], all: readonly ProcessFacts[]): readonly ProcessFacts[] {
  const byNumber = new Map(all.map((one) => [one.pid, one]));
  const known = new Map<number, boolean>([[0, false]]);
  return all.filter((one) => {
    const way: number[] = [];
    let at: ProcessFacts | undefined = one;
    while (at !== undefined && !known.has(at.pid)) {
      way.push(at.pid);
      // Marked on the way up, so that numbers that go round in a circle end somewhere.
      known.set(at.pid, isAmong(members, at));
      if (known.get(at.pid) === true) break;
      at = byNumber.get(at.parent);
    }
    const isIn = at !== undefined && known.get(at.pid) === true;
    for (const pid of way) known.set(pid, isIn);
    return isIn;
  });
}
