/** Who started whom on this system. Apart from `process.ts`, which every command of a person loads. */
import { ancestorsOf } from "./ancestry.js";
import { lookAtProc } from "./proc-look.js";
import { lookAtPs } from "./ps-look.js";
import type { LookSource, ProcessFacts } from "./source.js";

/** What this system is asked through. */
export const systemLook: LookSource = { look: process.platform === "linux" ? lookAtProc : lookAtPs };

/**
 * The processes above this one, its parent first; null where they cannot be read. To be read when the server starts:
 * of a wrapper that has ended nobody can tell any more who started it.
 */
export function ownAncestors(): readonly ProcessFacts[] | null {
  try {
    const look = systemLook.look();
    const own = look.read(process.pid);
    return own === null || own === "hidden" ? null : ancestorsOf(own, look).processes;
  } catch {
    // Whoever needs them reads them again, and is told what is wrong.
    return null;
  }
}
