/** Which drops count against an ask, and for how long those count that are for one line of work. */
import type { DroppedFact, FactWords, Proposal } from "./fact-store.js";

/** A drop that is not for good is swept when it is older than this. */
export const dropLifeMs = 30 * 24 * 3_600_000;

/** What makes two asks the same ask: where it was read does not matter. */
const sameWords = ["subject", "name", "value", "directory"] as const satisfies (keyof FactWords)[];

/** Is it the same that is to be kept? */
export function isSameFact(one: FactWords, other: FactWords): boolean {
  return sameWords.every((key) => one[key] === other[key]);
}

/** The newest of `dropped` that counts against `proposal`, or null. */
export function newestAgainst(dropped: readonly DroppedFact[], proposal: Proposal): DroppedFact | null {
  const counting = dropped.filter((one) => countsAgainst(one, proposal));
  return counting.reduce<DroppedFact | null>(
    (newest, one) => (newest === null || one.droppedBy.at >= newest.droppedBy.at ? one : newest),
    null,
  );
}

/** Is it over at `now`, epoch milliseconds? One that is for good never is. */
export function isOver({ isForGood, droppedBy }: DroppedFact, now: number): boolean {
  return !isForGood && now - droppedBy.at > dropLifeMs;
}

function countsAgainst(dropped: DroppedFact, { words, by }: Proposal): boolean {
  return isSameFact(dropped, words) && (dropped.isForGood || isSameWork(dropped.proposedBy, by));
}

/** The same line of work: one client's thread; where it names none, one run of the server. */
function isSameWork(one: Proposal["by"], other: Proposal["by"]): boolean {
  if (one.client?.name !== other.client?.name || one.thread !== other.thread) return false;
  return one.thread !== null || one.session === other.session;
}
