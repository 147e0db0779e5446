/** Values of JSON, told from those that JSON would write as something else: what is shown to a person must be what the author holds. */
import { firstFound } from "../../broker/index.js";

/** No request nests as deep. */
const deepest = 128;

/**
 * Why `value` is none, with the place as `$.a[0]`; null where it is one. A key of an object that is `undefined` counts as left
 * out, as it does for whoever takes the object apart.
 */
export function jsonObjection(value: unknown): string | null {
  return objectionAt(value, "$", []);
}

function objectionAt(value: unknown, place: string, above: readonly object[]): string | null {
  switch (typeof value) {
    case "string":
    case "boolean":
      return null;
    case "number":
      return Number.isFinite(value) ? null : `${place} is ${value}`;
    case "object":
      return value === null ? null : objectionIn(value, place, above);
    default:
      return `${place} is ${value === undefined ? "undefined" : `a ${typeof value}`}`;
  }
}

function objectionIn(value: object, place: string, above: readonly object[]): string | null {
  if (above.includes(value)) return `${place} holds itself`;
  if (above.length >= deepest) return `${place} is nested too deep`;
  const inside = [...above, value];
  if (Array.isArray(value)) {
    // Also what was never set: JSON would write null there.
    return firstFound(
      Array.from(value, (one, index) => () => objectionAt(one, `${place}[${index}]`, inside)),
    );
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${place} is no plain object`;
  if (Object.getOwnPropertySymbols(value).length > 0) return `${place} has a key that is no text`;
  return firstFound(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(
        ([key, one]) =>
          () =>
            objectionAt(one, `${place}.${key}`, inside),
      ),
  );
}
