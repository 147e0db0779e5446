/** One thing that a yes rests on, and what it looked like. Pure data. */
export interface BoundTarget {
  /** In words, for the person. */
  readonly target: string;
  /** SHA-256 in hex. */
  readonly fingerprint: string;
}
