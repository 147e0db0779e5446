/** Who holds the other end of a terminal: whoever does can type there. */
import { isAmong } from "./ancestry.js";
import type { Master, ProcessFacts, ProcessLook } from "./source.js";

/** The process that was found to hold it, and what could not be looked at, each in words. */
export interface TerminalHolder {
  readonly holder: ProcessFacts | null;
  /** Does no answer count from the terminals that its family holds? */
  readonly isRefused: boolean;
  /** Was there more to look through than one look may, among those from whom no answer counts? */
  readonly isCutShort: boolean;
  readonly unchecked: readonly string[];
}

/** Processes with all that descend from them. */
export interface Searched {
  readonly members: readonly ProcessFacts[];
  readonly isRefused: boolean;
}

/** The terminal that somebody answers at. */
export interface SoughtTerminal {
  readonly name: string;
  /** The file system that the standard input lies on, null where it is not known. */
  readonly place: number | null;
  /** The ancestors of the process that answers. */
  readonly above: readonly ProcessFacts[];
}

/**
 * Looks among those of `groups`, in their order, for a process that holds the master of `terminal`. A process that ends
 * meanwhile is passed over.
 */
export function holderAmong(
  groups: readonly Searched[],
  terminal: SoughtTerminal,
  look: ProcessLook,
): TerminalHolder {
  const all = look.all();
  const unchecked = new Set<string>();
  let isCutShort = false;
  for (const { members, isRefused } of groups) {
    for (const one of treeOf(members, all)) {
      const masters = look.masters(one.pid);
      if (masters === null || masters === "spent") {
        unchecked.add(`open files of process ${one.pid}`);
        isCutShort ||= isRefused && masters === "spent";
      } else if (masters.some((master) => isOf(master, terminal, look))) {
        return { holder: one, isRefused, isCutShort, unchecked: [...unchecked] };
      }
    }
  }
  return { holder: null, isRefused: false, isCutShort, unchecked: [...unchecked] };
}

/**
 * Within a sandbox terminals can bear the same numbers as outside. That a master lies elsewhere than the standard input
 * does not tell it apart by itself: whoever answers chose what to read from, and could open another's terminal of that
 * number. It does where an ancestor, as an emulator is, holds that number there.
 */
function isOf(master: Master, { name, place, above }: SoughtTerminal, look: ProcessLook): boolean {
  if (master.terminal !== name) return false;
  if (master.place === null || place === null || master.place === place) return true;
  return !above.some(({ pid }) => {
    const masters = look.masters(pid);
    return (
      masters !== null &&
      masters !== "spent" &&
      masters.some((one) => one.terminal === name && (one.place === null || one.place === place))
    );
  });
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
