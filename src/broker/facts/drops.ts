/** Which drops count against an ask, and for how long those count that are for one line of work. */
import type { DroppedFact, FactWords, Proposal } from "./fact-store.js";
import { folded } from "./similar.js";

/** A drop that is not for good counts no longer when it is older than this, and is swept. */
const dropLifeMs = 30 * 24 * 3_600_000;

/** What is said of what: where it was read does not matter. */
const saying = ["subject", "name", "value"] as const satisfies (keyof FactWords)[];

/** The newest of `dropped` that counts against `proposal` at `now`, epoch milliseconds, or null. */
export function newestAgainst(
  dropped: readonly DroppedFact[],
  proposal: Proposal,
  now: number,
): DroppedFact | null {
  const counting = dropped.filter((one) => !isOver(one, now) && countsAgainst(one, proposal));
  return counting.reduce<DroppedFact | null>(
    (newest, one) => (newest === null || one.droppedBy.at >= newest.droppedBy.at ? one : newest),
    null,
  );
}

/** Is it over at `now`, epoch milliseconds? One that is for good never is. */
export function isOver({ isForGood, droppedBy }: DroppedFact, now: number): boolean {
  return !isForGood && now - droppedBy.at > dropLifeMs;
}

/** A person who does not want it anywhere is not asked in the next directory, nor with a blank or a capital more. */
function countsAgainst(dropped: DroppedFact, { words, by }: Proposal): boolean {
  const isHere = dropped.directory === words.directory && isSameWork(dropped.proposedBy, by);
  return (dropped.isForGood || isHere) && saysTheSame(dropped, words);
}

function saysTheSame(one: FactWords, other: FactWords): boolean {
  return saying.every((key) => one[key] === other[key] || folded(one[key]) === folded(other[key]));
}

/** The same line of work: one client's thread; where it names none, one run of the server. */
function isSameWork(one: Proposal["by"], other: Proposal["by"]): boolean {
  if (one.client?.name !== other.client?.name || one.thread !== other.thread) return false;
  return one.thread !== null || one.session === other.session;
}
