/** Reading messages that were parsed and are not checked. */

/** An object of JSON: no list, and not null. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Is it one? */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under `key`, or an empty one. */
export function objectIn(value: unknown, key: string): JsonObject {
  const found = isObject(value) ? value[key] : null;
  return isObject(found) ? found : {};
}

/** The message in a line that the upstream sent; null where it is none. The client, who gets it as it is, will say so. */
export function messageIn(line: Buffer): JsonObject | null {
  try {
    const message: unknown = JSON.parse(line.toString("utf8"));
    return isObject(message) ? message : null;
  } catch {
    return null;
  }
}
