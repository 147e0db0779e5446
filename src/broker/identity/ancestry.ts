/** Who started a process, and which of those are the client of a server. */
import { isShell, isStarter } from "./known-programs.js";
import type { ProcessFacts, ProcessLook } from "./source.js";

/** More than this, or a circle, is not read: a person has a dozen, and only somebody who hides needs more. */
const mostAncestors = 1_000;
/** A process whose ancestors end while they are read is given new ones; who ends them for ever is not looked at. */
const mostWalks = 3;

/** The ancestors of a process, its parent first, and where the way up ended. */
export interface Ancestry {
  readonly processes: readonly ProcessFacts[];
  readonly end: AncestryEnd;
}

/** How far ancestors could be read. */
export type AncestryEnd =
  /** To the first process, or to the edge of this container. */
  | "top"
  /** To a process of somebody else that this system does not show. */
  | "hidden"
  /** Nowhere: they are too many, go round in a circle, or are never what they were. */
  | "lost";

/** Reads the ancestors of `one` as they are now. */
export function ancestorsOf(one: ProcessFacts, look: ProcessLook): Ancestry {
  let child: ProcessFacts | "hidden" | null = one;
  for (let walk = 0; walk < mostWalks && child !== null && child !== "hidden"; walk += 1) {
    const found = walkUp(child, look);
    if (found !== null) return found;
    child = look.read(one.pid);
  }
  return { processes: [], end: "lost" };
}

/** Null when a process on the way up ended meanwhile, so that its child has another parent now. */
function walkUp({ parent }: ProcessFacts, look: ProcessLook): Ancestry | null {
  const processes: ProcessFacts[] = [];
  for (let number = parent; number !== 0; ) {
    if (processes.length >= mostAncestors) return { processes, end: "lost" };
    const next = look.read(number);
    if (next === "hidden") return { processes, end: "hidden" };
    if (next === null) return null;
    processes.push(next);
    number = next.parent;
  }
  return { processes, end: "top" };
}

/**
 * The processes of a server's client among `ancestors` of that server, its parent first: all up to what a person
 * has for themselves. Wrappers between client and server belong to it.
 */
export function clientAmong(ancestors: readonly ProcessFacts[]): readonly ProcessFacts[] {
  const end = ancestors.findIndex((one, index) => isPersons(one, index === 0));
  return end === -1 ? ancestors : ancestors.slice(0, end);
}

/** Does `one` stand above a person's terminals too? A client there would refuse the person everywhere. */
function isPersons(one: ProcessFacts, isParent: boolean): boolean {
  const leadsTerminal = one.isSessionLeader && one.terminal !== null;
  if (isStarter(one.name)) return true;
  // A client that a terminal was opened for leads the session there, as a shell does that a person types into.
  if (leadsTerminal && isShell(one.name)) return true;
  // In a container the client itself can be the first process: it has the terminal, or started the server.
  return one.pid === 1 && !leadsTerminal && !isParent;
}

/** Is `one` among `members`, by number and start? */
export function isAmong(members: readonly ProcessFacts[], one: ProcessFacts): boolean {
  return members.some(({ pid, startedAt }) => pid === one.pid && startedAt === one.startedAt);
}
