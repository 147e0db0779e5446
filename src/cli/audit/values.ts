/** Reading the parts of a record, in which anything may stand. */

/** A part of a record. */
export type Values = Readonly<Record<string, unknown>>;

/** The text under `key`, or null. */
export function textIn(values: Values, key: string): string | null {
  const value = values[key];
  return typeof value === "string" ? value : null;
}

/** The number under `key`, or null. */
export function numberIn(values: Values, key: string): number | null {
  const value = values[key];
  return typeof value === "number" ? value : null;
}

/** The object under `key`; an empty one where there is none. */
export function objectIn(values: Values, key: string): Values {
  const value = values[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

/** The name under which the client spoke. */
export function clientIn(selfReported: Values): string | null {
  return textIn(selfReported, "client") ?? textIn(objectIn(selfReported, "client"), "name");
}
