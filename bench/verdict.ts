/**
 * How a measured value is judged. On a shared machine noise only makes things slower, while a regression slows
 * every block: so a row passes with the first block that holds its bar, and fails when none of several does. This
 * bounds what the program can do; it does not see slowness that comes and goes.
 */

/** What a row promises. `goal` is where it wants to be, `bar` is where it fails. */
export interface Gate {
  readonly bar: number;
  readonly goal: number;
  readonly holds: "at most" | "at least";
}

export type Verdict = "reaches the goal" | "holds" | "fails";

export interface Judged {
  /** The best value of all blocks; NaN when there is none. */
  readonly value: number;
  readonly verdict: Verdict;
  /** How many blocks were measured before the row passed or failed. */
  readonly blocks: number;
}

/** Times or costs of one block, floor and subject measured in turns. */
export interface Samples {
  readonly floor: readonly number[];
  readonly subject: readonly number[];
}

/** Judges one value. What cannot be compared, NaN for one, fails. */
export function verdictOf(value: number, gate: Gate): Verdict {
  if (keeps(value, gate.goal, gate.holds)) return "reaches the goal";
  return keeps(value, gate.bar, gate.holds) ? "holds" : "fails";
}

/** Measures up to `mostBlocks` blocks and stops at the first that holds the bar. */
export async function bestOf(
  gate: Gate,
  mostBlocks: number,
  measure: () => Promise<number>,
): Promise<Judged> {
  let best = Number.NaN;
  for (let blocks = 1; blocks <= mostBlocks; blocks += 1) {
    const value = await measure();
    if (Number.isNaN(best) || keeps(value, best, gate.holds)) best = value;
    const verdict = verdictOf(best, gate);
    if (verdict !== "fails" || blocks === mostBlocks) return { value: best, verdict, blocks };
  }
  return { value: best, verdict: "fails", blocks: 0 };
}

/**
 * Measures floor and subject `rounds` times each, one after the other, the order swapped each round, so that what
 * else the machine does meets both alike.
 */
export async function alternate(
  rounds: number,
  floor: () => Promise<number>,
  subject: () => Promise<number>,
): Promise<Samples> {
  const samples = { floor: [] as number[], subject: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) samples.floor.push(await floor());
    samples.subject.push(await subject());
    if (round % 2 === 1) samples.floor.push(await floor());
  }
  return samples;
}

/** How many times its floor the subject costs: the ratio of medians. NaN without samples or with a floor of 0. */
export function ratioOf({ floor, subject }: Samples): number {
  const divisor = median(floor);
  return divisor > 0 ? median(subject) / divisor : Number.NaN;
}

/** The middle value, or the mean of the middle two; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

function keeps(value: number, limit: number, holds: Gate["holds"]): boolean {
  switch (holds) {
    case "at most":
      return value <= limit;
    case "at least":
      return value >= limit;
    default:
      return holds satisfies never;
  }
}
