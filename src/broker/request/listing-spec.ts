/** What of a tool's answer lists files, and how they stand there. */

/**
 * `paths`: a line each, absolute. `names`: a line each behind `[DIR]` or `[FILE]`. `sizes`: the same with a size behind it, and
 * a summary. `tree`: JSON, with what lies in a directory under `children`.
 */
export type ListingForm = "paths" | "names" | "sizes" | "tree";

/** What is known of the answers of one tool. */
export interface ListingSpec {
  readonly form: ListingForm;
  /** The argument that names the directory which is listed. */
  readonly argument: string;
}
