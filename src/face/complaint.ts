/** What went wrong, for a person. */

/** Three texts that are safe to print. */
export interface Complaint {
  readonly what: string;
  readonly why: string | null;
  /** What to do, with a command to paste where there is one. */
  readonly fix: string | null;
}
