/** What was read from a line of a log, and is not checked yet. */

/** An object of JSON, whatever it holds. */
export type Values = Readonly<Record<string, unknown>>;

/** Is it one? */
export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
