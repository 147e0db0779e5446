/** Runs rows one after the other: each opened, measured in blocks, judged and closed. */
import type { Options } from "./options.js";
import type { Row, Setup } from "./row.js";
import { bestOf, type Judged } from "./verdict.js";

export interface Result {
  readonly row: Row;
  readonly judged: Judged;
  /** Why nothing could be measured; null when it was. */
  readonly error: string | null;
}

/** Measures one row. What cannot be measured fails. */
export async function runRow(row: Row, setup: Setup): Promise<Result> {
  try {
    const bench = await row.open(setup);
    try {
      return { row, judged: await bestOf(row.gate, row.mostBlocks, bench.block), error: null };
    } finally {
      await bench.close();
    }
  } catch (error) {
    const judged: Judged = { value: Number.NaN, verdict: "fails", blocks: 0 };
    return { row, judged, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Does a run of good programs pass? Nothing measured is no pass. */
export function isGood(results: readonly Result[]): boolean {
  return results.length > 0 && results.every(({ judged }) => judged.verdict !== "fails");
}

/** Did every gate see its deliberate failure? A row that could not be measured has seen nothing. */
export function isProved(results: readonly Result[]): boolean {
  return (
    results.length > 0 && results.every(({ judged, error }) => judged.verdict === "fails" && error === null)
  );
}

/** `missed`: a bar, or by a gate that lets its deliberate failure pass. `broken` says nothing about speed. */
export const exits = { done: 0, missed: 1, broken: 2 } as const;

/** The exit code of a run with these results. */
export function exitOf(
  results: readonly Result[],
  { isCheck, isProof }: Pick<Options, "isCheck" | "isProof">,
): number {
  if (results.some(({ error }) => error !== null)) return exits.broken;
  const isMissed = isProof ? !isProved(results) : isCheck && !isGood(results);
  return isMissed ? exits.missed : exits.done;
}
