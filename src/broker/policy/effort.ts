/**
 * How much work the rules may be for one call. Counted, not timed, so that a verdict never depends on how busy the machine
 * is. What is left undone counts against the call.
 */

/** What may still be done, in characters that a rule is searched in. */
export interface Effort {
  left: number;
  /** Something was left undone. */
  isSpent: boolean;
}

/** So much for the rules of a person: a thousand of them over a command of 64 KiB. */
export const mostEffort = 64 * 1024 * 1024;
/** So much for those of all projects together: no file of theirs keeps those of the person from being searched. */
export const mostEffortOfProjects = 32 * 1024 * 1024;

/** Nothing is done yet. */
export function newEffort(left: number): Effort {
  return { left, isSpent: false };
}

/** May work of this size be done? */
export function spend(effort: Effort, amount: number): boolean {
  if (amount > effort.left) effort.isSpent = true;
  else effort.left -= amount;
  return !effort.isSpent;
}
