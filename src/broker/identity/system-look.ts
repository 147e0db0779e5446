/** Who started whom on this system. Apart from `process.ts`, which every command of a person loads. */
import { type Ancestry, ancestorsOf, isPersons } from "./ancestry.js";
import { lookAtProc } from "./proc-look.js";
import { lookAtPs } from "./ps-look.js";
import type { LookSource } from "./source.js";

/** What this system is asked through. */
export const systemLook: LookSource = { look: process.platform === "linux" ? lookAtProc : lookAtPs };

/**
 * The processes above this one; null where this one does not find itself. To be read when the server starts: of a
 * wrapper that has ended nobody can tell any more who started it.
 */
export function ownAncestors(): Ancestry | null {
  try {
    const look = systemLook.look();
    const own = look.read(process.pid);
    return own === null || own === "hidden" ? null : ancestorsOf(own, look);
  } catch {
    // Whoever needs them reads them again, and is told what is wrong.
    return null;
  }
}

/**
 * One look, which tells whether process `pid` can be a server's. What a person has for themselves is none, whatever a
 * record says; what cannot be looked at can be one.
 */
export function lookForServers(): (pid: number) => boolean {
  const look = systemLook.look();
  return (pid) => {
    const one = look.read(pid);
    return one === null || one === "hidden" || !isPersons(one);
  };
}
