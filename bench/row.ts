/** One row of the benchmarks, as data: what is measured against what, its gate, and the failure that proves it. */
import type { Gate } from "./verdict.js";

export interface Row {
  /** For `--only`. */
  readonly name: string;
  readonly what: string;
  /** What it is divided by, or what is counted. */
  readonly against: string;
  readonly unit: "×" | "%" | "KiB" | "B" | "faults";
  readonly gate: Gate;
  /** One for counts that are exact, several where the machine's noise may spoil a block. */
  readonly mostBlocks: number;
  /** What the deliberate failure does: `--prove` shows that the gate sees it. */
  readonly fault: string;
  /** Starts what the row needs. With `fault` the subject is spoilt as `fault` says. */
  open(setup: Setup): Promise<Bench>;
}

export interface Setup {
  readonly fault: boolean;
  /** The long run: as many rounds as the goal names. */
  readonly isFull: boolean;
}

export interface Bench {
  /** One block: the value that the gate judges. */
  block(): Promise<number>;
  close(): Promise<void>;
}

/** Blocks of a row that measures time or cost. */
export const blocksOfTime = 6;
